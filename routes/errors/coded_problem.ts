import { problemResponse } from "./answer_context.ts";
import type { ProblemSlug } from "./problem_types.ts";
import type { Answer } from "./refusal_answers.ts";

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

/**
 * Every code of an EngineProblem, with its status and kind (contract §12.4).
 */
export const ENGINE_CODES = {
  VALIDATION_FAILED: { status: 400, slug: "validation-failed" },
  AUTH_REQUIRED: { status: 401, slug: "auth-required" },
  FORBIDDEN: { status: 403, slug: "forbidden" },
  NOT_FOUND: { status: 404, slug: "not-found" },
  CONFLICT: { status: 409, slug: "conflict" },
  RATE_LIMITED: { status: 429, slug: "rate-limited" },
} as const satisfies Record<string, { status: number; slug: ProblemSlug }>;

const CODES = { ...AGENT_CODES, ...ENGINE_CODES };

/** The members that belong to some codes only, and headers of the answer. */
export interface ProblemMembers {
  /** The kind of problem, where the code has several. */
  slug?: ProblemSlug;
  limit?: number;
  used?: number;
  requested?: number;
  reasons?: readonly string[];
  action_url?: string;
  errors?: readonly { field: string; code: string; message: string }[];
  /** Such as Allow. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * An AgentProblem or EngineProblem, by its code (contract §12.1). Their members
 * are a closed list, so what is finer than the code is said by `type`.
 */
export function codedProblem(
  code: keyof typeof CODES,
  detail: string,
  { headers, slug, ...members }: ProblemMembers = {},
): Answer {
  const { status, slug: usual } = CODES[code];
  const kind = { status, slug: slug ?? usual, headers };
  return (context) =>
    problemResponse(kind, { code, detail, ...members }, context);
}
