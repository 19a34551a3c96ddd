import { z } from "zod";

/** The problem objects of all surfaces have these in common. */
const problem = z.looseObject({
  status: z.int(),
  title: z.string(),
  code: z.string().optional(),
  detail: z.string().optional(),
}).describe("A refusal; isError is true");

/**
 * What a tool answers, or the problem it is refused with. Clients of the
 * revisions of 2025 hold the content of an error to the schema too, so a
 * schema of answers alone would hide every refusal from them.
 */
export function orProblem<Answer extends z.ZodType>(
  answer: Answer,
): z.ZodUnion<[Answer, typeof problem]> {
  return z.union([answer, problem]);
}
