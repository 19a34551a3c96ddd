/**
 * The time limits of buying click figures.
 *
 * @module
 */

/**
 * How long one request or sweep alone may ask the processor: longer than all
 * the calls it makes can take together.
 */
export const METRICS_LEASE_MS = 45_000;
/** How long a payment that took no money is remembered. */
export const METRICS_REFUSED_KEPT_MS = 30 * 86_400_000;
