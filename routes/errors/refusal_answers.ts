import { InvariantBroken } from "../../domain/invariant.ts";
import type { Refusal, RefusalCode, RefusalOf } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";
import { seconds } from "./public_problem.ts";

/** What answers a refusal, once the request is known that met it. */
export type Answer = (context: AnswerContext) => Response;

/** What a surface says to each refusal that its operations can meet. */
export type RefusalAnswers<Said = Answer> = {
  readonly [Code in RefusalCode]?: (refusal: RefusalOf<Code>) => Said;
};

/**
 * The renderer of a surface. A refusal that its table does not know is a bug,
 * which the caller sees as that surface's 500.
 *
 * @param write makes the answer of what the table says
 */
export function answeringBy<Said>(
  surface: string,
  answers: RefusalAnswers<Said>,
  write: (said: Said, context: AnswerContext) => Response,
): (refusal: Refusal, context: AnswerContext) => Response {
  return (refusal, context) => {
    const say = answers[refusal.code] as
      | ((refusal: Refusal) => Said)
      | undefined;
    if (say === undefined) {
      throw new InvariantBroken(
        `Invariant broken: the ${surface} surface met the refusal ` +
          `"${refusal.code}"`,
      );
    }
    return write(say(refusal), context);
  };
}

/** For tables whose entries make the answer themselves. */
export function asSaid(answer: Answer, context: AnswerContext): Response {
  return answer(context);
}

/** What a 405 says, and the header that it must carry (RFC 9110 §15.5.6). */
export function methodNotAllowedText(
  { allow }: RefusalOf<"method_not_allowed">,
): { text: string; headers: { allow: string } } {
  const methods = allow.join(", ");
  return {
    text: `Cannot use this method here: the address takes ${methods}`,
    headers: { allow: methods },
  };
}

/** What a 429 says of the bucket that is empty, where there is more than one. */
export function emptyBucketText(
  { retryAfterS, of }: RefusalOf<"rate_limited">,
): string {
  return `Cannot answer now: the bucket of the ${of ?? "grant"} is empty, ` +
    `retry in ${seconds(retryAfterS)}`;
}

/**
 * What a request is told whose key belongs to another request.
 *
 * @param key what the surface calls it
 */
export function keyConflict(key = "Idempotency-Key"): string {
  return `Cannot repeat the request: its ${key} belongs to another request, ` +
    "send a new key";
}

/** What a repeat is told while the first request is under way. */
export function keyInFlight(key = "Idempotency-Key"): string {
  return `Cannot repeat the request yet: the first one with its ${key} is not ` +
    "finished, retry in 1 second";
}

/** What a request is told that needs a key and has none. */
export function keyRequired(
  characters: "visible" | "printable",
  key = "Idempotency-Key",
): string {
  const what = key === "Idempotency-Key" ? `the header ${key}` : key;
  return `Cannot answer the request: ${what} must be given, ` +
    `as 1 to 255 ${characters} ASCII characters`;
}

/** The header that says when to ask again (RFC 9110 §10.2.3). */
export function retryAfter(
  { retryAfterS }: { retryAfterS: number },
): { "retry-after": string } {
  return { "retry-after": String(retryAfterS) };
}
