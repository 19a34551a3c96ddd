import type { CheckoutRefusal } from "../../domain/checkout/refusal.ts";
import { DAY } from "./checkout_world.ts";
import { dayText } from "./public_spotlights.ts";

const day = dayText(DAY);

/** One refusal of every kind; a new kind does not compile until it is here. */
export const CHECKOUT_REFUSALS: {
  readonly [Kind in CheckoutRefusal["kind"]]: Extract<
    CheckoutRefusal,
    { kind: Kind }
  >;
} = {
  version_missing: { kind: "version_missing" },
  version_unsupported: { kind: "version_unsupported" },
  malformed: {
    kind: "malformed",
    code: "invalid",
    message: "Cannot read the body",
    param: "$.currency",
  },
  session_not_found: { kind: "session_not_found" },
  not_allowed: { kind: "not_allowed", action: "update", status: "completed" },
  item_unknown: { kind: "item_unknown", day },
  item_gone: { kind: "item_gone", day },
  attempts_exhausted: { kind: "attempts_exhausted" },
  action_required: { kind: "action_required" },
  payment_uncertain: { kind: "payment_uncertain" },
  unpaid: { kind: "unpaid", status: "ready_for_payment" },
  report_gone: { kind: "report_gone", day },
};
