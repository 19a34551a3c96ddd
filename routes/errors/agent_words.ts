import type { RefusedBid } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";

/** Where else one looks, by the tool that does. */
const LISTS = {
  list_my_bids: "/bids",
  list_creatives: "/creatives",
  list_payment_methods: "/payment_methods",
} as const;

/** How refusals name what else can be asked, as their readers ask it. */
export interface AgentWords {
  /** What lists things of the account. */
  list(tool: keyof typeof LISTS): string;
  /** What says how ready a bid is, or the account where none is named. */
  readiness(
    bid: RefusedBid | undefined,
    settings: AnswerContext["settings"],
  ): string;
  /** What a request is repeated with. */
  key: "Idempotency-Key" | "idempotency_key";
}

/** For requests, each with the tool that does the same. */
export const REQUEST_WORDS: AgentWords = {
  list: (tool) => `GET /v1/agent${LISTS[tool]} (${tool})`,
  readiness: (bid, { authUrl }) =>
    `GET ${bid?.readinessUrl ?? `${authUrl}/v1/agent/me`}`,
  key: "Idempotency-Key",
};

/** For models, which call tools and send no requests. */
export const TOOL_WORDS: AgentWords = {
  list: (tool) => tool,
  readiness(bid) {
    if (bid === undefined) return "get_account";
    return `get_account with ${JSON.stringify(bid.asked)}`;
  },
  key: "idempotency_key",
};
