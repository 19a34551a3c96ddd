import type { Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Who holds a verified VAT id. */
export interface VatHolder {
  vatId: string;
  accountId: string;
}

/**
 * Stops when another account holds the verified VAT id: a company has one
 * account (contract §2.2). The look-up is a check of the commit, so of two
 * accounts that are verified at once one is refused.
 *
 * @throws {Refused} `vat_id_taken`
 */
export async function checkVatIdFree(
  tx: Pick<Transaction, "vatHolders">,
  { vatId, accountId }: VatHolder,
): Promise<void> {
  const holder = await tx.vatHolders.find(vatId);
  if (holder !== null && holder.accountId !== accountId) {
    refuse({ code: "vat_id_taken" });
  }
}
