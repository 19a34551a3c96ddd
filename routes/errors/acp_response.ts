import type { AcpError } from "../../domain/checkout/acp_error.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";

/**
 * An error of agentic checkout: a flat object, JSON and no problem, with
 * `Retry-After` where the same request may be repeated.
 */
export function acpResponse(
  { status, body, retryAfterS }: AcpError,
  context: AnswerContext,
  own: Readonly<Record<string, string>> = {},
): Response {
  const headers = retryAfterS === undefined
    ? own
    : { ...own, "retry-after": String(retryAfterS) };
  return errorResponse(status, "application/json", body, context, headers);
}
