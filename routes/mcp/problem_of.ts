import { TemporaryFailure } from "../../domain/failure.ts";
import type { Log, Settings } from "../../domain/ports.ts";
import { Refused } from "../../domain/refusal.ts";
import type { AnswerContext } from "../errors/answer_context.ts";
import { unavailableProblem } from "../errors/public_problem.ts";
import { faultFields } from "../fault.ts";
import type { SurfaceAnswers } from "../route_table.ts";

/** What telling a problem needs. */
export interface ProblemServices {
  settings: Pick<Settings, "baseUrl" | "authUrl">;
  log: Log;
  /** The problems of the surface that the server is beside. */
  answers: SurfaceAnswers;
}

/** A problem object of any surface. */
export type Problem = Record<string, unknown>;

/**
 * The problem object that the surface beside the server would answer, so that
 * both say the same.
 *
 * @throws what is neither a refusal nor a temporary failure
 */
export async function problemOf(
  { settings, answers, log }: ProblemServices,
  requestId: string,
  thrown: unknown,
): Promise<Problem> {
  const context: AnswerContext = { settings, requestId };
  if (thrown instanceof Refused) {
    return await answers.refused(thrown.refusal, context).json();
  }
  if (!(thrown instanceof TemporaryFailure)) throw thrown;
  if (!thrown.isOrdinary) {
    log.error("temporary_failure", faultFields(requestId, thrown));
  }
  const render = answers.unavailable ?? unavailableProblem;
  return await render(thrown.retryAfterS, context, thrown).json();
}
