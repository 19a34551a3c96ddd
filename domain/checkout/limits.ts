/**
 * The limits of agentic checkout, times in ms.
 *
 * @module
 */

/** A session can be paid for an hour after it was made. */
export const CHECKOUT_OPEN_MS = 3_600_000;
/**
 * How long a session without money is kept after its last change: as long as
 * the answers to its requests, so that a replay never names one that is gone.
 */
export const CHECKOUT_KEPT_MS = 30 * 86_400_000;
/** Payments that may be tried for one session. */
export const CHECKOUT_ATTEMPTS_MAX = 20;
/** When to ask again whether a payment that is under way has ended. */
export const CHECKOUT_RETRY_S = 2;
