import type { TemporaryFailure } from "../../domain/failure.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";

/** Renders what is not a success, in the shape of the surface. */
export interface SurfaceAnswers {
  refused(refusal: Refusal, context: AnswerContext): Response;
  /** 500; a public problem where it is left out. */
  failed?(context: AnswerContext): Response;
  /** 503; a public problem where it is left out. */
  unavailable?(
    retryAfterS: number,
    context: AnswerContext,
    failure: TemporaryFailure,
  ): Response;
}
