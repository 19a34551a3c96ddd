import { AI_FETCHERS } from "./ai_fetchers.ts";
import type { NotHumanReason } from "./click.ts";
import { LINK_PREVIEWS } from "./link_previews.ts";

/** A request to `/go/{day}`, as far as it is judged. */
export interface ClickRequest {
  method: string;
  headers: Pick<Headers, "get">;
  /** The client's IPv4 address or the /64 of its IPv6 one; never stored. */
  address: string;
  /** Epoch ms. */
  atMs: number;
}

/** What is left of a request once it was judged by itself. */
export interface JudgedRequest extends Pick<ClickRequest, "address" | "atMs"> {
  userAgent: string;
  /** Why it is no person's click; null when it may be one. */
  reason: NotHumanReason | null;
}

/** What is known of the world outside by who asks. */
export interface ClickJudge {
  /** Whether a user agent names itself a bot. */
  isBot(userAgent: string): boolean;
  /** The country of an address, ISO 3166-1 alpha-2; null when not known. */
  countryOf(address: string): string | null;
}

/** More of a user agent is not looked at; real ones have 300 at most. */
const USER_AGENT_MAX = 1_024;

/** Headers with which browsers say that nobody has asked to see the page yet. */
const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** What they say then; `preview` is Safari's. */
const NOT_SEEN = /\b(?:prefetch|prerender|preview)\b/i;

const AI = anyOf(AI_FETCHERS);
const PREVIEWS = anyOf(LINK_PREVIEWS);

/** Reads all of a request that its judgement depends on. */
export function judgedRequest(
  request: ClickRequest,
  judge: Pick<ClickJudge, "isBot">,
): JudgedRequest {
  const { address, atMs, headers } = request;
  const userAgent = userAgentOf(headers);
  return { address, atMs, userAgent, reason: requestReason(request, judge) };
}

/**
 * Why a request is not a person's click, by itself; null when it may be one,
 * unless it repeats another. Where several reasons fit, returns the first.
 */
export function requestReason(
  { method, headers }: Pick<ClickRequest, "method" | "headers">,
  judge: Pick<ClickJudge, "isBot">,
): NotHumanReason | null {
  if (isPrefetch(headers)) return "prefetch";
  if (method === "HEAD") return "head";
  const userAgent = userAgentOf(headers);
  if (userAgent === "") return "no_user_agent";
  // These name themselves; a list of bots knows most of them as just that.
  if (PREVIEWS.test(userAgent)) return "preview";
  if (AI.test(userAgent) || isSignedAgent(headers)) return "ai_fetcher";
  if (judge.isBot(userAgent)) return "bot";
  return isEmbedded(headers) ? "embedded" : null;
}

/** The user agent as it is judged: not longer than one can be. */
function userAgentOf(headers: Pick<Headers, "get">): string {
  return (headers.get("user-agent") ?? "").slice(0, USER_AGENT_MAX).trim();
}

function isPrefetch(headers: Pick<Headers, "get">): boolean {
  return PURPOSE_HEADERS.some((name) => {
    const value = headers.get(name);
    return value !== null && NOT_SEEN.test(value);
  });
}

/**
 * Agents that drive a real browser look like one, and say who they are by
 * signing their requests (Web Bot Auth, the header Signature-Agent).
 */
function isSignedAgent(headers: Pick<Headers, "get">): boolean {
  return headers.get("signature-agent") !== null;
}

/**
 * Browsers say when an address is loaded as a picture, a frame or by a script:
 * nobody saw it, whoever put it there.
 */
function isEmbedded(headers: Pick<Headers, "get">): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (mode !== null && mode !== "navigate") return true;
  const destination = headers.get("sec-fetch-dest");
  return destination !== null && destination !== "document";
}

/** Matches a text that has any of the tokens in it, in either case. */
function anyOf(tokens: readonly string[]): RegExp {
  const escaped = tokens.map((each) => each.replace(/[.()/+]/g, "\\$&"));
  return new RegExp(escaped.join("|"), "i");
}
