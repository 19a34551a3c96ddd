import { type AnswerContext, problemResponse } from "./answer_context.ts";
import type { ProblemSlug } from "./problem_types.ts";

/** Every code of an AgentProblem, with its status and kind (contract §12.3). */
export const AGENT_CODES = {
  "agent.scope-missing": { status: 403, slug: "agent-scope-missing" },
  "agent.mandate-exceeded": { status: 403, slug: "agent-mandate-exceeded" },
  "agent.mandate-expired": { status: 403, slug: "agent-mandate-expired" },
  "agent.human-step-required": {
    status: 403,
    slug: "agent-human-step-required",
  },
  "agent.idempotency-key-required": {
    status: 400,
    slug: "idempotency-key-required",
  },
  "agent.bad-request": { status: 400, slug: "agent-bad-request" },
  "agent.bid-not-found": { status: 404, slug: "agent-bid-not-found" },
  "agent.rate-limited": { status: 429, slug: "rate-limited" },
  "agent.not-found": { status: 404, slug: "not-found" },
  "agent.method-not-allowed": { status: 405, slug: "method-not-allowed" },
} as const satisfies Record<string, { status: number; slug: ProblemSlug }>;

/** A code of the agent API. */
export type AgentCode = keyof typeof AGENT_CODES;

/** The members that belong to one code only. */
export type AgentProblemMembers =
  | { limit: number; used: number; requested: number }
  | { reasons: readonly string[]; action_url: string };

/** What an AgentProblem says. */
export interface AgentProblem {
  code: AgentCode;
  detail: string;
  members?: AgentProblemMembers;
  /** Headers of this answer alone, such as Allow. */
  headers?: Readonly<Record<string, string>>;
}

/** An AgentProblem as a response (contract §12.1). */
export function agentProblem(
  { code, detail, members, headers }: AgentProblem,
  context: AnswerContext,
): Response {
  const kind = { ...AGENT_CODES[code], headers };
  return problemResponse(kind, { code, detail, ...members }, context);
}
