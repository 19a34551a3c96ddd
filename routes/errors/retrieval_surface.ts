import { type AnswerContext, errorResponse } from "./answer_context.ts";
import { recordedAs, seconds } from "./public_problem.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
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
  invalid_input: ({ message }) => failure(400, message),
  bad_request: ({ message }) => failure(400, message),
  not_found: ({ message }) => failure(404, message),
  method_not_allowed: (refusal) => {
    const { text, headers } = methodNotAllowedText(refusal);
    return failure(405, text, headers);
  },
}, asSaid);

/** 413: "byte limit exceeded". */
export function retrievalTooLong(
  maxBytes: number,
  context: AnswerContext,
): Response {
  const message = `Cannot search: the body must be at most ${maxBytes} bytes`;
  return failure(413, message)(context);
}

/** 503, with when to ask again. */
export function retrievalUnavailable(
  retryAfterS: number,
  context: AnswerContext,
): Response {
  const message = `Cannot search now: retry in ${seconds(retryAfterS)}`;
  return failure(503, message, retryAfter({ retryAfterS }))(context);
}

/** 500, without an inner detail. */
export function retrievalFault(context: AnswerContext): Response {
  return failure(500, `Cannot search${recordedAs(context)}`)(context);
}

/** A retrieval failure as a response (contract §12.1). */
function failure(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const body = {
    _meta: { version: RETRIEVAL_VERSION, response_type: "failure" },
    error: { code: status, message },
  };
  return (context) =>
    errorResponse(status, "application/json", body, context, headers);
}
