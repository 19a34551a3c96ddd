import type { Refusal } from "../../domain/refusal.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import type { AnswerContext } from "./answer_context.ts";
import { type PageProblem, PROBLEMS } from "./page_problems.ts";
import { publicProblem } from "./public_problem.ts";
import type { ProblemSlug } from "./problem_types.ts";
import { renderPublic } from "./public_surface.ts";

/** What scripts of our own pages are answered: public problems. */
export const SCRIPT_ANSWERS: SurfaceAnswers = { refused: renderScript };

/** By the status that a page would have. */
const SLUGS: Readonly<Record<number, ProblemSlug>> = {
  400: "invalid-input",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
};

function renderScript(refusal: Refusal, context: AnswerContext): Response {
  switch (refusal.code) {
    case "cookie_repeated":
    case "origin_not_own":
    case "session_missing":
    case "sign_in_stale":
    case "passkey_rejected":
    case "passkeys_full": {
      const { status, title, text }: PageProblem = PROBLEMS[refusal.code];
      const slug = SLUGS[status] ?? "invalid-input";
      return publicProblem(
        { slug, status, detail: `${title}: ${text}` },
        context,
      );
    }
    default:
      return renderPublic(refusal, context);
  }
}
