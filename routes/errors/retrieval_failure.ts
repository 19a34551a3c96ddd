import { type AnswerContext, errorResponse } from "./answer_context.ts";

/** "Retrieval protocol version: 0.55 in _meta.version." */
export const RETRIEVAL_VERSION = "0.55";

/** "Retrieval failure: _meta {version, response_type}; error {code, message}." */
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
