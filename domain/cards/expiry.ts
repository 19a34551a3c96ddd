import type { PaymentMethod } from "../accounts/account.ts";
import { DAY_MS } from "../day.ts";

/** Days before the end of its month at which a card's owner is warned. */
const WARNED_DAYS = [30, 7] as const;

/** When the card's last month has ended, UTC, epoch ms. */
export function cardEndsAtMs(
  { expYear, expMonth }: Pick<PaymentMethod, "expYear" | "expMonth">,
): number {
  // Months are counted from 0, so that this is the first of the next one.
  return Date.UTC(expYear, expMonth, 1);
}

/** Whether the card's last month has ended. */
export function isExpired(
  card: Pick<PaymentMethod, "expYear" | "expMonth">,
  nowMs: number,
): boolean {
  return nowMs >= cardEndsAtMs(card);
}

/** When the card's next warning is due; null when there is none to come. */
export function nextWarningMs(card: PaymentMethod): number | null {
  const [first, last] = WARNED_DAYS;
  if (card.warnedDays === last) return null;
  const days = card.warnedDays === first ? last : first;
  return cardEndsAtMs(card) - days * DAY_MS;
}

/**
 * The warning that is due now. Of two that were missed only the later one is
 * sent, and none once the card has expired.
 */
export function dueWarning(
  card: PaymentMethod,
  nowMs: number,
): typeof WARNED_DAYS[number] | null {
  const endsAtMs = cardEndsAtMs(card);
  if (nowMs >= endsAtMs) return null;
  const days = WARNED_DAYS.findLast((each) =>
    nowMs >= endsAtMs - each * DAY_MS
  );
  if (days === undefined) return null;
  const sent = card.warnedDays ?? Infinity;
  return days < sent ? days : null;
}
