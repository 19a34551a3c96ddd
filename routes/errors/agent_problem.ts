import { type AnswerContext, errorResponse } from "./answer_context.ts";
import {
  PROBLEM_TYPES,
  type ProblemSlug,
  problemTypeUrl,
} from "./problem_types.ts";

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
  problem: AgentProblem,
  context: AnswerContext,
): Response {
  const { status, slug } = AGENT_CODES[problem.code];
  const body = {
    type: problemTypeUrl(context.settings, slug),
    title: PROBLEM_TYPES[slug].title,
    status,
    code: problem.code,
    detail: problem.detail,
    ...problem.members,
  };
  return errorResponse(
    status,
    "application/problem+json",
    body,
    context,
    problem.headers,
  );
}
