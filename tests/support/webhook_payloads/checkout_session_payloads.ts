import { ENVELOPE, type Payloads } from "./envelope.ts";
import { endedPage } from "./checkout_session_object.ts";

/** Every event of a page for a card, in full. */
export function pagePayloads(
  id: string,
): Payloads<`checkout.session.${string}`> {
  return {
    "checkout.session.async_payment_failed": {
      ...ENVELOPE,
      type: "checkout.session.async_payment_failed",
      data: { object: endedPage(id, "complete") },
    },
    "checkout.session.async_payment_succeeded": {
      ...ENVELOPE,
      type: "checkout.session.async_payment_succeeded",
      data: { object: endedPage(id, "complete") },
    },
    "checkout.session.completed": {
      ...ENVELOPE,
      type: "checkout.session.completed",
      data: { object: endedPage(id, "complete") },
    },
    "checkout.session.expired": {
      ...ENVELOPE,
      type: "checkout.session.expired",
      data: { object: endedPage(id, "expired") },
    },
  };
}
