/**
 * Disputes: a payer objects to a charge, and the bank takes the money back
 * until it is decided who keeps it.
 *
 * @module
 */

import { moveBalance } from "./balance.ts";
import type { Call } from "./call.ts";
import { newEvidence } from "./dispute_evidence.ts";
import type { Charge, Dispute, DisputeStatus } from "./objects.ts";

/**
 * What a dispute begins as: money is taken back, is only asked about, or the
 * objection was stopped before it became a dispute.
 */
export type DisputeKind = "chargeback" | "inquiry" | "prevented";

/** How a dispute goes on. */
export type DisputeTurn =
  | "won"
  | "lost"
  /** Lost, but half of the money comes back: it had been given back before. */
  | "partly_won"
  /** The bank looks at the evidence. */
  | "under_review"
  /** An inquiry ends, nothing was taken. */
  | "warning_closed"
  /** An inquiry becomes a dispute, money is taken back. */
  | "escalated";

/** A dispute to be. */
export interface DisputeOrder {
  kind?: DisputeKind | undefined;
  /** Cents; all that was not given back unless said. */
  amount?: number | undefined;
  /** The payer's reason, as the API names it; `fraudulent` unless said. */
  reason?: string | undefined;
}

/** Days a seller has to answer. */
const ANSWER_WITHIN_S = 9 * 24 * 60 * 60;

const FIRST_STATUS = {
  chargeback: "needs_response",
  inquiry: "warning_needs_response",
  prevented: "prevented",
} as const satisfies Record<DisputeKind, DisputeStatus>;

const CASE_TYPES = {
  chargeback: "chargeback",
  inquiry: "inquiry",
  prevented: "block",
} as const;

/** From which statuses each turn leads, and where to. */
const TURNS: Record<
  DisputeTurn,
  Partial<Record<DisputeStatus, DisputeStatus>>
> = {
  won: { needs_response: "won", under_review: "won" },
  lost: { needs_response: "lost", under_review: "lost" },
  partly_won: { needs_response: "lost", under_review: "lost" },
  under_review: {
    needs_response: "under_review",
    warning_needs_response: "warning_under_review",
  },
  warning_closed: {
    warning_needs_response: "warning_closed",
    warning_under_review: "warning_closed",
  },
  escalated: {
    warning_needs_response: "needs_response",
    warning_under_review: "needs_response",
  },
};

/**
 * Opens a dispute.
 *
 * @throws {RangeError} when the charge took no money, all of it was given back,
 * or another dispute of it is under way
 */
export function openDispute(
  call: Call,
  charge: Charge,
  { kind = "chargeback", amount, reason = "fraudulent" }: DisputeOrder = {},
): Dispute {
  const left = disputable(call, charge);
  const disputed = amount ?? left;
  if (disputed < 1 || disputed > left) {
    throw new RangeError(`Cannot dispute ${disputed} of ${left} cents`);
  }
  const opened = newDispute(call, charge, { kind, amount: disputed, reason });
  call.put("charge", { ...charge, disputed: true });
  const dispute = kind === "chargeback"
    ? withdraw(call, opened)
    : call.put("dispute", opened);
  call.emit("charge.dispute.created", dispute);
  if (kind === "chargeback") {
    call.emit("charge.dispute.funds_withdrawn", dispute);
  }
  return dispute;
}

/** Whether a dispute may take this turn now. */
export function mayTurn({ status }: Dispute, turn: DisputeTurn): boolean {
  return TURNS[turn][status] !== undefined;
}

/**
 * Takes a dispute on.
 *
 * @throws {RangeError} when its status allows no such turn
 */
export function turnDispute(
  call: Call,
  dispute: Dispute,
  turn: DisputeTurn,
): Dispute {
  const status = TURNS[turn][dispute.status];
  if (status === undefined) {
    throw new RangeError(`Cannot turn a dispute ${dispute.status} to ${turn}`);
  }
  const turned: Dispute = {
    ...dispute,
    status,
    is_charge_refundable: status === "won" ||
      dispute.status.startsWith("warning"),
  };
  if (turn === "won") return reinstate(call, turned, dispute.amount);
  if (turn === "partly_won") {
    return reinstate(call, turned, Math.floor(dispute.amount / 2));
  }
  if (turn === "escalated") return escalate(call, turned, dispute);
  call.put("dispute", turned);
  if (turn !== "under_review") call.emit("charge.dispute.closed", turned);
  else call.emit("charge.dispute.updated", turned, dispute);
  return turned;
}

