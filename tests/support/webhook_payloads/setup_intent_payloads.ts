import { ENVELOPE, type Payloads } from "./envelope.ts";
import {
  canceledSetup,
  declinedSetup,
  newSetup,
  succeededSetup,
  waitingSetup,
} from "./setup_intent_object.ts";

/** Every event of a set-up of a card, in full. */
export function setupPayloads(id: string): Payloads<`setup_intent.${string}`> {
  return {
    "setup_intent.canceled": {
      ...ENVELOPE,
      type: "setup_intent.canceled",
      data: { object: canceledSetup(id) },
    },
    "setup_intent.created": {
      ...ENVELOPE,
      type: "setup_intent.created",
      data: { object: newSetup(id) },
    },
    "setup_intent.requires_action": {
      ...ENVELOPE,
      type: "setup_intent.requires_action",
      data: { object: waitingSetup(id) },
    },
    "setup_intent.setup_failed": {
      ...ENVELOPE,
      type: "setup_intent.setup_failed",
      data: { object: declinedSetup(id) },
    },
    "setup_intent.succeeded": {
      ...ENVELOPE,
      type: "setup_intent.succeeded",
      data: { object: succeededSetup(id) },
    },
  };
}
