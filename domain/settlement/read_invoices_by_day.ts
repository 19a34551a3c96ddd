import { addDays, type Day, dayOf } from "../day.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { readUnderSeal } from "./under_seal.ts";

/** Days that are read for one page, whether they have such invoices or not. */
const DAYS_READ = 62;

/** Invoices as operators look for them; null for any. */
export interface InvoiceFilter {
  /** The first and the last day that were sold. */
  from: Day | null;
  until: Day | null;
  isWanted(invoice: Invoice): boolean;
}

/** Part of the invoices, of the newest day first. */
export interface InvoicesPage {
  invoices: readonly Invoice[];
  /** The last day that was read; null where none is left. */
  next: Day | null;
}

/**
 * Reads invoices by the days that they are for: each has its place in the
 * settlement of its day. A page has all of a day, may be short, or empty, and
 * still have a next one: what is read for it is bounded. Those of a day that has
 * not settled are left out: they tell its bids.
 */
export async function readInvoicesByDay(
  { store, clock }: Pick<Services, "store" | "clock">,
  { from, until, isWanted }: InvoiceFilter,
  limit: number,
): Promise<InvoicesPage> {
  const today = dayOf(clock.now());
  const launch = (await store.calendar.find())?.launchDay ?? today;
  const oldest = from === null || from < launch ? launch : from;
  const newest = until === null || until > today ? today : until;
  const sealed = await readUnderSeal({ store });
  const days = Array.from(
    { length: DAYS_READ },
    (_, nth) => addDays(newest, -nth),
  ).filter((day) => day >= oldest);
  const settlements = await readAll(
    store,
    days.map((day) => store.settlements.ref(day)),
  );
  const found: Invoice[] = [];
  for (const [nth, day] of days.entries()) {
    const { candidates = [] } = sealed.days.has(day)
      ? {}
      : settlements[nth] ?? {};
    const ids = candidates
      .flatMap(({ invoiceId }) => invoiceId === null ? [] : [invoiceId]);
    const rows = await readAll(store, ids.map((id) => store.invoices.ref(id)));
    found.push(
      ...rows.filter((row) => row !== null && isWanted(row)) as Invoice[],
    );
    const isMore = day > oldest;
    if (found.length >= limit) {
      return { invoices: found, next: isMore ? addDays(day, -1) : null };
    }
  }
  const last = days.at(-1);
  const isMore = last !== undefined && last > oldest;
  return { invoices: found, next: isMore ? addDays(last, -1) : null };
}
