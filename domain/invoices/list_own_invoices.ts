import type { Services } from "../ports.ts";
import type { Invoice, InvoicePlace } from "./invoice.ts";

/** Which part of an account's invoices is wanted. */
export interface ListOwnInvoices {
  accountId: string;
  limit: number;
  /** Where the part before this one ended; null for the first. */
  before: InvoicePlace | null;
}

/**
 * An account's own invoices, newest first. A part begins where the one before
 * ended, whatever was made final meanwhile: nothing comes twice, nothing is
 * left out.
 */
export function listOwnInvoices(
  { store }: Pick<Services, "store">,
  { accountId, limit, before }: ListOwnInvoices,
): Promise<Invoice[]> {
  return store.listInvoices(accountId, { limit, before, reverse: true });
}
