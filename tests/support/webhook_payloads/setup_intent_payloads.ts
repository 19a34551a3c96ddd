import { type Payloads, told } from "./envelope.ts";
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
      ...told(canceledSetup(id)),
      type: "setup_intent.canceled",
    },
    "setup_intent.created": {
      ...told(newSetup(id)),
      type: "setup_intent.created",
    },
    "setup_intent.requires_action": {
      ...told(waitingSetup(id)),
      type: "setup_intent.requires_action",
    },
    "setup_intent.setup_failed": {
      ...told(declinedSetup(id)),
      type: "setup_intent.setup_failed",
    },
    "setup_intent.succeeded": {
      ...told(succeededSetup(id)),
      type: "setup_intent.succeeded",
    },
  };
}
