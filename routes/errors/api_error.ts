import { type AnswerContext, errorResponse } from "./answer_context.ts";

/** "ApiError: error object with code, message, retryable." */
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
