import Stripe from "stripe";
import { ACCOUNT_GONE } from "../../domain/payments/processor_partners.ts";
import type { Log } from "../../domain/ports.ts";

/**
 * A processor that tells operators when it does not take our key: a call of it
 * stays open, as anything else that was not answered, but no trying again mends
 * a key that was rolled, or that lacks a permission.
 */
export function withToldRefusals<Port extends object>(
  port: Port,
  log: Pick<Log, "error">,
): Port {
  return new Proxy(port, {
    get(of, name) {
      const call: unknown = Reflect.get(of, name);
      if (typeof call !== "function" || typeof name !== "string") return call;
      return async (...args: unknown[]) => {
        try {
          return await call.apply(of, args);
        } catch (error) {
          const code = refusalOf(error);
          if (code !== null) {
            log.error("processor.refused", { call: name, code });
          }
          throw error;
        }
      };
    },
  });
}

/** What the processor calls its no to our key; null where it said no such thing. */
function refusalOf(thrown: unknown): string | null {
  const { cause } = thrown instanceof Error ? thrown : {};
  const isOfKey = cause instanceof Stripe.errors.StripeAuthenticationError ||
    cause instanceof Stripe.errors.StripePermissionError;
  if (!isOfKey) return null;
  // It is one partner's account that was closed, not our key.
  if (cause.code !== undefined && ACCOUNT_GONE.includes(cause.code)) {
    return null;
  }
  return cause.code || cause.type;
}
