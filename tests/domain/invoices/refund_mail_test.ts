import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { adoptRefunds } from "../../../domain/invoices/adopt_refunds.ts";
import {
  refundDueInvoices,
  refundInvoice,
} from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { OutboxMail } from "../../../domain/mail/outbox_mail.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";

const ORDER = { day: AUCTION_DAY, note: "between us operators" };

async function refundMails({ world }: PaidDay): Promise<OutboxMail[]> {
  const mails = await world.services.store.listMails({ limit: 100 });
  return mails.filter(({ kind }) => kind === "money_refunded");
}

Deno.test("a refund is mailed to the buyer with its credit note, once, and not why operators made it", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  await refundSpotlight(services, ORDER);
  await refundSpotlight(services, ORDER);
  const { id, number, creditNotes } = await day.invoice();
  await adoptRefunds(services, { invoiceId: id });
  const [mail, ...more] = await refundMails(day);
  assertEquals(more, []);
  assertEquals(mail?.to, day.winner.account.email);
  for (
    const said of [
      "Given back: EUR 7.00",
      `Invoice: ${number}`,
      "Shown: 20 Nov 23:55 – 21 Nov 23:55 UTC",
      `Credit note: ${creditNotes[0]?.number}`,
    ]
  ) assertStringIncludes(wordsOf(mail), said);
  assert(!wordsOf(mail).includes("operators"));
});

Deno.test("a payment that came too late is mailed once it went back", async () => {
  await using day = await openPaidDay();
  const { id, accountId } = await day.voided();
  day.world.simulator.control.invoices.payLate(id);
  for (let nth = 0; nth < 2; nth++) await syncInvoice(day.world.services, id);
  const account = await day.world.services.store.accounts.find(accountId);
  const mails = await refundMails(day);
  assertEquals(mails.map(({ to }) => to), [account?.email]);
  assertStringIncludes(wordsOf(mails[0]), "passed over, so we gave it back");
  assert(!wordsOf(mails[0]).includes("Shown:"), "it never was");
});

Deno.test("a crash before or after any commit of a refund mails it once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    try {
      await refundSpotlight(doomed.services, ORDER);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    await refundSpotlight(day.world.services, ORDER);
    day.world.clock.advance(10 * 60_000);
    await refundDueInvoices(day.world.services);
    assertEquals((await refundMails(day)).length, 1, JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} crash points`);
});

Deno.test("processes that give back at once mail a refund once", async () => {
  await using day = await openPaidDay();
  const { id: invoiceId } = await day.invoice();
  const all = [day.world, day.world.another(), day.world.another()];
  await refundSpotlight(day.world.services, ORDER);
  await Promise.all(
    all.map(({ services }) => refundInvoice(services, { invoiceId })),
  );
  assertEquals((await refundMails(day)).length, 1);
});

Deno.test("a refund that the processor refuses is mailed to nobody", async () => {
  await using day = await openPaidDay();
  day.world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/credit_notes",
  });
  await refundSpotlight(day.world.services, ORDER);
  assertEquals(await refundMails(day), []);
});
