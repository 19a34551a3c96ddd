import type { Json } from "../idempotency/canonical_json.ts";
import type { Scope } from "../oauth/grant.ts";
import type { WantedBid } from "./snapshot.ts";

/** Who does what next (contract §7.3). */
export interface NextAction {
  actor: "agent" | "user" | "wait";
  label: string;
  /** A path of the API for an agent, of the website for anyone else. */
  url: string;
  tool?: AgentTool;
  /** Named as the tool names them. */
  arguments?: Readonly<Record<string, Json>>;
  required_scopes?: readonly Scope[];
  required_inputs?: readonly string[];
  /** When a wait ends, where that is known. */
  until?: string;
  /** Else how long to wait before readiness is read again. */
  poll_after_seconds?: number;
}

/** How long a wait takes: until a moment, or until somebody has decided. */
export type WaitTime = Pick<NextAction, "until" | "poll_after_seconds">;

/**
 * The tools an action may name, with the operation each stands for. A path's
 * `{ad_id}` is the argument of that name.
 */
export const AGENT_TOOLS = {
  get_account: { scope: "account:read", url: "/v1/agent/me" },
  list_my_bids: { scope: "bids:read", url: "/v1/agent/bids" },
  place_bid: { scope: "bids:write", url: "/v1/agent/bids", method: "POST" },
  list_creatives: { scope: "creatives:read", url: "/v1/agent/creatives" },
  get_creative: {
    scope: "creatives:read",
    url: "/v1/agent/creatives/{ad_id}",
  },
  create_creative: {
    scope: "creatives:write",
    url: "/v1/agent/creatives",
    method: "POST",
  },
  submit_creative: {
    scope: "creatives:write",
    url: "/v1/agent/creatives/{ad_id}/submit",
    method: "POST",
  },
} as const satisfies Readonly<
  Record<string, { scope: Scope; url: string; method?: "POST" }>
>;

/** A tool of the advertiser MCP server, and an operation of the agent API. */
export type AgentTool = keyof typeof AGENT_TOOLS;

/** A step the agent takes by itself. */
export function agentStep(
  tool: AgentTool,
  label: string,
  given: Readonly<Record<string, Json>>,
  requiredInputs: readonly string[] = [],
): NextAction {
  const { scope, url, ...how } = AGENT_TOOLS[tool];
  return {
    actor: "agent",
    // Its members are fixed, and whoever opens the address has to know how.
    label: "method" in how ? `${label} with ${how.method}` : label,
    url: url.replace("{ad_id}", String(given["ad_id"])),
    tool,
    arguments: given,
    required_scopes: [scope],
    ...requiredInputs.length > 0 ? { required_inputs: requiredInputs } : {},
  };
}

/** A step a person takes in the browser. */
export function userStep(label: string, path: string): NextAction {
  return { actor: "user", label, url: path };
}

/** Nothing to do but wait. */
export function waitStep(
  label: string,
  path: string,
  time: WaitTime,
): NextAction {
  return { actor: "wait", label, url: path, ...time };
}

/** How long a wait still takes, ms. */
function waitMs(
  { until, poll_after_seconds: seconds }: WaitTime,
  nowMs: number,
) {
  return until === undefined
    ? (seconds ?? 0) * 1_000
    : Date.parse(until) - nowMs;
}

/** What an agent does by itself is done at once; a wait helps nobody sooner. */
const TURNS = { agent: 0, user: 1, wait: 2 } as const;

/**
 * The action that unblocks soonest: the agent's own first, then a person's, and
 * a wait only where nobody can do anything, the one that ends first. Among
 * equals it is the first of the list.
 */
export function soonest(
  actions: readonly NextAction[],
  nowMs: number,
): NextAction | undefined {
  const [first, ...others] = actions;
  return others.reduce<NextAction | undefined>((best, each) => {
    if (best === undefined) return each;
    const later = TURNS[each.actor] - TURNS[best.actor] ||
      waitMs(each, nowMs) - waitMs(best, nowMs);
    return later < 0 ? each : best;
  }, first);
}

/** What a query may say, by the names it is said with. */
export type BidInput = "day" | "ad_id" | "amount_cents";

/** What the query said about the bid, as arguments of a tool. */
export function givenArguments(
  wanted: WantedBid,
  leftOut?: BidInput,
): Record<string, string | number> {
  const all: Record<BidInput, string | number | null> = {
    day: wanted.day,
    ad_id: wanted.adId,
    amount_cents: wanted.amountCents,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || name === leftOut ? [] : [[name, value]]
    ),
  );
}
