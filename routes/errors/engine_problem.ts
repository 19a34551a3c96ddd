import { type AnswerContext, problemResponse } from "./answer_context.ts";
import type { ProblemSlug } from "./problem_types.ts";

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

/** A code of the auction engine and the operator API. */
export type EngineCode = keyof typeof ENGINE_CODES;

/** What an EngineProblem says. */
export interface EngineProblem {
  code: EngineCode;
  detail?: string;
  errors?: readonly { field: string; code: string; message: string }[];
  /** Headers of this answer alone, such as Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** An EngineProblem as a response (contract §12.1). */
export function engineProblem(
  { code, detail, errors, headers }: EngineProblem,
  context: AnswerContext,
): Response {
  const kind = { ...ENGINE_CODES[code], headers };
  return problemResponse(kind, { code, detail, errors }, context);
}
