import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import {
  commissionBaseCents,
  commissionCents,
  commissionDueAtMs,
} from "../../../domain/partners/commission.ts";
import { invoiceOf } from "../../support/invoices.ts";

const paid = invoiceOf("acc_1", "SPOT-1");

Deno.test("commissionCents() is 10 % of the net amount, rounded down to the cent", () => {
  assertEquals(commissionBaseCents(paid), 10_000);
  assertEquals(commissionCents(10_000), 1_000);
  for (
    const [base, cents] of [[0, 0], [9, 0], [10, 1], [19, 1], [99_999, 9_999]]
  ) {
    assertEquals(commissionCents(base ?? 0), cents);
  }
});

const WITHOUT: [what: string, changes: Partial<Invoice>][] = [
  ["is not paid", { money: "none", wasSold: false }],
  ["was paid for nothing", { money: "unearned", wasSold: false }],
  ["was paid for nothing, lost, and won on appeal", { wasSold: false }],
  ["is being given back", { money: "refunding" }],
  ["could not be given back yet", { money: "refund_failed" }],
  ["went back", {
    money: "refunded",
    refunds: [{ id: "re_1", amountCents: 12_100 }],
  }],
  ["a bank holds", { disputedCents: 12_100 }],
  ["a bank took", { money: "written_off", lostCents: 12_100 }],
];

for (const [what, changes] of WITHOUT) {
  Deno.test(`commissionBaseCents() is nothing of an invoice whose money ${what}`, () => {
    const invoice = invoiceOf("acc_1", "SPOT-1", changes);
    assertEquals(commissionBaseCents(invoice), 0);
  });
}

Deno.test("commissionBaseCents() is the net of what is left of an invoice", () => {
  const refunds = [{ id: "re_1", amountCents: 6_050 }];
  assertEquals(commissionBaseCents({ ...paid, refunds }), 5_000);
  const parts = { ...paid, refunds, disputedCents: 3_025 };
  assertEquals(commissionBaseCents(parts), 2_500);
});

Deno.test("commissionBaseCents() never exceeds the net amount, whatever went back", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 100_000_000 }),
    fc.integer({ min: 0, max: 99 }),
    fc.array(fc.integer({ min: 1, max: 50_000_000 }), { maxLength: 3 }),
    fc.integer({ min: 0, max: 50_000_000 }),
    (totalCents, percent, back, disputedCents) => {
      const taxCents = Math.floor(totalCents * percent / 100);
      const refunds = back.map((amountCents, nth) => ({
        id: `re_${nth}`,
        amountCents,
      }));
      const invoice = invoiceOf("acc_1", "SPOT-1", {
        totalCents,
        taxCents,
        refunds,
        disputedCents,
      });
      const base = commissionBaseCents(invoice);
      return Number.isSafeInteger(base) && base >= 0 &&
        base <= totalCents - taxCents;
    },
  ));
});

Deno.test("commissionDueAtMs() is set by whatever changes the money of a referred advertiser's invoice, and by nothing else", () => {
  assertEquals(commissionDueAtMs(paid), null);
  const fresh = {
    ...paid,
    commission: { partnerId: "acc_2", countedCents: 0 },
  };
  assertEquals(commissionDueAtMs(fresh), paid.finalizedAtMs);
  const counted = {
    ...paid,
    commission: { partnerId: "acc_2", countedCents: 10_000 },
  };
  assertEquals(commissionDueAtMs(counted), null);
  assertEquals(commissionDueAtMs({ ...counted, attempts: 3 }), null);
  const refunding = { ...counted, money: "refunding" as const };
  assertEquals(commissionDueAtMs(refunding), paid.finalizedAtMs);
  const disputed = { ...counted, disputedCents: 1 };
  assertEquals(commissionDueAtMs(disputed), paid.finalizedAtMs);
});
