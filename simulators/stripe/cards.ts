/**
 * The test cards and what each does, as far as the Stripe API documents them.
 *
 * @module
 */

import { type Card, type CardBehaviour, type PaymentError } from "./objects.ts";

/** What charging a card comes to. */
export type CardOutcome =
  | { kind: "succeed" }
  | { kind: "authenticate" }
  | { kind: "decline"; code: string; declineCode: string };

/** A documented test card. */
interface TestCard {
  brand: string;
  last4: string;
  country?: string;
  outcome: CardOutcome;
  /** Whether attaching it to a customer is declined as well. */
  refusesAttach?: true;
  /** Its payer objects to every charge. */
  dispute?: CardDispute;
  /** Once it was set up for later, it is charged without its payer. */
  isExemptOnceSetUp?: true;
}

/** What the payer of a test card objects to, and how far that goes. */
export interface CardDispute {
  kind: "chargeback" | "inquiry";
  reason: "fraudulent" | "product_not_received";
}

const SUCCEED: CardOutcome = { kind: "succeed" };

const OWN_CODES = new Set([
  "authentication_required",
  "expired_card",
  "incorrect_cvc",
  "processing_error",
]);

/** Last digits of the Visa card of a country; some more are documented. */
const LAST4_BY_COUNTRY = {
  at: "0008",
  au: "0006",
  be: "0004",
  br: "0002",
  ca: "0000",
  ch: "0009",
  cz: "0002",
  de: "0016",
  dk: "0001",
  es: "0007",
  fi: "0001",
  fr: "0003",
  gb: "0000",
  gr: "0030",
  ie: "0005",
  it: "0008",
  jp: "0003",
  lu: "0006",
  mx: "8001",
  nl: "0002",
  no: "0007",
  pl: "0005",
  pt: "0007",
  se: "0008",
  us: "4242",
};

const COUNTRY_CARDS: Record<string, TestCard> = Object.fromEntries(
  Object.entries(LAST4_BY_COUNTRY).map(([name, last4]) => {
    const country = name.toUpperCase();
    return [name, { ...visa(last4, SUCCEED), country }];
  }),
);

/** Test cards by what follows `pm_card_`. */
const TEST_CARDS: Record<string, TestCard> = {
  visa: visa("4242", SUCCEED),
  visa_debit: visa("5556", SUCCEED),
  mastercard: { brand: "mastercard", last4: "4444", outcome: SUCCEED },
  amex: { brand: "amex", last4: "8431", outcome: SUCCEED },
  ...COUNTRY_CARDS,
  authenticationRequired: visa("3184", { kind: "authenticate" }),
  authenticationRequiredOnSetup: {
    ...visa("3155", { kind: "authenticate" }),
    isExemptOnceSetUp: true,
  },
  threeDSecureRequired: visa("3063", { kind: "authenticate" }),
  threeDSecure2Required: visa("3220", { kind: "authenticate" }),
  createDispute: disputing("0259", "chargeback", "fraudulent"),
  createDisputeInquiry: disputing("1976", "inquiry", "fraudulent"),
  createDisputeProductNotReceived: disputing(
    "2685",
    "chargeback",
    "product_not_received",
  ),
  chargeCustomerFail: visa("0341", decline("generic_decline")),
  chargeDeclined: refused("0002", decline("generic_decline")),
  visa_chargeDeclined: refused("0002", decline("generic_decline")),
  chargeDeclinedInsufficientFunds: refused(
    "9995",
    decline("insufficient_funds"),
  ),
  chargeDeclinedLostCard: refused("9987", decline("lost_card")),
  chargeDeclinedStolenCard: refused("9979", decline("stolen_card")),
  chargeDeclinedFraudulent: refused("0019", decline("fraudulent")),
  chargeDeclinedExpiredCard: refused("0069", decline("expired_card")),
  chargeDeclinedIncorrectCvc: refused("0127", decline("incorrect_cvc")),
  chargeDeclinedProcessingError: refused("0119", decline("processing_error")),
};

