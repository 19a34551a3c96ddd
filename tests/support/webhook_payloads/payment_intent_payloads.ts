import { ENVELOPE, type Payloads } from "./envelope.ts";
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
      ...ENVELOPE,
      type: "payment_intent.amount_capturable_updated",
      data: {
        object: {
          ...newIntent(id),
          amount_capturable: 100,
          status: "requires_capture",
        },
      },
    },
    "payment_intent.canceled": {
      ...ENVELOPE,
      type: "payment_intent.canceled",
      data: {
        object: {
          ...newIntent(id),
          canceled_at: 1795218902,
          cancellation_reason: "abandoned",
          status: "canceled",
        },
      },
    },
    "payment_intent.created": {
      ...ENVELOPE,
      type: "payment_intent.created",
      data: { object: newIntent(id) },
    },
    "payment_intent.partially_funded": {
      ...ENVELOPE,
      type: "payment_intent.partially_funded",
      data: { object: newIntent(id) },
    },
    "payment_intent.payment_failed": {
      ...ENVELOPE,
      type: "payment_intent.payment_failed",
      data: { object: declinedIntent(id) },
    },
    "payment_intent.processing": {
      ...ENVELOPE,
      type: "payment_intent.processing",
      data: { object: { ...newIntent(id), status: "processing" } },
    },
    "payment_intent.requires_action": {
      ...ENVELOPE,
      type: "payment_intent.requires_action",
      data: { object: waitingIntent(id) },
    },
    "payment_intent.succeeded": {
      ...ENVELOPE,
      type: "payment_intent.succeeded",
      data: { object: succeededIntent(id) },
    },
  };
}
