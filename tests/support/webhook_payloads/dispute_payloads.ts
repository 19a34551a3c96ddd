import { ENVELOPE, type Payloads, told } from "./envelope.ts";
import { closedDispute, openDispute } from "./dispute_object.ts";

/** Every event of a dispute, in full. */
export function disputePayloads(
  id: string,
): Payloads<`charge.dispute.${string}`> {
  return {
    "charge.dispute.closed": {
      ...told(closedDispute(id, "lost")),
      type: "charge.dispute.closed",
    },
    "charge.dispute.created": {
      ...told(openDispute(id)),
      type: "charge.dispute.created",
    },
    "charge.dispute.funds_reinstated": {
      ...told(closedDispute(id, "won")),
      type: "charge.dispute.funds_reinstated",
    },
    "charge.dispute.funds_withdrawn": {
      ...told(openDispute(id)),
      type: "charge.dispute.funds_withdrawn",
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
