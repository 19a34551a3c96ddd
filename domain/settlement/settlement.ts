import type { Bid } from "../bids/bid.ts";
import type { Day } from "../day.ts";
import type { TransitionTable } from "../state_machine.ts";
import type { InvoiceVat } from "../tax/invoice_vat.ts";

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

/**
 * The way of one candidate through the processor. From any step an invoice that
 * turns out void or deleted leads to `passed_over`: nothing can charge it. One
 * that turns out paid leads to `won`, whoever paid it.
 */
export const CANDIDATE_STEPS: TransitionTable<CandidateStep> = {
  waiting: ["creating", "passed_over"],
  creating: ["itemizing", "voiding", "passed_over"],
  itemizing: ["finalizing", "won", "voiding", "passed_over"],
  finalizing: ["paying", "won", "voiding", "passed_over"],
  paying: ["won", "voiding", "passed_over"],
  voiding: ["passed_over", "won"],
  won: [],
  passed_over: [],
};

/** In the place of a grant: nobody's mandate. The processor keeps no empty value. */
export const OWN_BID = "none";

/** Why a candidate was passed over, which becomes the status of its bid. */
export type PassedOverAs = "payment_failed" | "void";

/** The copy a candidate would be published with, taken at its re-check. */
export interface CandidateCopy {
  headline: string;
  description: string;
  advertiser: string;
  targetUrl: string;
}

/** A step that a candidate came to, and when. */
export interface CandidateMove {
  step: CandidateStep;
  atMs: number;
}

/** One bid in the frozen ranking, as far as it has come. */
export interface Candidate {
  bidId: string;
  accountId: string;
  adId: string;
  amountCents: number;
  /**
   * Under whose mandate it was last bid, `OWN_BID` for the owner's own. Absent in
   * rows of earlier versions: their draft, asked for again, says nothing of it.
   */
  grantId?: string;
  paymentMethodId: string;
  step: CandidateStep;
  /** The customer who is billed; known after the re-check. */
  customerId: string | null;
  /** Null before the re-check, and of an ad that a restored store has lost. */
  copy: CandidateCopy | null;
  /** How its invoice deals with VAT; known after the re-check. */
  vat?: InvoiceVat;
  invoiceId: string | null;
  /** Its payment was asked for, so that only the processor knows of a charge. */
  mayBePaid: boolean;
  /** When it came to the present step. */
  stepSinceMs: number;
  /** The card itself was refused, so the account needs another before it bids again. */
  cardRefused: boolean;
  /** Set on the way to `passed_over`; null where the day went to another. */
  passedOverAs: PassedOverAs | null;
  /** For the operator: what the processor or the re-check said. */
  note: string | null;
  /**
   * The steps it came to, in their order; no step comes twice. Absent while it
   * waits, and for those of earlier versions.
   */
  moves?: readonly CandidateMove[];
  /** The mail that tells its owner how it ended; absent where none was written. */
  mailId?: string;
}

/**
 * The note of a candidate that bought its day with an ad that a restored store
 * has lost: the sale stands, and a house advertisement is shown.
 */
export const AD_LOST = "its invoice stood at the processor, its ad is lost";

/** The note of one whose sale another store has made, which stands. */
export const INVOICE_SOLD = "its invoice stood at the processor";

/** Whether another store had the bid paid, so that this one cancels nothing. */
export function isSoldElsewhere({ note }: Pick<Candidate, "note">): boolean {
  return note === AD_LOST || note === INVOICE_SOLD;
}

/** Whether a bid that is known here has bought the day. */
export function hasWinner(
  settlement: Pick<Settlement, "candidates"> | null,
): boolean {
  return settlement?.candidates.some(({ step }) => step === "won") ?? false;
}

/** A bid as a candidate that nobody has worked on yet. */
export function newCandidate(
  { id: bidId, accountId, adId, amountCents, grantId, paymentMethodId }: Bid,
  nowMs: number,
): Candidate {
  return {
    bidId,
    accountId,
    adId,
    amountCents,
    grantId: grantId ?? OWN_BID,
    paymentMethodId,
    step: "waiting",
    customerId: null,
    copy: null,
    invoiceId: null,
    mayBePaid: false,
    stepSinceMs: nowMs,
    cardRefused: false,
    passedOverAs: null,
    note: null,
  };
}

/**
 * What an attempt may have waited for in vain: that the processor takes the
 * bidder's company, what it says that there is, or a call that is to change
 * something, before which it is asked for the others.
 */
export type Awaited = "company" | "look" | "call";

/** That the attempts at a step had no answer, which ends the turn after 60 minutes. */
export interface Stall {
  bidId: string;
  step: CandidateStep;
  awaited: Awaited;
  /** When the first of these attempts ended. */
  sinceMs: number;
  /** When the last of them did. */
  lastMs: number;
}

/**
 * That a person has to mend what the processor answers: it refuses the company,
 * knows no such customer, or has another VAT on the draft. That ends the turn once
 * it was so for 60 minutes.
 */
export interface Mending {
  bidId: string;
  step: CandidateStep;
  what: "company" | "customer" | "vat";
  /** For how long it was so between one attempt and the next, ms, all added up. */
  forMs: number;
  /** When it was told last. */
  lastMs: number;
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
  /**
   * Null where the last attempt was answered. Absent before the first, and in
   * rows of earlier versions, which counted all time in a step.
   */
  stall?: Stall | null;
  /** What a person had to mend last; absent for nothing. */
  mending?: Mending;
  /** Who works on it, and until when nobody else may. */
  leaseOwner: string | null;
  leaseUntilMs: number;
}
