/**
 * Failures of what the service stands on. All are answered 503: the caller may
 * repeat the same request with the same Idempotency-Key.
 *
 * @module
 */

/** A failure that a later attempt may not meet. */
export abstract class TemporaryFailure extends Error {
  /** Seconds after which a repeat is worth while. */
  readonly retryAfterS: number = 1;
  /** Nothing is out of order, so nobody but the caller has to know. */
  readonly isOrdinary: boolean = false;
  /** What the caller may be told of it; null for what any failure is told. */
  readonly detail: string | null = null;
}

/** The transaction lost every race it was allowed. Nothing was written. */
export class Contention extends TemporaryFailure {
  override readonly name = "Contention";
}

/** The store did not answer in time, or not at all. Nothing was written. */
export class StoreUnavailable extends TemporaryFailure {
  override readonly name = "StoreUnavailable";
}

/**
 * A commit was sent and its outcome is not known. It is never run again by the
 * service; the caller's repeat finds the idempotency record if it had applied.
 */
export class OutcomeUnknown extends TemporaryFailure {
  override readonly name = "OutcomeUnknown";
}

/** The payment processor did not give a definite answer. */
export class ProcessorUncertain extends TemporaryFailure {
  override readonly name: string = "ProcessorUncertain";
}

/** The payment processor takes no more calls of ours now: nothing was done. */
export class ProcessorBusy extends ProcessorUncertain {
  override readonly name = "ProcessorBusy";
}

/** All payments over HTTP 402 together may ask it no more now: nothing was done. */
export class TooManyPayments extends TemporaryFailure {
  override readonly name = "TooManyPayments";
  override readonly isOrdinary = true;
  override readonly detail =
    "too many payments are being presented, nothing was charged";
}

/**
 * Nothing was asked of the outside: the store was restored from a backup, and no
 * operator has released it yet. Whatever deals with an uncertain processor does
 * the right thing with it too: it decides nothing and asks again later.
 */
export class StoreOnHold extends ProcessorUncertain {
  override readonly name = "StoreOnHold";
  override readonly retryAfterS = 300;
  override readonly isOrdinary = true;
  override readonly detail =
    "the service was restored from a backup and is on hold until an " +
    "operator releases it, nothing was charged or changed";

  constructor() {
    super("The store is on hold");
  }
}

/** The payment processor refused what it has no reason to refuse. */
export class ProcessorRefused extends TemporaryFailure {
  override readonly name = "ProcessorRefused";
  override readonly retryAfterS = 60;
}

/** What the log is told of something thrown: its words may hold anything. */
export function nameOfThrown(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : "unknown";
}
