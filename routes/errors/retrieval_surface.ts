import { type AnswerContext, errorResponse } from "./answer_context.ts";
import { seconds } from "./public_problem.ts";
import {
  answeringBy,
  methodNotAllowedText,
  retryAfter,
} from "./refusal_answers.ts";

/** The version of the retrieval protocol (contract §14.1). */
export const RETRIEVAL_VERSION = "0.55";

/**
 * What `/ask` refuses with: retrieval failures, also where a stream was asked
 * for (contract §5.4). The 429 of an empty bucket is the public problem of the
 * gate, which comes before anything that is answered here.
 */
export const renderRetrieval = answeringBy("retrieval", {
  invalid_input: ({ message }, context) => failure(400, message, context),
  bad_request: ({ message }, context) => failure(400, message, context),
  not_found: ({ message }, context) => failure(404, message, context),
  method_not_allowed: (refusal, context) => {
    const { text, headers } = methodNotAllowedText(refusal);
    return failure(405, text, context, headers);
  },
});

/** 413: "byte limit exceeded". */
export function retrievalTooLong(
  maxBytes: number,
  context: AnswerContext,
): Response {
  const message = `Cannot search: the body must be at most ${maxBytes} bytes`;
  return failure(413, message, context);
}

/** 503, with when to ask again. */
export function retrievalUnavailable(
  retryAfterS: number,
  context: AnswerContext,
): Response {
  const message = `Cannot search now: retry in ${seconds(retryAfterS)}`;
  return failure(503, message, context, retryAfter({ retryAfterS }));
}

/** 500, without an inner detail. */
export function retrievalFault(context: AnswerContext): Response {
  const { requestId } = context;
  const named = requestId === undefined
    ? ""
    : `: the fault is recorded as "${requestId}"`;
  return failure(500, `Cannot search${named}`, context);
}

/** A retrieval failure as a response (contract §12.1). */
function failure(
  status: number,
  message: string,
  context: AnswerContext,
  headers?: Readonly<Record<string, string>>,
): Response {
  const body = {
    _meta: { version: RETRIEVAL_VERSION, response_type: "failure" },
    error: { code: status, message },
  };
  return errorResponse(status, "application/json", body, context, headers);
}
