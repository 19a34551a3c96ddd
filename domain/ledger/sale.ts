import { invariant } from "../invariant.ts";
import type { LedgerAccount, Movement } from "./entry.ts";

/** The accounts of what is sold. */
export type Revenue = Extract<
  LedgerAccount,
  "spotlight_revenue" | "metrics_revenue"
>;

/**
 * A sale whose money the processor took: the VAT contained in the price is not
 * ours. Amounts are cents.
 */
export function saleMovement(
  revenue: Revenue,
  { grossCents, vatCents }: { grossCents: number; vatCents: number },
): Movement {
  invariant(
    vatCents >= 0 && vatCents < grossCents,
    "the VAT is contained in the price",
  );
  return {
    processor_clearing: grossCents,
    [revenue]: vatCents - grossCents,
    vat_payable: -vatCents,
  };
}

/** Money that came though nothing was sold for it: it goes back. */
export function unearnedMovement(grossCents: number): Movement {
  return { processor_clearing: grossCents, refunds_due: -grossCents };
}
