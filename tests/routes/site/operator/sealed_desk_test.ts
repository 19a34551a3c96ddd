import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ProcessorUncertain } from "../../../../domain/failure.ts";
import { readDaily } from "../../../../domain/alerts/read_daily.ts";
import { dayOf } from "../../../../domain/day.ts";
import { bookLatePayment } from "../../../../domain/invoices/invoice_books.ts";
import { settleDay } from "../../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY } from "../../../support/auction_world.ts";
import {
  type DeskSite,
  deskText,
  openDeskSite,
} from "../../../support/desk_site.ts";
import { closeDay, settleInTime } from "../../../support/settlement_outcome.ts";

const PAYMENT = "pi_late";
/** Every page that lists invoices, payments or what was booked of them. */
const PAGES = [
  `/operator/days/${AUCTION_DAY}`,
  "/operator/accounts/acc_ada",
  "/operator/accounts/acc_bob",
  "/operator/money",
  "/operator/money/entries",
  "/operator/money/entries?kind=late_payment",
  "/operator/money/invoices",
  "/operator/audit",
  "/operator",
];
const AMOUNTS = /77[.,]77|66[.,]66/;

/** A day whose payment is asked for and never answered. */
async function openStuckDay(): Promise<DeskSite> {
  const open = await openDeskSite();
  const { world } = open;
  await world.bid(await world.advertiser("ada"), 77_77);
  await world.bid(await world.advertiser("bob"), 66_66);
  await closeDay(world.services);
  const { services } = world.another((real) => ({
    ...real,
    payInvoice: () => Promise.reject(new ProcessorUncertain("No answer")),
  }));
  await settleDay(services, { day: AUCTION_DAY });
  const auction = await services.store.auctions.find(AUCTION_DAY);
  assertEquals(auction?.settledAtMs, null);
  const [candidate] =
    (await services.store.settlements.find(AUCTION_DAY))?.candidates ?? [];
  assert(candidate?.invoiceId);
  return open;
}

/** Its first invoice is paid, after its bid was passed over. */
async function payLate({ world }: DeskSite): Promise<void> {
  const { store, clock } = world.services;
  await store.transact(async (tx) => {
    const [candidate] = (await tx.settlements.find(AUCTION_DAY))?.candidates ??
      [];
    const invoice = await tx.invoices.find(candidate?.invoiceId ?? "");
    assert(invoice !== null);
    const paid = { ...invoice, state: "paid", paidAtMs: clock.now() } as const;
    tx.paymentInvoices.save({ paymentId: PAYMENT, invoiceId: invoice.id });
    bookLatePayment(tx, paid, PAYMENT, clock.now());
    tx.disputes.save({
      id: "dp_1",
      state: "open",
      amountCents: invoice.totalCents,
      paymentId: PAYMENT,
      accountId: invoice.accountId,
      invoiceId: invoice.id,
      reason: "fraudulent",
      openedAtMs: clock.now(),
      evidenceDueAtMs: null,
      movementIds: [],
      moves: 0,
      heldCents: 0,
      lostCents: 0,
      dueCents: 0,
    });
    const account = await tx.accounts.find(invoice.accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, blockingDisputes: ["dp_1"] });
  });
}

async function assertTellsNothing({ desk }: DeskSite): Promise<void> {
  for (const path of PAGES) {
    const text = await deskText(desk, path);
    assert(text.length > 0, path);
    assert(!AMOUNTS.test(text), path);
  }
  const invoices = await deskText(desk, "/operator/money/invoices");
  assert(!/acc_/.test(invoices));
}

Deno.test("no page of the desk tells an invoice of a day that has not settled, and each does once it has", async () => {
  await using open = await openStuckDay();
  await assertTellsNothing(open);
  await settleInTime(open.world);
  for (
    const path of ["/operator/accounts/acc_ada", "/operator/money/invoices"]
  ) {
    assertStringIncludes(await deskText(open.desk, path), "77.77", path);
  }
});

Deno.test("neither pages, books nor mails tell what was paid late of a day that has not settled", async () => {
  await using open = await openStuckDay();
  await payLate(open);
  await assertTellsNothing(open);
  const { desk, world: { services } } = open;
  const csv = await (await desk.get("/operator/money/entries/csv")).text();
  assert(!AMOUNTS.test(csv));
  const payment = await desk.get(`/operator/money/payments/${PAYMENT}`);
  assertEquals(payment.status, 404);
  await payment.body?.cancel();
  const money = await deskText(desk, "/operator/money");
  assertStringIncludes(money, "Refund for invoice");
  assertStringIncludes(money, "Dispute dp_1 (fraudulent)");
  assert(!/acc_ada/.test(money));
  const day = dayOf(services.clock.now());
  const daily = await readDaily(services, day, []);
  assertEquals(daily.money, []);
});
