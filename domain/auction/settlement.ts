import type { Day } from "../day.ts";
import type { TransitionTable } from "../state_machine.ts";

/**
 * Where a candidate stands. Each step is written before its processor call is
 * made and its outcome before the next, so a crash resumes at the same call
 * with the same idempotency key.
 */
export type CandidateStep =
  | "waiting"
  | "creating"
  | "itemizing"
  | "finalizing"
  | "paying"
  | "voiding"
  | "won"
  | "passed_over";

/** The way of one candidate through the processor. */
export const CANDIDATE_STEPS: TransitionTable<CandidateStep> = {
  waiting: ["creating", "passed_over"],
  creating: ["itemizing", "voiding", "passed_over"],
  itemizing: ["finalizing", "voiding"],
  finalizing: ["paying", "voiding"],
  paying: ["won", "voiding"],
  voiding: ["passed_over", "won"],
  won: [],
  passed_over: [],
};

/** Why a candidate was passed over, which becomes the status of its bid. */
export type PassedOverAs = "payment_failed" | "void";

/** One bid in the frozen ranking, as far as it has come. */
export interface Candidate {
  bidId: string;
  accountId: string;
  adId: string;
  amountCents: number;
  paymentMethodId: string;
  step: CandidateStep;
  invoiceId: string | null;
  /** When the present step was first tried; uncertainty is counted from here. */
  stepSinceMs: number;
  /** Set on the way to `passed_over`. */
  passedOverAs: PassedOverAs | null;
  /** For the operator: what the processor or the re-check said. */
  note: string | null;
}

/** The saga of one day: who is tried, in order, and how far it has come. */
export interface Settlement {
  day: Day;
  state: "running" | "settled";
  /** The best-ranked bids, at most five, frozen by close. */
  candidates: readonly Candidate[];
  createdAtMs: number;
  /** Not tried again before this moment. */
  dueAtMs: number;
  attempts: number;
  /** Who works on it, and until when nobody else may. */
  leaseOwner: string | null;
  leaseUntilMs: number;
}
