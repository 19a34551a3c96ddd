import type { Settings } from "../../domain/ports.ts";

/** One kind of problem: what its `type` address says about it. */
export interface ProblemType {
  title: string;
  /** What happened and what the caller can do, in a sentence or two. */
  meaning: string;
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
  },
  "idempotency-key-required": {
    title: "Idempotency-Key required",
    meaning: "The operation takes effect once a key. Send a header " +
      "Idempotency-Key of 1 to 255 visible ASCII characters and repeat it " +
      "when you repeat the request.",
  },
  "not-found": {
    title: "Not found",
    meaning: "There is nothing to read at this address, or not for you.",
  },
  "spotlight-not-found": {
    title: "Spotlight not found",
    meaning: "The day has no settled Spotlight, or it was removed. A day is " +
      "public once its auction has settled.",
  },
  "method-not-allowed": {
    title: "Method not allowed",
    meaning:
      "The address exists, the method does not. The Allow header lists " +
      "those that do.",
  },
  "content-too-large": {
    title: "Content too large",
    meaning: "The body is longer than this address takes. The detail says " +
      "how many bytes it may have.",
  },
  "conflict": {
    title: "Conflict",
    meaning: "The request is understood and does not fit the present state, " +
      "or its Idempotency-Key belongs to another request. Read the state " +
      "before trying again.",
  },
  "misdirected-request": {
    title: "Misdirected request",
    meaning: "The Host header or the request target names a host that is not " +
      "served here.",
  },
  "rate-limited": {
    title: "Too many requests",
    meaning: "The bucket of your address or grant is empty. Wait for the " +
      "number of seconds in Retry-After.",
  },
  "internal-error": {
    title: "Internal error",
    meaning: "The service has a fault, which has been recorded. Reads may be " +
      "repeated; before repeating a write read what it changed.",
  },
  "temporarily-unavailable": {
    title: "Temporarily unavailable",
    meaning:
      "Something the service stands on did not answer. Repeat the same " +
      "request, with the same body and Idempotency-Key, after the number of " +
      "seconds in Retry-After.",
  },
  "agent-scope-missing": {
    title: "Scope missing",
    meaning: "The grant lacks the scope that WWW-Authenticate names. Ask the " +
      "user to authorize it.",
  },
  "agent-mandate-exceeded": {
    title: "Mandate exceeded",
    meaning: "The bid would exceed what the user allowed, a single bid or a " +
      "day's total. limit, used and requested say by how much, in cents.",
  },
  "agent-mandate-expired": {
    title: "Mandate expired",
    meaning: "The user's spending mandate is missing or has ended. Ask the " +
      "user to authorize a new one.",
  },
  "agent-human-step-required": {
    title: "Human step required",
    meaning: "A person has to act in the browser first: reasons say why and " +
      "action_url says where.",
  },
  "agent-bad-request": {
    title: "Bad request",
    meaning: "The request is not of the documented shape: its headers, its " +
      "parameters, its media type, its size, or it is not JSON.",
  },
  "agent-bid-not-found": {
    title: "Bid not found",
    meaning: "You have no such bid.",
  },
  "validation-failed": {
    title: "Validation failed",
    meaning: "A member of the request is not of the documented shape.",
  },
  "auth-required": {
    title: "Authentication required",
    meaning: "The operator API takes the operator's bearer key.",
  },
  "forbidden": {
    title: "Forbidden",
    meaning: "The caller is known and may not do this.",
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

/** Reads a slug, or answers `null` for an unknown one. */
export function parseProblemSlug(text: string): ProblemSlug | null {
  return Object.hasOwn(PROBLEM_TYPES, text) ? text as ProblemSlug : null;
}
