import type { Account } from "../accounts/account.ts";
import { canonicalJson } from "../idempotency/canonical_json.ts";
import { sha256Hex } from "../sha256.ts";
import type { Table } from "../tables.ts";
import { invoiceVatOf } from "../tax/invoice_vat.ts";
import type { Seller } from "../invoices/seller.ts";
import type { CustomerDetails } from "./processor.ts";

/**
 * That the processor has to be told of a company, written in the commit that
 * saves it. There is one an account, kept for the next change.
 */
export interface CustomerTask {
  accountId: string;
  state: "waiting" | "done";
  /** Counts the changes: part of the idempotency keys. */
  version: number;
  /** Not tried before this moment. */
  dueAtMs: number;
  /** Attempts that failed since it began to wait: part of the idempotency keys. */
  failures: number;
}

/** Writes in the caller's own commit that the processor is to be told. */
export async function queueCustomer(
  tx: { customerTasks: Table<CustomerTask, [accountId: string]> },
  accountId: string,
  nowMs: number,
): Promise<void> {
  const before = await tx.customerTasks.find(accountId);
  tx.customerTasks.save({
    accountId,
    state: "waiting",
    version: (before?.version ?? 0) + 1,
    dueAtMs: nowMs,
    failures: 0,
  });
}

/** When the processor is told next; null while there is nothing to tell. */
export function customerDueAtMs(
  { state, dueAtMs }: CustomerTask,
): number | null {
  return state === "waiting" ? dueAtMs : null;
}

/** What the processor is told of an account; null before onboarding. */
export function customerDetails(
  account: Account,
  { seller }: { seller: Seller },
): CustomerDetails | null {
  const { company } = account;
  if (company === null) return null;
  const { name, country, vatId, address } = company;
  const { treatment } = invoiceVatOf(account, seller.country);
  return {
    accountId: account.id,
    email: account.email,
    name,
    country,
    ...address,
    vatId,
    // Companies of other member states with a valid VAT id (contract §2.5).
    reverseCharge: treatment === "reverse_charge",
  };
}

/** Names what the processor is told, for its idempotency keys. */
export function digestOf(details: CustomerDetails): string {
  const text = canonicalJson({ ...details });
  return sha256Hex(text);
}
