import { everyRecord } from "../every_record.ts";
import type { Services } from "../ports.ts";
import type { Invoice } from "./invoice.ts";

/** The invoices of an account, the newest first. */
export function everyInvoice(
  { store }: Pick<Services, "store">,
  accountId: string,
): AsyncGenerator<Invoice> {
  return everyRecord((before, limit) =>
    store.listInvoices(accountId, { limit, before, reverse: true })
  );
}
