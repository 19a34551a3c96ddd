import { type Payloads, told } from "./envelope.ts";
import {
  declinedIntent,
  newIntent,
  succeededIntent,
  waitingIntent,
} from "./payment_intent_object.ts";

/** Every event of a payment, in full. */
export function intentPayloads(
  id: string,
): Payloads<`payment_intent.${string}`> {
  return {
    "payment_intent.amount_capturable_updated": {
      ...told({
        ...newIntent(id),
        amount_capturable: 100,
        status: "requires_capture",
      }),
      type: "payment_intent.amount_capturable_updated",
    },
    "payment_intent.canceled": {
      ...told({
        ...newIntent(id),
        canceled_at: 1795218902,
        cancellation_reason: "abandoned",
        status: "canceled",
      }),
      type: "payment_intent.canceled",
    },
    "payment_intent.created": {
      ...told(newIntent(id)),
      type: "payment_intent.created",
    },
    "payment_intent.partially_funded": {
      ...told(newIntent(id)),
      type: "payment_intent.partially_funded",
    },
    "payment_intent.payment_failed": {
      ...told(declinedIntent(id)),
      type: "payment_intent.payment_failed",
    },
    "payment_intent.processing": {
      ...told({ ...newIntent(id), status: "processing" }),
      type: "payment_intent.processing",
    },
    "payment_intent.requires_action": {
      ...told(waitingIntent(id)),
      type: "payment_intent.requires_action",
    },
    "payment_intent.succeeded": {
      ...told(succeededIntent(id)),
      type: "payment_intent.succeeded",
    },
  };
}
