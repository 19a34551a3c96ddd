import { z } from "zod";

/** The problem objects of all surfaces have these in common. */
const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().optional().describe("What to branch on"),
  detail: z.string().optional().describe("What was wrong, in a sentence"),
}).describe("Why the call was refused; isError is true");

/** "ApiError: error object with code, message, retryable." */
const apiError = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
}).describe("Why a bid of another shape was refused; isError is true");

/**
 * What a tool answers, or the problem it is refused with. Clients of the
 * revisions of 2025 hold the content of an error to the schema too, so a
 * schema of answers alone would hide every refusal from them.
 */
export function orProblem<Answer extends z.ZodType>(
  answer: Answer,
): z.ZodUnion<[Answer, typeof problem, typeof apiError]> {
  return z.union([answer, problem, apiError]);
}
