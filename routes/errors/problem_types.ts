import type { Settings } from "../../domain/ports.ts";

/** One kind of problem: what its `type` address says about it. */
export interface ProblemType {
  title: string;
  /** What happened and what the caller can do, in a sentence or two. */
  meaning: string;
  /** The part of docs/developers.md that says more. */
  section: string;
}

/**
 * Every kind of problem, by the last part of its `type` address. A slug once
 * published keeps its meaning.
 */
export const PROBLEM_TYPES = {
  "invalid-input": {
    title: "Invalid input",
    meaning: "A parameter, header or body is not of the documented shape. " +
      "The detail names it and says what is wanted.",
    section: "errors",
  },
  "idempotency-key-required": {
    title: "Idempotency-Key required",
    meaning: "The operation takes effect once a key. Send a header " +
      "Idempotency-Key of 1 to 255 visible ASCII characters and repeat it " +
      "when you repeat the request.",
    section: "repeat-a-request-safely",
  },
  "not-found": {
    title: "Not found",
    meaning: "There is nothing to read at this address, or not for you.",
    section: "public-problems",
  },
  "spotlight-not-found": {
    title: "Spotlight not found",
    meaning: "The day has no settled Spotlight, or it was removed. A day is " +
      "public once its auction has settled.",
    section: "days-without-a-spotlight",
  },
  "method-not-allowed": {
    title: "Method not allowed",
    meaning:
      "The address exists, the method does not. The Allow header lists " +
      "those that do.",
    section: "public-problems",
  },
  "content-too-large": {
    title: "Content too large",
    meaning: "The body is longer than this address takes. The detail says " +
      "how many bytes it may have.",
    section: "limits",
  },
  "uri-too-long": {
    title: "URI too long",
    meaning: "The path, or path and query together, are longer than any " +
      "address here. Long texts belong into a body.",
    section: "public-problems",
  },
  "conflict": {
    title: "Conflict",
    meaning: "The request is understood and does not fit the present state, " +
      "or its Idempotency-Key belongs to another request. Read the state " +
      "before trying again.",
    section: "errors-of-the-agent-api",
  },
  "misdirected-request": {
    title: "Misdirected request",
    meaning: "The Host header or the request target names a host that is not " +
      "served here.",
    section: "where-to-start",
  },
  "rate-limited": {
    title: "Too many requests",
    meaning: "The bucket of your address or grant is empty. Wait for the " +
      "number of seconds in Retry-After.",
    section: "rate-limits",
  },
  "internal-error": {
    title: "Internal error",
    meaning: "The service has a fault, which has been recorded. Reads may be " +
      "repeated; before repeating a write read what it changed.",
    section: "after-an-uncertain-answer",
  },
  "temporarily-unavailable": {
    title: "Temporarily unavailable",
    meaning:
      "Something the service stands on did not answer. Repeat the same " +
      "request, with the same body and Idempotency-Key, after the number of " +
      "seconds in Retry-After.",
    section: "after-an-uncertain-answer",
  },
  "agent-scope-missing": {
    title: "Scope missing",
    meaning: "The grant lacks the scope that WWW-Authenticate names. Ask the " +
      "user to authorize it.",
    section: "errors-of-the-agent-api",
  },
  "agent-mandate-exceeded": {
    title: "Mandate exceeded",
    meaning: "The bid would exceed what the user allowed: for a single bid, " +
      "for a day, or in all until the mandate ends. limit, used and requested " +
      "say by how much, in cents; used is what this connection's bids took " +
      "out of it, a raise what it added, and does not count against the cap " +
      "of a single bid. " +
      "detail says which it is, and how much the bid can be.",
    section: "errors-of-the-agent-api",
  },
  "agent-mandate-expired": {
    title: "Mandate expired",
    meaning: "The user's spending mandate is missing or has ended. Ask the " +
      "user to authorize a new one.",
    section: "errors-of-the-agent-api",
  },
  "agent-human-step-required": {
    title: "Human step required",
    meaning: "Something has to be done before the bid: reasons say what. " +
      "next_action of GET /v1/agent/me says who acts first, you or a " +
      "person, or what to wait for; action_url is that person's page.",
    section: "reasons-an-account-may-not-bid",
  },
  "agent-bad-request": {
    title: "Bad request",
    meaning: "The request is not of the documented shape: its headers, its " +
      "parameters, its media type, its size, or it is not JSON.",
    section: "errors-of-the-agent-api",
  },
  "agent-bid-not-found": {
    title: "Bid not found",
    meaning: "You have no such bid.",
    section: "place-and-raise-a-bid",
  },
  "validation-failed": {
    title: "Validation failed",
    meaning: "A member of the request is not of the documented shape.",
    section: "errors-of-creatives",
  },
  "auth-required": {
    title: "Authentication required",
    meaning: "The operator API takes the operator's bearer key.",
    section: "errors",
  },
  "forbidden": {
    title: "Forbidden",
    meaning: "The caller is known and may not do this.",
    section: "errors",
  },
  "auction-not-open": {
    title: "Auction not open yet",
    meaning: "The auction of the day opens later. next_action of GET " +
      "/v1/agent/me says when.",
    section: "opening-and-closing-time",
  },
  "auction-closed": {
    title: "Auction closed",
    meaning: "No bid on that day is taken any more. Name a later day.",
    section: "opening-and-closing-time",
  },
  "bid-not-higher": {
    title: "Bid not higher",
    meaning: "A raise has to exceed your own live bid, by a cent at least.",
    section: "ties-and-raising",
  },
  "key-reused": {
    title: "Idempotency-Key reused",
    meaning: "The key belongs to another request. Send this one with a new " +
      "key.",
    section: "repeat-a-request-safely",
  },
  "key-in-flight": {
    title: "Idempotency-Key in flight",
    meaning: "The first request with the key is not finished. Repeat this " +
      "one after the number of seconds in Retry-After.",
    section: "repeat-a-request-safely",
  },
  "mandate-missing": {
    title: "Mandate missing",
    meaning: "The user connected the agent without a spending mandate. Ask " +
      "them to authorize one.",
    section: "errors-of-the-agent-api",
  },
  "creative-not-found": {
    title: "Creative not found",
    meaning: "You have no such creative.",
    section: "creatives",
  },
  "creative-in-other-state": {
    title: "Creative in another state",
    meaning: "The state of the creative does not allow this. Read the " +
      "creative.",
    section: "states-of-a-creative",
  },
  "creative-of-live-bid": {
    title: "Creative of a live bid",
    meaning: "A bid of yours that has not settled stands on the creative.",
    section: "states-of-a-creative",
  },
  "creatives-full": {
    title: "Too many creatives",
    meaning: "The account has, or made today, as many creatives as it may. " +
      "Archive one, or go on tomorrow.",
    section: "states-of-a-creative",
  },
  "payment-method-not-found": {
    title: "Payment method not found",
    meaning: "You have no such card.",
    section: "saved-cards",
  },
  "card-of-live-bid": {
    title: "Card of a live bid",
    meaning: "A bid of yours that has not settled stands on the card.",
    section: "saved-cards",
  },
  "passkey-not-found": {
    title: "Passkey not found",
    meaning: "You have no such passkey.",
    section: "passkeys",
  },
  "last-sign-in-method": {
    title: "Last way to sign in",
    meaning: "It is the last way to sign in to the account. A person has to " +
      "add another one first.",
    section: "passkeys",
  },
  "callbacks-full": {
    title: "Too many callbacks",
    meaning: "Five connections of the account are told of events at an " +
      "address already. End one of those first.",
    section: "signed-messages",
  },
  "payout-open": {
    title: "A payout is under way",
    meaning: "One payout is open at a time. Ask again once it is paid.",
    section: "partners",
  },
  "payout-held": {
    title: "Payouts are held",
    meaning:
      "The account is suspended. Nothing is paid until that is lifted; " +
      "commission goes on counting. Its owner reads why and whom to ask on " +
      "the account page.",
    section: "partners",
  },
  "payout-too-small": {
    title: "Too little to pay out",
    meaning: "Less than EUR 50 is payable now. Ask again after the next " +
      "statement.",
    section: "partners",
  },
  "partner-not-payable": {
    title: "No account to pay to",
    meaning: "The partner's account at the payment processor can't be paid " +
      "yet. A person completes it on the partner page.",
    section: "partners",
  },
  "advertiser-renamed": {
    title: "Advertiser renamed",
    meaning: "Readers would see another name than the one that was " +
      "reviewed. Review the creative again.",
    section: "errors",
  },
  "advertiser-unnamed": {
    title: "Advertiser without a name",
    meaning: "The account of the creative names no company yet.",
    section: "errors",
  },
  "decision-outdated": {
    title: "Decision outdated",
    meaning: "What is decided about is not there, or is another by now. " +
      "Read the account again.",
    section: "errors",
  },
  "vat-id-taken": {
    title: "VAT id taken",
    meaning: "Another account holds the VAT id. Release it there first.",
    section: "errors",
  },
  "auction-not-openable": {
    title: "Auction not openable",
    meaning: "The auction of the day can't be opened now. The detail says why.",
    section: "errors",
  },
  "auction-not-closable": {
    title: "Auction not closable",
    meaning: "Only an auction that is open can be closed.",
    section: "errors",
  },
  "auction-not-closed": {
    title: "Auction not closed",
    meaning: "Only an auction that is closed can be settled.",
    section: "errors",
  },
  "day-not-begun": {
    title: "Day not begun",
    meaning: "A day is neither closed nor settled before it has begun.",
    section: "errors",
  },
  "day-before-unsettled": {
    title: "Day before unsettled",
    meaning: "An auction is closed before its hour only once the day before " +
      "has settled, whose time on show that ends.",
    section: "errors",
  },
  "not-refundable": {
    title: "Not refundable",
    meaning: "Nobody paid for the day, or a dispute took the money.",
    section: "errors",
  },
  "second-operator-needed": {
    title: "Second operator needed",
    meaning: "A large refund that one operator asked for is confirmed by " +
      "another one.",
    section: "errors",
  },
  "store-not-empty": {
    title: "Store not empty",
    meaning: "A backup is restored into an empty store only.",
    section: "errors",
  },
} as const satisfies Readonly<Record<string, ProblemType>>;

/** The last part of a problem's `type` address. */
export type ProblemSlug = keyof typeof PROBLEM_TYPES;

/** The address that a problem's `type` is, served by the site. */
export function problemTypeUrl(
  settings: Pick<Settings, "baseUrl">,
  slug: ProblemSlug,
): string {
  return `${settings.baseUrl}/problems/${slug}`;
}

/** What more is said of the kind, on the documentation's page. */
export function problemDocsUrl(
  { baseUrl }: Pick<Settings, "baseUrl">,
  slug: ProblemSlug,
): string {
  return `${baseUrl}/developers#${PROBLEM_TYPES[slug].section}`;
}

/** Reads a slug, or answers `null` for an unknown one. */
export function parseProblemSlug(text: string): ProblemSlug | null {
  return Object.hasOwn(PROBLEM_TYPES, text) ? text as ProblemSlug : null;
}
