import { type Payloads, told } from "./envelope.ts";
import { endedPage } from "./checkout_session_object.ts";

/** Every event of a page for a card, in full. */
export function pagePayloads(
  id: string,
): Payloads<`checkout.session.${string}`> {
  return {
    "checkout.session.async_payment_failed": {
      ...told(endedPage(id, "complete")),
      type: "checkout.session.async_payment_failed",
    },
    "checkout.session.async_payment_succeeded": {
      ...told(endedPage(id, "complete")),
      type: "checkout.session.async_payment_succeeded",
    },
    "checkout.session.completed": {
      ...told(endedPage(id, "complete")),
      type: "checkout.session.completed",
    },
    "checkout.session.expired": {
      ...told(endedPage(id, "expired")),
      type: "checkout.session.expired",
    },
  };
}
