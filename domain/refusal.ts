import type { Phase } from "./auction/auction.ts";
import type { CheckoutRefusal } from "./checkout/refusal.ts";
import type { CreativeRefusal } from "./creatives/creative_refusal.ts";
import type { Day } from "./day.ts";
import type { OauthErrorCode } from "./oauth/oauth_error.ts";
import type { Resource } from "./oauth/resource.ts";
import type { GivenReport, PaymentNeed } from "./paid_metrics/payment_need.ts";

/**
 * Why an account may not bid, in the order they are listed to it: first those
 * that no step of its owner takes away.
 */
export type EligibilityReason =
  | "operator_account"
  | "suspended"
  | "onboarding_incomplete"
  | "vat_unverified"
  | "no_payment_method"
  | "identity_unverified"
  | "card_refused"
  | "dispute_open"
  | "dispute_lost";

/** What a human has to do before a bid can stand. */
export type HumanStep = EligibilityReason | "creative_not_approved";

/** The first day on which a wanted bid can be placed: its own, or another. */
export interface NextDay {
  day: Day;
  /** From when on; null where that is past, so that it does or is due to. */
  opensAtMs: number | null;
}

/** The bid that was refused: its answer says how to ask what helps it. */
export interface RefusedBid {
  day: Day;
  /** Whether its day takes bids: now, later, or never again. */
  dayState: "open" | "not_open" | "closed";
  nextDay: NextDay;
  /** What is wanted, as readiness is asked about it. */
  asked: Readonly<Record<string, string | number>>;
  /** The address of its readiness. */
  readinessUrl: string;
  /** The most that the mandate allows this bid to be; null where none fits. */
  mostCents: number | null;
  /** The tool of the next action where the agent itself acts first. */
  agentTool?: string;
}

/**
 * Every expected "no" of the service, a closed union: each surface has one
 * table with an answer for each code that it can meet (`routes/errors/`).
 */
