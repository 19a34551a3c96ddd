import type { SurfaceAnswers } from "../route_table.ts";
import { renderRehearsal, renderRehearsedTools } from "./agent_surface.ts";
import type { AnswerContext } from "./answer_context.ts";
import { forEveryone } from "./public_answers.ts";
import { internalProblem, unavailableProblem } from "./public_problem.ts";

/** What every answer of a rehearsal begins with. */
export const IN_SANDBOX = { sandbox: true } as const;

/** The problems of the agent API, each marked as practice. */
export const REHEARSAL_ANSWERS: SurfaceAnswers = {
  refused: (refusal, context) => renderRehearsal(refusal, inSandbox(context)),
  failed: (context) => internalProblem(inSandbox(context)),
  unavailable: (retryAfterS, context, failure) =>
    unavailableProblem(retryAfterS, inSandbox(context), failure),
};

/** The same for who rehearses tools. */
export const REHEARSED_TOOL_ANSWERS: SurfaceAnswers = {
  ...REHEARSAL_ANSWERS,
  refused: (refusal, context) =>
    renderRehearsedTools(refusal, inSandbox(context)),
};

function inSandbox(context: AnswerContext): AnswerContext {
  return { ...forEveryone(context), members: IN_SANDBOX };
}
