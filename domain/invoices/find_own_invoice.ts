import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Invoice } from "./invoice.ts";

/** What numbers are made of; the processor's own are letters and digits. */
const NUMBER = /^[\x21-\x7e]{1,64}$/;

/** Whose invoice is wanted, by its number. */
export interface FindOwnInvoice {
  accountId: string;
  number: string;
}

/**
 * One of an account's own invoices.
 *
 * @throws {Refused} `not_found`; another account's is as good as none
 */
export async function findOwnInvoice(
  { store }: Pick<Services, "store">,
  { accountId, number }: FindOwnInvoice,
): Promise<Invoice> {
  if (!NUMBER.test(number)) refuseUnknown("invoice", number);
  const found = await store.invoiceNumbers.find(number);
  const invoice = found && await store.invoices.find(found.invoiceId);
  if (invoice?.accountId !== accountId) refuseUnknown("invoice", number);
  return invoice;
}

/** Ends the request for a document that is not there, or not one's own. */
export function refuseUnknown(what: string, number: string): never {
  const name = JSON.stringify(number.slice(0, 64));
  refuse({ code: "not_found", message: `Cannot find ${what} ${name}` });
}
