import type { PaymentMethod } from "../accounts/account.ts";
import type { ProcessorCard } from "../payments/processor_cards.ts";
import { CARDS_MAX, isUsable } from "./card.ts";

/** Rows that one commit looks at again, beside account and state. */
const ROWS_A_COMMIT = 6;

/** How our rows differ from what the processor has. */
export interface SyncPlan {
  /** Newest first, as many as there is room for. */
  added: readonly ProcessorCard[];
  /** What it says anew of cards that we have. */
  changed: readonly ProcessorCard[];
  /** Ours that it no longer has. */
  gone: readonly PaymentMethod[];
  /** Cards for which there is no room: they stay at the processor, unused. */
  leftOut: boolean;
  /** There is more than one commit takes. */
  hasMore: boolean;
}

/**
 * Compares our rows with the whole of the processor's list.
 *
 * @param unknown the listed cards that may be taken over: we never had them
 */
export function planSync(
  rows: readonly PaymentMethod[],
  listed: readonly ProcessorCard[],
  unknown: readonly ProcessorCard[],
): SyncPlan {
  const usable = rows.filter(isUsable);
  const there = new Map(listed.map((card) => [card.id, card]));
  const gone = usable.filter(({ id }) => !there.has(id));
  const changed = usable.flatMap((row) => {
    const card = there.get(row.id);
    return card !== undefined && differs(row, card) ? [card] : [];
  });
  const room = Math.max(0, CARDS_MAX - usable.length + gone.length);
  const someGone = gone.slice(0, ROWS_A_COMMIT);
  return {
    added: unknown.slice(0, room),
    leftOut: unknown.length > room,
    changed: changed.slice(0, ROWS_A_COMMIT - someGone.length),
    gone: someGone,
    hasMore: gone.length + changed.length > ROWS_A_COMMIT,
  };
}

/** Our row with what the processor says of the card now. */
export function withDetails(
  row: PaymentMethod,
  card: ProcessorCard,
): PaymentMethod {
  const { warnedDays, ...rest } = { ...row, ...detailsOf(card) };
  const isRenewed = row.expYear !== card.expYear ||
    row.expMonth !== card.expMonth;
  // A renewed card expires later, and is warned of anew.
  return isRenewed || warnedDays === undefined ? rest : { ...rest, warnedDays };
}

/** What is kept of a card. */
export function detailsOf(
  card: ProcessorCard,
): Omit<PaymentMethod, "accountId" | "createdAtMs"> {
  const { id, brand, last4, expMonth, expYear, fingerprint } = card;
  return { id, brand, last4, expMonth, expYear, fingerprint };
}

function differs(row: PaymentMethod, card: ProcessorCard): boolean {
  return row.brand !== card.brand || row.last4 !== card.last4 ||
    row.expMonth !== card.expMonth || row.expYear !== card.expYear ||
    (row.fingerprint ?? null) !== card.fingerprint;
}
