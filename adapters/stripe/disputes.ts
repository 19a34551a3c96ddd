import type Stripe from "stripe";
import type {
  DisputeProcessor,
  DisputeStanding,
  ProcessorDispute,
} from "../../domain/payments/processor_disputes.ts";
import { oneOf } from "./one_of.ts";
import { outcomeOf } from "./outcome.ts";
import { idOrNull, PAGE_MAX, pageOf, pageParams, wholeList } from "./pages.ts";

/** What each of the processor's statuses means for the money. */
const STANDINGS = {
  warning_needs_response: "warning",
  warning_under_review: "warning",
  warning_closed: "warning",
  needs_response: "open",
  under_review: "open",
  appeal_needs_response: "open",
  appeal_under_review: "open",
  won: "won",
  lost: "lost",
  prevented: "prevented",
} as const satisfies Record<string, DisputeStanding>;

const STATUSES = Object.keys(STANDINGS) as (keyof typeof STANDINGS)[];

/** Disputes behind the domain's port. Amounts are cents. */
export function disputeCalls({ disputes }: Stripe): DisputeProcessor {
  return {
    retrieveDispute: (id) => outcomeOf(() => disputes.retrieve(id), toDispute),
    listDisputes: (createdMs, cursor, limit) =>
      outcomeOf(
        () => disputes.list(pageParams(createdMs, cursor, limit)),
        pageOf(toDispute),
      ),
    listDisputesOf: (paymentId) =>
      outcomeOf(async () => {
        const found = await disputes.list({
          payment_intent: paymentId,
          limit: PAGE_MAX,
        });
        return wholeList(found, "disputes of one payment").map(toDispute);
      }),
  };
}

function toDispute(dispute: Stripe.Dispute): ProcessorDispute {
  const { due_by } = dispute.evidence_details;
  return {
    id: dispute.id,
    standing: STANDINGS[oneOf(STATUSES, dispute.status)],
    amountCents: dispute.amount,
    movements: dispute.balance_transactions.map(({ id, amount }) => ({
      id,
      amountCents: amount,
    })),
    paymentId: idOrNull(dispute.payment_intent),
    reason: dispute.reason,
    createdAtMs: dispute.created * 1_000,
    evidenceDueAtMs: due_by === null ? null : due_by * 1_000,
  };
}
