import { startTimer } from "../../adapters/time/system_time.ts";
import { TemporaryFailure } from "../../domain/failure.ts";

/** Longest time of a call where nothing else is said; a store's is shorter. */
export const CALL_MS = 20_000;

/** The call took too long; what it did is not known. */
class CallTimedOut extends TemporaryFailure {
  override readonly name = "CallTimedOut";
}

/**
 * Runs something that has a longest time. It is told by the signal, which also
 * tells that the caller has gone, and is not waited for.
 *
 * @throws {CallTimedOut} when the time is over
 */
export async function within<T>(
  ms: number,
  callerSignal: AbortSignal,
  run: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  // `AbortSignal.any` would do the same for a fifth of a whole call's time.
  const over = new AbortController();
  const gone = () => over.abort(callerSignal.reason);
  if (callerSignal.aborted) gone();
  callerSignal.addEventListener("abort", gone, { once: true });
  const timedOut = Promise.withResolvers<never>();
  const callOff = startTimer(() => {
    const failure = new CallTimedOut(`No answer within ${ms} ms`);
    over.abort(failure);
    timedOut.reject(failure);
  }, ms);
  try {
    return await Promise.race([run(over.signal), timedOut.promise]);
  } finally {
    callOff();
    callerSignal.removeEventListener("abort", gone);
  }
}