/** Giving all the money back answers an inquiry. */
export function closeInquiries(call: Call, chargeId: string): void {
  for (const dispute of call.filed("dispute", "charge", chargeId)) {
    if (mayTurn(dispute, "warning_closed")) {
      turnDispute(call, dispute, "warning_closed");
    }
  }
}

function disputable(call: Call, charge: Charge): number {
  if (!charge.paid) throw new RangeError(`${charge.id} took no money`);
  const others = call.filed("dispute", "charge", charge.id);
  const isUnderWay = others.some((other) =>
    mayTurn(other, "lost") || mayTurn(other, "warning_closed")
  );
  if (isUnderWay) throw new RangeError(`${charge.id} is disputed already`);
  const left = leftOf(call, charge);
  if (left > 0) return left;
  throw new RangeError(`All of ${charge.id} was given back already`);
}

/** The cents of a charge that neither we nor a bank gave back. */
export function leftOf(call: Call, charge: Charge): number {
  const moved = call.filed("dispute", "charge", charge.id)
    .flatMap(({ balance_transactions }) => balance_transactions)
    .reduce((sum, { amount }) => sum + amount, 0);
  return charge.amount - charge.amount_refunded + moved;
}

function reinstate(call: Call, dispute: Dispute, amount: number): Dispute {
  if (amount === 0) {
    call.emit("charge.dispute.closed", call.put("dispute", dispute));
    return dispute;
  }
  const moved = moveBalance(call, {
    amount,
    description: `Chargeback reversal for ${dispute.charge}`,
    reporting_category: "dispute_reversal",
    source: dispute.id,
  });
  const won = call.put("dispute", {
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, moved],
  });
  call.emit("charge.dispute.funds_reinstated", won);
  call.emit("charge.dispute.closed", won);
  return won;
}

/** What was given back since the inquiry began is not withdrawn as well. */
function escalate(call: Call, inquiry: Dispute, before: Dispute): Dispute {
  const { card } = inquiry.payment_method_details;
  const charge = call.get("charge", inquiry.charge);
  const left = leftOf(call, charge);
  if (left < 1) throw new RangeError(`Nothing is left of ${charge.id}`);
  const dispute = withdraw(call, {
    ...inquiry,
    amount: Math.min(inquiry.amount, left),
    is_charge_refundable: false,
    evidence_details: {
      ...inquiry.evidence_details,
      due_by: call.now + ANSWER_WITHIN_S,
    },
    payment_method_details: {
      type: "card",
      card: { ...card, case_type: "chargeback" },
    },
  });
  call.emit("charge.dispute.updated", dispute, before);
  call.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

function withdraw(call: Call, dispute: Dispute): Dispute {
  const moved = moveBalance(call, {
    amount: -dispute.amount,
    description: `Chargeback withdrawal for ${dispute.charge}`,
    fee: call.setting.account.fees.disputeCents,
    reporting_category: "dispute",
    source: dispute.id,
  });
  return call.put("dispute", {
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, moved],
  });
}

function newDispute(
  call: Call,
  charge: Charge,
  { kind, amount, reason }: {
    kind: DisputeKind;
    amount: number;
    reason: string;
  },
): Dispute {
  const { brand } = charge.payment_method_details.card;
  const network_reason_code = reason === "fraudulent" ? "10.4" : "13.1";
  return {
    id: call.newId("du"),
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: newEvidence(),
    evidence_details: {
      due_by: kind === "prevented" ? null : call.now + ANSWER_WITHIN_S,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: kind === "inquiry",
    livemode: false,
    metadata: {},
    network_reason_code,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand,
        case_type: CASE_TYPES[kind],
        network: brand,
        network_reason_code,
      },
      type: "card",
    },
    reason,
    status: FIRST_STATUS[kind],
  };
}
