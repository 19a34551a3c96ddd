import type { Day } from "../../../domain/day.ts";
import { isoTime, parseDay } from "../../../domain/day.ts";
import {
  LEDGER_ACCOUNTS,
  type LedgerEntry,
} from "../../../domain/ledger/entry.ts";
import type { Services } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import type { MonthBooks } from "../../../domain/reconciliation/read_month_books.ts";
import { type CsvField, csvOf } from "../../http/csv.ts";

/** An entry of the books, with what it is of. */
export interface EntryView {
  entry: LedgerEntry;
  /** The day that was sold; null for anything else. */
  day: Day | null;
  /** The number of the invoice whose payment moved; null for none. */
  invoice: string | null;
}

/** Looks up what each entry is of. */
export async function entryViews(
  { store }: Pick<Services, "store">,
  entries: readonly LedgerEntry[],
): Promise<EntryView[]> {
  const places = await readAll(
    store,
    entries.map(({ paymentId }) => store.paymentInvoices.ref(paymentId ?? "")),
  );
  const invoices = await readAll(
    store,
    places.map((place) => store.invoices.ref(place?.invoiceId ?? "")),
  );
  return entries.map((entry, nth) => ({
    entry,
    day: invoices[nth]?.day ?? dayIn(entry.id) ?? dayIn(entry.reason),
    invoice: invoices[nth]?.number ?? null,
  }));
}

/** The day that an entry's id or reason names. */
function dayIn(text: string): Day | null {
  const [found = ""] = /\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  return parseDay(found);
}

/**
 * The books of a month for a bookkeeper: each line of each entry a row, between
 * what every account held before and after. Debits are positive; the amounts of
 * each entry, of the opening and of the closing rows sum to zero.
 */
export function booksCsv(
  { month, opening, closing }: MonthBooks,
  views: readonly EntryView[],
): string {
  const balances = (kind: string, of: MonthBooks["opening"]): CsvField[][] =>
    LEDGER_ACCOUNTS.map((account) => [
      month,
      kind,
      null,
      null,
      null,
      null,
      account,
      inEuros(of[account] ?? 0),
      "EUR",
    ]);
  const lines = views.flatMap(({ entry, day, invoice }) =>
    entry.lines.map(({ account, amountCents }): CsvField[] => [
      isoTime(entry.atMs),
      entry.kind,
      entry.id,
      day,
      invoice,
      entry.paymentId,
      account,
      inEuros(amountCents),
      "EUR",
    ])
  );
  return csvOf([
    [
      "at",
      "kind",
      "entry",
      "day",
      "invoice",
      "payment",
      "account",
      "amount",
      "currency",
    ],
    ...balances("opening", opening),
    ...lines,
    ...balances("closing", closing),
  ]);
}

/** Euros and cents as programs read them; a number, so no formula. */
function inEuros(cents: number): number {
  return cents / 100;
}
