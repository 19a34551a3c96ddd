import {
  completedInvoice,
  type InvoiceAsWritten,
} from "../domain/invoices/completed_invoice.ts";
import { keys } from "./keys.ts";

const [INVOICES] = keys.invoice("");

/**
 * A row as this version knows its family: rows that an earlier one wrote, which
 * a backup may bring back, lack what was added since.
 */
export function upgradedRow(key: Deno.KvKey, value: unknown): unknown {
  if (value === null || key[0] !== INVOICES) return value;
  return completedInvoice(value as InvoiceAsWritten);
}
