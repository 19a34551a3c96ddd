import { ENVELOPE, type Payloads } from "./envelope.ts";
import { closedDispute, openDispute } from "./dispute_object.ts";

/** Every event of a dispute, in full. */
export function disputePayloads(
  id: string,
): Payloads<`charge.dispute.${string}`> {
  return {
    "charge.dispute.closed": {
      ...ENVELOPE,
      type: "charge.dispute.closed",
      data: { object: closedDispute(id, "lost") },
    },
    "charge.dispute.created": {
      ...ENVELOPE,
      type: "charge.dispute.created",
      data: { object: openDispute(id) },
    },
    "charge.dispute.funds_reinstated": {
      ...ENVELOPE,
      type: "charge.dispute.funds_reinstated",
      data: { object: closedDispute(id, "won") },
    },
    "charge.dispute.funds_withdrawn": {
      ...ENVELOPE,
      type: "charge.dispute.funds_withdrawn",
      data: { object: openDispute(id) },
    },
    "charge.dispute.updated": {
      ...ENVELOPE,
      type: "charge.dispute.updated",
      data: {
        object: { ...openDispute(id), status: "under_review" },
        previous_attributes: { status: "needs_response" },
      },
    },
  };
}
