import type { Services } from "../ports.ts";
import type { Invoice, InvoicePlace } from "./invoice.ts";
import { type InvoiceStatus, invoiceStatus } from "./invoice_status.ts";

/** Which of an account's invoices are wanted. */
export interface InvoiceFilter {
  /** Made final from then on, epoch ms; null for all. */
  fromMs: number | null;
  /** Made final before then; null for all. */
  untilMs: number | null;
  status: InvoiceStatus | null;
}

/** Invoices that are read at once, and the most that one part looks at. */
const AT_ONCE = 100;
const LOOKED_AT_MAX = 2_000;

/**
 * The same as `listOwnInvoices()`, but only those that are wanted. It looks at
 * 2,000 of the time that is asked for, which is more than five years of days.
 */
export async function filterOwnInvoices(
  { store }: Pick<Services, "store">,
  { accountId, filter, limit, before }: {
    accountId: string;
    filter: InvoiceFilter;
    limit: number;
    /** Where the part before this one ended; null for the first. */
    before: InvoicePlace | null;
  },
): Promise<Invoice[]> {
  const { fromMs, untilMs, status } = filter;
  const wanted: Invoice[] = [];
  let place = earlierOf(before, untilMs);
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += AT_ONCE) {
    const part = { limit: AT_ONCE, before: place, reverse: true };
    const found = await store.listInvoices(accountId, part);
    const inTime = found.filter(({ finalizedAtMs }) =>
      fromMs === null || finalizedAtMs >= fromMs
    );
    wanted.push(
      ...inTime.filter((one) =>
        status === null || invoiceStatus(one) === status
      ),
    );
    const isAll = inTime.length < AT_ONCE;
    if (isAll || wanted.length >= limit) break;
    place = found.at(-1) ?? null;
  }
  return wanted.slice(0, limit);
}

/** Where the list begins: at the end of the time, or further on. */
function earlierOf(
  before: InvoicePlace | null,
  untilMs: number | null,
): InvoicePlace | null {
  if (untilMs === null) return before;
  if (before !== null && before.finalizedAtMs < untilMs) return before;
  return { finalizedAtMs: untilMs, id: "" };
}