const MESSAGES: Record<string, string> = {
  authentication_required:
    "Your card was declined. This transaction requires authentication.",
  expired_card: "Your card has expired.",
  incorrect_cvc: "Your card's security code is incorrect.",
  insufficient_funds: "Your card has insufficient funds.",
  processing_error: "An error occurred while processing your card. Try again " +
    "in a little bit.",
};

/** The name of the test card behind `pm_card_…`, else `null`. */
export function testCardName(id: string): string | null {
  const name = id.replace(/^pm_card_/, "");
  return name !== id && Object.hasOwn(TEST_CARDS, name) ? name : null;
}

/** Whether this is the name of a behaviour. */
export function isBehaviour(name: string): boolean {
  return Object.hasOwn(TEST_CARDS, name) || name.startsWith("decline:");
}

/** The card as shown; expiry is three years off, as on a fresh card. */
export function showCard(name: string, nowSeconds: number): Card {
  const { brand, last4, country = "US", outcome } = testCard(name);
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: "pass",
    },
    country,
    display_brand: brand,
    exp_month: 12,
    exp_year: new Date(nowSeconds * 1_000).getUTCFullYear() + 3,
    fingerprint: `Simulated${country}${last4}`.padEnd(16, "x"),
    funding: name.includes("debit") ? "debit" : "credit",
    generated_from: null,
    last4,
    networks: { available: [brand], preferred: null },
    regulated_status: "unregulated",
    three_d_secure_usage: { supported: outcome.kind === "authenticate" },
    wallet: null,
  };
}

/**
 * What charging does.
 *
 * @param behaviour a test card's name, or `decline:<decline code>`
 */
export function outcomeOf({ behaviour, setUp }: CardBehaviour): CardOutcome {
  if (behaviour.startsWith("decline:")) {
    return decline(behaviour.slice("decline:".length));
  }
  const { outcome, isExemptOnceSetUp } = testCard(behaviour);
  return setUp && isExemptOnceSetUp ? SUCCEED : outcome;
}

/** What the payer objects to once the card was charged, or `null`. */
export function disputeOf({ behaviour }: CardBehaviour): CardDispute | null {
  if (behaviour.startsWith("decline:")) return null;
  return testCard(behaviour).dispute ?? null;
}

/** Why this card can not be attached to a customer, or `null`. */
export function attachRefusal(behaviour: CardBehaviour): PaymentError | null {
  if (behaviour.behaviour.startsWith("decline:")) return null;
  const { refusesAttach, outcome } = testCard(behaviour.behaviour);
  if (!refusesAttach || outcome.kind !== "decline") return null;
  return declineError(outcome);
}

/** A refusal by decline code. */
export function decline(
  declineCode: string,
): Extract<CardOutcome, { kind: "decline" }> {
  const code = OWN_CODES.has(declineCode) ? declineCode : "card_declined";
  return { kind: "decline", code, declineCode };
}

/** The error that tells of a refusal. */
export function declineError(
  { code, declineCode }: { code: string; declineCode: string },
): PaymentError {
  const decline_code = OWN_CODES.has(code) && code !== "authentication_required"
    ? {}
    : { decline_code: declineCode };
  const message = MESSAGES[declineCode] ?? MESSAGES[code] ??
    "Your card was declined.";
  return { type: "card_error", code, ...decline_code, message };
}

function testCard(name: string): TestCard {
  const card = TEST_CARDS[name];
  if (card === undefined) throw new Error(`Cannot find test card "${name}"`);
  return card;
}

function visa(last4: string, outcome: CardOutcome): TestCard {
  return { brand: "visa", last4, outcome };
}

function refused(last4: string, outcome: CardOutcome): TestCard {
  return { ...visa(last4, outcome), refusesAttach: true };
}

function disputing(
  last4: string,
  kind: CardDispute["kind"],
  reason: CardDispute["reason"],
): TestCard {
  return { ...visa(last4, SUCCEED), dispute: { kind, reason } };
}
