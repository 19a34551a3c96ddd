import Stripe from "stripe";
import { ProcessorBusy, ProcessorUncertain } from "../../domain/failure.ts";
import type { Outcome } from "../../domain/payments/outcome.ts";

/**
 * Runs one SDK call. A card error or an invalid request is a definite no; all
 * else (time-out, lost connection, 5xx, 409, 429, idempotency or
 * authentication trouble) leaves the outcome open.
 *
 * @param read makes what was answered the domain's; what it can't read leaves
 * the outcome open too
 * @throws {ProcessorBusy} when it is asked too much
 * @throws {ProcessorUncertain} when nobody knows whether the call took effect
 */
export async function outcomeOf<Answer, T = Answer>(
  call: () => Promise<Answer>,
  read: (answer: Answer) => T = (answer) => answer as unknown as T,
): Promise<Outcome<T>> {
  try {
    return { ok: true, value: read(await withoutStack(call)) };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && isDefinite(error)) {
      return { ok: false, code: codeOf(error), message: error.message };
    }
    if (error instanceof ProcessorUncertain) throw error;
    if (error instanceof Stripe.errors.StripeError && isRateLimit(error)) {
      throw new ProcessorBusy("The processor takes no more calls now", {
        cause: error,
      });
    }
    throw new ProcessorUncertain("Cannot tell what the processor did", {
      cause: error,
    });
  }
}

/**
 * Begins a call without the stack that the SDK writes down in case it fails:
 * that takes as long as a commit, and no log has it.
 */
function withoutStack<T>(call: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * What the refusal is called, as exactly as the processor says: the SDK leaves
 * what it was not told empty.
 */
export function codeOf(
  error: {
    decline_code?: string;
    code?: string;
    rawType?: string;
    type: string;
  },
): string {
  return error.decline_code || error.code || error.rawType || error.type;
}

function isDefinite(error: Stripe.errors.StripeError): boolean {
  if (error instanceof Stripe.errors.StripeCardError) return true;
  // A card that was declined too often is refused with 429.
  if (error.rawType === "card_error") return true;
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return false;
  // 409 is a lock or a call in flight, 429 a limit: both may still succeed.
  return error.statusCode !== 409 && error.statusCode !== 429;
}

/**
 * Whether all our calls together are too many. What is asked too often of one
 * object or card, which somebody may bring about for their own, is none of it.
 */
function isRateLimit({ code }: Stripe.errors.StripeError): boolean {
  return code === "rate_limit";
}
