import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bookEntry } from "../../../../domain/ledger/book_entry.ts";
import type {
  Difference,
  Reconciliation,
} from "../../../../domain/reconciliation/reconciliation.ts";
import { inWords } from "../../../../routes/site/operator/reconciliations.tsx";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { invoiceOf, saveInvoice } from "../../../support/invoices.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const DAY = dayText("2026-11-19");

async function pageOf(site: AdvertiserSite): Promise<string> {
  const browser = await site.browser("operator");
  const page = await browser.get("/operator/money");
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  return await page.text();
}

function report(differences: readonly Difference[]): Reconciliation {
  return {
    day: DAY,
    ranAtMs: 0,
    movements: 3,
    entries: 2,
    invoices: 1,
    differences,
    moreDifferences: 0,
  };
}

Deno.test("/operator/money is no page for an advertiser", async () => {
  await using site = await openAdvertiserSite();
  const browser = await site.browser("ada");
  const page = await browser.get("/operator/money");
  assertEquals(page.status, 404);
  await page.body?.cancel();
});

Deno.test("/operator/money sends a visitor to sign in and back", async () => {
  await using site = await openAdvertiserSite();
  const answer = await site.visitor("/operator/money", { redirect: "manual" });
  assertEquals(answer.status, 303);
  assertStringIncludes(
    answer.headers.get("location") ?? "",
    "next=%2Foperator%2Fmoney",
  );
});

Deno.test("/operator/money of a quiet service says that all is well", async () => {
  await using site = await openAdvertiserSite();
  await site.services.store.transact((tx) =>
    tx.reconciliations.save(report([]))
  );
  const html = await pageOf(site);
  assertStringIncludes(html, "agree on every day");
  assertStringIncludes(html, "No dispute is open");
  assertStringIncludes(html, "Nothing was booked.");
});

Deno.test("/operator/money names every difference in words", async () => {
  await using site = await openAdvertiserSite();
  await site.services.store.transact((tx) =>
    tx.reconciliations.save(report([
      {
        kind: "not_booked",
        movementId: "txn_1",
        paymentId: "pi_1",
        amountCents: -1_250,
      },
      { kind: "not_archived", number: "SPOT-0007" },
    ]))
  );
  const html = await pageOf(site);
  assertStringIncludes(html, "Something differs on one day");
  assertStringIncludes(html, "\u2212EUR 12.50 of pi_1");
  assertStringIncludes(html, "SPOT-0007 is not in the archive");
});

Deno.test("/operator/money adds up what was booked, account by account", async () => {
  await using site = await openAdvertiserSite();
  const { store, clock } = site.services;
  await store.transact((tx) =>
    bookEntry(tx, {
      id: "settlement:2026-11-19",
      atMs: clock.now(),
      kind: "sale",
      paymentId: "pi_1",
      movement: {
        processor_clearing: 12_100,
        spotlight_revenue: -10_000,
        vat_payable: -2_100,
      },
    })
  );
  const html = await pageOf(site);
  assertStringIncludes(html, "EUR 121.00");
  assertStringIncludes(html, "\u2212EUR 100.00");
  assertStringIncludes(html, "vat_payable");
});

Deno.test("every kind of difference is told in a sentence of its own", () => {
  const differences: Difference[] = [
    { kind: "not_booked", movementId: "m", paymentId: null, amountCents: 1 },
    { kind: "not_moved", entryId: "e", paymentId: "pi", amountCents: 1 },
    { kind: "unbalanced", entryId: "e", amountCents: 1 },
    { kind: "invoice_unknown", invoiceId: "in", number: "7" },
    {
      kind: "invoice_differs",
      invoiceId: "in",
      number: "7",
      ours: "open",
      theirs: "paid",
    },
    { kind: "number_missing", number: "7" },
    { kind: "not_archived", number: "7" },
    { kind: "number_repeated", number: "7" },
    { kind: "commission_uncounted", commissionOf: "7", id: "in" },
    { kind: "commission_not_booked", commissionOf: "7", amountCents: 1 },
    { kind: "partner_differs", partnerId: "acc", amountCents: 1 },
    { kind: "payouts_differ", partnerId: "acc", amountCents: 1 },
    { kind: "not_fully_compared", what: "commissions" },
    { kind: "not_fully_compared", what: "entries" },
    { kind: "not_fully_compared", what: "entries_of_payment" },
    { kind: "not_fully_compared", what: "invoices" },
    { kind: "not_fully_compared", what: "movements" },
    { kind: "not_fully_compared", what: "numbers" },
  ];
  const sentences = differences.map(inWords);
  assertEquals(new Set(sentences).size, differences.length);
  assert(sentences.every((sentence) => sentence.endsWith(".")));
});

Deno.test("/operator/money names a refund that failed for good, and why", async () => {
  await using site = await openAdvertiserSite();
  const failed = invoiceOf("acc_a", "SPOT-0007", {
    money: "refund_failed",
    refundTrouble: "credited_by_hand",
  });
  await saveInvoice(site.services, failed);
  const page = await pageOf(site);
  assertStringIncludes(page, "SPOT-0007");
  assertStringIncludes(page, "credited_by_hand");
});

Deno.test("/operator/money names hundreds of failed refunds, the newest first, and says where it names no more", async () => {
  await using site = await openAdvertiserSite();
  const save = async (first: number, last: number) => {
    for (let nth = first; nth <= last; nth++) {
      const number = `SPOT-1${String(nth).padStart(3, "0")}`;
      await site.services.store.transact((tx) =>
        tx.invoices.save(invoiceOf("acc_a", number, {
          money: "refund_failed",
          finalizedAtMs: nth,
        }))
      );
    }
  };
  const MORE = "There are more than are named";
  await save(1, 500);
  const whole = await pageOf(site);
  assert(!whole.includes(MORE));
  assert(whole.indexOf("SPOT-1500") < whole.indexOf("SPOT-1001"));
  await save(501, 501);
  assertStringIncludes(await pageOf(site), MORE);
});
