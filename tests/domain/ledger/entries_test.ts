import { assertEquals } from "@std/assert";
import { completedEntry } from "../../../domain/ledger/completed_entry.ts";
import { saleMovement, unearnedMovement } from "../../../domain/ledger/sale.ts";

Deno.test("a sale books the price as money, the VAT as owed and the rest as revenue", () => {
  const movement = saleMovement("spotlight_revenue", {
    grossCents: 12_100,
    vatCents: 2_100,
  });
  assertEquals(movement, {
    processor_clearing: 12_100,
    spotlight_revenue: -10_000,
    vat_payable: -2_100,
  });
  assertEquals(unearnedMovement(12_100), {
    processor_clearing: 12_100,
    refunds_due: -12_100,
  });
});

Deno.test("an entry of before payments were named is a sale without one, and any other is as it was written", () => {
  const old = { id: "settlement:2026-11-20", atMs: 5, reason: "", lines: [] };
  assertEquals(completedEntry(old), { ...old, kind: "sale", paymentId: null });
  const written = { ...old, kind: "refund", paymentId: "pi_1" } as const;
  assertEquals(completedEntry(written), written);
  assertEquals(completedEntry(written) === written, true);
});
