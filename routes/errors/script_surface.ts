import type { RefusalCode, RefusalOf } from "../../domain/refusal.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import { type PageProblem, PROBLEMS } from "./page_problems.ts";
import { publicProblem } from "./public_problem.ts";
import type { ProblemSlug } from "./problem_types.ts";
import { PUBLIC_REFUSALS } from "./public_surface.ts";
import { type Answer, answeringBy, asSaid } from "./refusal_answers.ts";

/** By the status that a page would have. */
const SLUGS: Readonly<Record<number, ProblemSlug>> = {
  400: "invalid-input",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
};

/** What scripts of our own pages are answered: public problems. */
export const SCRIPT_ANSWERS: SurfaceAnswers = {
  refused: answeringBy("script", {
    ...PUBLIC_REFUSALS,
    cookie_repeated: inWordsOfPage,
    origin_not_own: inWordsOfPage,
    session_missing: inWordsOfPage,
    sign_in_stale: inWordsOfPage,
    form_of_another: inWordsOfPage,
    passkey_rejected: inWordsOfPage,
    passkeys_full: inWordsOfPage,
  }, asSaid),
};

function inWordsOfPage(
  { code }: RefusalOf<RefusalCode & keyof typeof PROBLEMS>,
): Answer {
  const { status, title, text }: PageProblem = PROBLEMS[code];
  const slug = SLUGS[status] ?? "invalid-input";
  const detail = `${title}: ${text}`;
  return (context) => publicProblem({ slug, status, detail }, context);
}
