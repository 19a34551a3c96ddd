/**
 * The time limits of buying click figures.
 *
 * @module
 */
import { backOffMs } from "../tasks/back_off.ts";

/**
 * How long one request or sweep alone may ask the processor: longer than all
 * the calls it makes can take together.
 */
export const METRICS_LEASE_MS = 45_000;
/** How long a payment is remembered that seems to have taken no money. */
export const METRICS_REFUSED_KEPT_MS = 30 * 86_400_000;
/**
 * How long one over HTTP 402 whose token the processor does not know: longer than
 * its challenge may be used, since strangers may make up thousands of tokens.
 */
export const METRICS_MADE_UP_KEPT_MS = 15 * 60_000;
/**
 * How long after its beginning a payment that the processor has not shown may
 * still be charged; later it is only looked for.
 */
export const METRICS_CHARGE_WITHIN_MS = 50 * 60_000;
/**
 * A payment that the processor does not know this long after its beginning was
 * never made: longer than it may be charged, with room for clocks that differ.
 */
export const METRICS_UNCERTAIN_MS = 60 * 60_000;
/** How far the processor's clock may be off ours where payments are sought. */
export const METRICS_CLOCK_SKEW_MS = 5 * 60_000;
/** How long a payer who has paid may come back for the figures. */
export const METRICS_UNCLAIMED_MS = 86_400_000;
/** The sweep's longest wait: for a payer, or with giving back that often failed. */
export const METRICS_PAUSE_MAX_MS = METRICS_UNCLAIMED_MS;
/** How long one answer may take to be handed to the network. */
export const METRICS_HAND_OVER_MS = 5_000;
/** Longest shared payment token that is taken, characters. */
export const METRICS_TOKEN_MAX = 200;

/** Between two attempts of the sweep. */
const SWEEP_PAUSES = { firstMs: 60_000, maxMs: 15 * 60_000 };

/** Refund attempts before an operator is alerted; from then on one a day. */
const REFUND_SWEEPS_MAX = 100;
const REFUND_LATE_PAUSE_MS = METRICS_PAUSE_MAX_MS;

/** Whether giving back has been tried so often that a person has to look. */
export function isRefundLate(sweeps: number): boolean {
  return sweeps >= REFUND_SWEEPS_MAX;
}

/** How long the sweep waits after so many attempts to give back. */
export function refundPauseMs(sweeps: number): number {
  return isRefundLate(sweeps) ? REFUND_LATE_PAUSE_MS : sweepPauseMs(sweeps);
}

/** How long the sweep waits after so many attempts. */
export function sweepPauseMs(sweeps: number): number {
  return sweeps === 0 ? 0 : backOffMs(sweeps, SWEEP_PAUSES);
}
