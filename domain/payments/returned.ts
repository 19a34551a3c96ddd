import type { ProcessorRefund } from "./processor_credit_notes.ts";

/** What went back of one payment, and what a bank keeps of it. Cents. */
export interface Returned {
  /** The refunds that are booked, whoever made them. */
  refunds: readonly ProcessorRefund[];
  /** Ids of refunds that came back; absent for none. */
  failedRefunds?: readonly string[];
  /** What the bank holds while a dispute is open. */
  disputedCents: number;
  /** What disputes took for good. */
  lostCents: number;
}

/** Of a payment of which nothing went back. */
export const NOTHING_RETURNED: Returned = {
  refunds: [],
  disputedCents: 0,
  lostCents: 0,
};

/** What was given back, whoever did. */
export function refundedCents({ refunds }: Pick<Returned, "refunds">): number {
  return refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** What neither we nor a bank has given back for good. */
export function keptOf(
  takenCents: number,
  returned: Pick<Returned, "refunds" | "lostCents">,
): number {
  const { lostCents } = returned;
  return Math.max(0, takenCents - refundedCents(returned) - lostCents);
}

/**
 * What the processor still holds for us. Rows of purchases whose dispute once
 * ended without having begun in them say that a bank holds less than nothing.
 */
export function heldOf(takenCents: number, returned: Returned): number {
  const disputedCents = Math.max(0, returned.disputedCents);
  return Math.max(0, keptOf(takenCents, returned) - disputedCents);
}

/** By how much a bank holds more, and took more for good, than before; cents. */
export type Withholding = Pick<Returned, "disputedCents" | "lostCents">;

/** The same once a dispute has moved. */
export function withWithheld<R extends Returned>(
  before: R,
  { disputedCents, lostCents }: Withholding,
): R {
  return {
    ...before,
    disputedCents: before.disputedCents + disputedCents,
    lostCents: before.lostCents + lostCents,
  };
}

/**
 * The refunds among those found that are not booked yet. One that came back is
 * booked both ways: what was found may be older than that.
 */
export function unbookedRefunds(
  { refunds, failedRefunds = [] }: Pick<Returned, "refunds" | "failedRefunds">,
  found: readonly ProcessorRefund[],
): ProcessorRefund[] {
  const booked = new Set([...refunds.map(({ id }) => id), ...failedRefunds]);
  return found.filter(({ id }) => !booked.has(id));
}