export type Refusal =
  // Input and protocol
  | { code: "invalid_input"; message: string }
  | { code: "bad_request"; message: string }
  | { code: "bad_bid_body"; message: string }
  | { code: "not_found"; message: string }
  | { code: "method_not_allowed"; allow: readonly string[] }
  | {
    code: "rate_limited";
    retryAfterS: number;
    /** Whose bucket is empty, where it is not the one of who asks. */
    of?: "account" | "network";
  }
  | { code: "idempotency_key_required" }
  | { code: "idempotency_conflict" }
  | { code: "idempotency_in_flight" }
  // Bearer
  | { code: "token_missing" }
  /** `resources`: what a token is for that is good, but not here. */
  | { code: "token_invalid"; resources?: readonly Resource[] }
  | { code: "token_ambiguous" }
  | { code: "scope_missing"; scopes: readonly string[] }
  // Sessions on the website
  | { code: "cookie_repeated" }
  | { code: "origin_not_own" }
  | { code: "session_missing" }
  | { code: "sign_in_stale" }
  /** What was sent was shown to an account that is not the one signed in. */
  | { code: "form_of_another" }
  // Sign-in and passkeys
  | { code: "sign_in_code_gone" }
  | { code: "sign_in_code_wrong"; triesLeft: number }
  | { code: "sign_in_mails_exhausted"; retryAfterS: number }
  | { code: "email_taken" }
  | { code: "passkey_not_found" }
  | { code: "passkey_rejected" }
  | { code: "passkeys_full" }
  | { code: "last_sign_in_method" }
  // Cards and identity on the website
  | { code: "cards_full" }
  /** Set-ups of cards, or checks of identity, that an account may begin. */
  | { code: "tries_exhausted"; retryAfterS: number }
  // OAuth
  /** `description` is ASCII without quotes and backslashes. */
  | { code: "oauth_error"; error: OauthErrorCode; description: string }
  /** Said to the person on a page, never by a redirect. */
  | { code: "authorization_unusable"; message: string }
  | { code: "authorization_not_found" }
  | { code: "authorization_of_another_browser" }
  | { code: "partner_required" }
  /** So many agents are connected already. */
  | { code: "connections_full" }
  /** So many connections are told of events already. */
  | { code: "callbacks_full" }
  // Partners
  /** One is open already, or what is payable is less than EUR 50. */
  | { code: "payout_refused"; why: "open" | "suspended" | "too_little" }
  // Public reads
  | { code: "spotlight_not_found"; day: Day | null }
  | { code: "sandbox_job_not_found"; jobId: string }
  // Bids
  /** The grant was given without one. */
  | { code: "mandate_missing"; bid?: RefusedBid }
  | { code: "mandate_expired"; bid?: RefusedBid }
  | {
    code: "mandate_exceeded";
    bid?: RefusedBid;
    /** Which limit: of one bid, of all until the end, or of a day. */
    cap: "bid" | "total" | "day";
    limitCents: number;
    usedCents: number;
    requestedCents: number;
    /** When waiting helps; null where only the user can allow more. */
    resetsAtMs: number | null;
  }
  | {
    code: "human_step_required";
    /** Absent where something else was asked for than a bid. */
    bid?: RefusedBid;
    reasons: readonly HumanStep[];
    actionUrl: string;
  }
  | { code: "creative_not_found"; adId: string }
  | { code: "payment_method_not_found"; paymentMethodId: string }
  /** Bids of these days, not yet settled, stand on the card. */
  | { code: "card_of_live_bid"; paymentMethodId: string; days: readonly Day[] }
  /** Bids of these days stand on the VAT id and country as they are. */
  | { code: "company_of_live_bid"; days: readonly Day[] }
  | { code: "payment_method_on_raise" }
  /** Another card would be charged than the one a person was told of. */
  | { code: "reviewed_card_changed" }
  /** It opens yet. */
  | { code: "auction_not_open"; day: Day; nextDay: NextDay }
  /** No bid on that day stands any more. */
  | { code: "auction_closed"; day: Day; nextDay: NextDay }
  | { code: "bid_not_higher"; liveCents: number; amountCents: number }
  | { code: "bid_not_found"; bidId: string }
  // Paid metrics over HTTP 402
  | { code: "payment_required"; why: PaymentNeed }
  | { code: "payment_required"; why: "answered"; given: GivenReport }
  // Agentic checkout
  | { code: "checkout_refused"; why: CheckoutRefusal }
  // Creatives
  | { code: "creative_refused"; why: CreativeRefusal }
  // Operator
  | { code: "operator_key_invalid" }
  | { code: "account_not_found" }
  /** What was decided about is no longer there, or is another by now. */
  | { code: "decision_outdated" }
  /** Told to operators only: nobody else learns who has an account. */
  | { code: "vat_id_taken" }
  | { code: "auction_not_openable"; day: Day; message: string }
  | { code: "auction_not_closable"; day: Day; phase: Phase }
  | {
    code: "auction_not_closed";
    day: Day;
    phase: Phase;
    /** Whose clock says so: the processor's where ours is past the close. */
    by: "own" | "processor";
  }
  | {
    code: "day_not_begun";
    day: Day;
    action: "close" | "settle";
    /** Whose clock says so: the processor's where ours may be ahead. */
    by: "own" | "processor";
  }
  /** Closing a day early would end the day before, which is not settled. */
  | {
    code: "day_before_unsettled";
    day: Day;
    before: Day;
    /** When the auction closes by itself, epoch ms. */
    closesAtMs: number;
  }
  | { code: "not_refundable"; day: Day }
  /** A refund that the same operator asked for already. */
  | {
    code: "second_operator_needed";
    day: Day;
    askedBy: string;
    expiresAtMs: number;
  }
  | { code: "store_not_empty" };

/** The code of a refusal. */
export type RefusalCode = Refusal["code"];

/** The refusal of that code, with what it carries. */
export type RefusalOf<Code extends RefusalCode> = Extract<
  Refusal,
  { code: Code }
>;

/** Carries a refusal out of a transaction, which it aborts. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The refusal, to be rendered by the surface. */
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Ends the verb with an expected "no". */
export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}
