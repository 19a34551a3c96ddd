import type { Day } from "../day.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";

/** Days that are looked at: more can't be unsettled but in an outage of a year. */
const DAYS_MAX = 400;
/** Entries of one payment. */
const ENTRIES_MAX = 1_000;

/** What nobody but its owner is shown, operators neither (contract §2.3). */
export interface UnderSeal {
  /** Days whose settlement has begun and not ended. */
  days: ReadonlySet<Day>;
  /** Payments for bids on them, of those that were passed over, too. */
  paymentIds: ReadonlySet<string>;
}

/**
 * Reads what is still sealed: the invoices of a day, and what was booked of
 * them, tell its bidders and their amounts before it has settled.
 */
export async function readUnderSeal(
  { store }: Pick<Services, "store">,
): Promise<UnderSeal> {
  const open = await store.listOpenSettlements({ limit: DAYS_MAX });
  const invoices = await readAll(
    store,
    open.flatMap(({ candidates }) => candidates)
      .flatMap(({ invoiceId }) =>
        invoiceId === null ? [] : [store.invoices.ref(invoiceId)]
      ),
  );
  return {
    days: new Set(open.map(({ day }) => day)),
    paymentIds: new Set(
      invoices.flatMap((invoice) => invoice?.paymentId ?? []),
    ),
  };
}

/** All that was booked of sealed payments. */
export async function sealedEntries(
  { store }: Pick<Services, "store">,
): Promise<LedgerEntry[]> {
  const { paymentIds } = await readUnderSeal({ store });
  const found: LedgerEntry[] = [];
  for (const paymentId of paymentIds) {
    const limit = ENTRIES_MAX;
    found.push(...await store.listLedgerOfPayment(paymentId, { limit }));
  }
  return found;
}

/** The entries that may be shown. */
export function unsealedEntries(
  { paymentIds }: UnderSeal,
  entries: readonly LedgerEntry[],
): LedgerEntry[] {
  return entries.filter(({ paymentId }) => !paymentIds.has(paymentId ?? ""));
}
