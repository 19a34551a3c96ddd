import { type AnswerContext, errorResponse } from "./answer_context.ts";

/** The version of the retrieval protocol (contract §14.1). */
export const RETRIEVAL_VERSION = "0.55";

/** A retrieval failure as a response (contract §12.1). */
export function retrievalFailure(
  failure: {
    status: number;
    message: string;
    headers?: Readonly<Record<string, string>>;
  },
  context: AnswerContext,
): Response {
  const body = {
    _meta: { version: RETRIEVAL_VERSION, response_type: "failure" },
    error: { code: failure.status, message: failure.message },
  };
  return errorResponse(
    failure.status,
    "application/json",
    body,
    context,
    failure.headers,
  );
}
