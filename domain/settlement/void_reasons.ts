import type { CreativeState } from "../creatives/creative.ts";
import type { EligibilityReason, HumanStep } from "../refusal.ts";

/** Why a bid is void, as its candidate's note says it to operators. */
export type VoidReason = UnpaidReason | `${UnpaidReason}${typeof PAID}`;

/** What the note of one ends in that was paid all the same. */
const PAID = ", and it was paid";

/** The same without whether it was paid. */
export type UnpaidReason =
  | EligibilityReason
  | `the creative is ${Exclude<CreativeState, "approved">}`
  | "the creative is gone"
  | "the card is gone"
  | "the account is gone"
  | "the account has no customer at the processor"
  | "the bid is not active"
  | "who owes the VAT has changed"
  | "the day was over";

/** The same for whose bid it is, and the step that sets it right; null: none does. */
interface OwnersWords {
  why: string;
  /** What becomes of the money; absent where nothing was charged. */
  money?: string;
  step: HumanStep | null;
}

const NOT_APPROVED: OwnersWords = {
  why: "Its ad is no longer approved",
  step: "creative_not_approved",
};
const NO_CARD: OwnersWords = {
  why: "Its card is no longer saved",
  step: "no_payment_method",
};

/** What is said where nothing more is known. */
const UNKNOWN: OwnersWords = {
  why: "Your account or the ad no longer qualified",
  step: "suspended",
};

const WORDS: Readonly<Record<UnpaidReason, OwnersWords>> = {
  operator_account: {
    why: "An operator's account never bids",
    step: "operator_account",
  },
  suspended: { why: "Your account is suspended", step: "suspended" },
  onboarding_incomplete: {
    why: "Your company's details are incomplete",
    step: "onboarding_incomplete",
  },
  vat_unverified: {
    why: "Your company's VAT id is not verified",
    step: "vat_unverified",
  },
  identity_unverified: {
    why: "Your identity is not verified",
    step: "identity_unverified",
  },
  no_payment_method: NO_CARD,
  card_refused: { why: "Your card was refused", step: "card_refused" },
  dispute_open: {
    why: "A payment of yours is disputed at your bank",
    step: "dispute_open",
  },
  dispute_lost: {
    why: "A disputed payment of yours was lost, which blocks your account",
    step: "dispute_lost",
  },
  "the creative is draft": NOT_APPROVED,
  "the creative is submitted": NOT_APPROVED,
  "the creative is rejected": {
    ...NOT_APPROVED,
    why: "The approval of its ad was withdrawn",
  },
  "the creative is archived": NOT_APPROVED,
  "the creative is gone": NOT_APPROVED,
  "the card is gone": NO_CARD,
  "the account is gone": UNKNOWN,
  "the account has no customer at the processor": NO_CARD,
  "the bid is not active": UNKNOWN,
  "who owes the VAT has changed": {
    why: "Your company's country or VAT id changed meanwhile, so the invoice " +
      "would have been wrong",
    step: "vat_unverified",
  },
  "the day was over": {
    why: "Its time on show was over before we could settle the day",
    step: null,
  },
};

/** A note in words for its owner; notes of earlier versions may be others. */
export function wordsOfVoid(note: string): OwnersWords {
  const isPaid = note.endsWith(PAID);
  const reason = isPaid ? note.slice(0, -PAID.length) : note;
  const words = Object.hasOwn(WORDS, reason)
    ? WORDS[reason as UnpaidReason]
    : UNKNOWN;
  const money = "You had paid for it: all of that goes back to your card.";
  return isPaid ? { ...words, money } : words;
}
