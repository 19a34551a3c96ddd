import { type AnswerContext, errorResponse } from "./answer_context.ts";

/** An ApiError as a response (contract §12.1). */
export function apiError(
  error: { status: number; code: string; message: string; retryable: boolean },
  context: AnswerContext,
): Response {
  const { code, message, retryable } = error;
  return errorResponse(
    error.status,
    "application/json",
    { error: { code, message, retryable } },
    context,
  );
}
