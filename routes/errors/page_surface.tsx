import { ON_HOLD_TEXT, type PageProblem, PROBLEMS } from "./page_problems.ts";
import type { CreativeRefusal } from "../../domain/creatives/creative_refusal.ts";
import { StoreOnHold } from "../../domain/failure.ts";
import type { SurfaceAnswers } from "./surface_answers.ts";
import { bodyOf, PRIVATE_PAGE_SECURITY } from "../pages/page_answer.ts";
import { MessagePage } from "../pages/message_page.tsx";
import { type AnswerContext, errorHeaders } from "./answer_context.ts";
import { creativeText } from "./creative_text.ts";
import { seconds } from "./public_problem.ts";
import { answeringBy, retryAfter } from "./refusal_answers.ts";
import { respond } from "../http/respond.ts";

/** What pages answer to whatever is not a success: pages. */
export const PAGE_ANSWERS: SurfaceAnswers = {
  refused: (refusal, context) => renderPage(refusal, context),
  failed: (context) =>
    pageProblem({
      status: 500,
      title: "Something went wrong on our side",
      text: "The fault has been recorded" +
        (context.requestId === undefined ? "." : ` as ${context.requestId}.`),
    }, context),
  unavailable: (retryAfterS, context, failure) =>
    pageProblem({
      status: 503,
      ...failure instanceof StoreOnHold ? ON_HOLD : BACK_SOON,
      headers: { "retry-after": String(retryAfterS) },
    }, context),
};

/** Whom a page is written for where nobody has asked who looks at it. */
const NOBODY = { visitor: "unknown", path: "" } as const;

const BACK_SOON = {
  title: "Back in a moment",
  text: "The page cannot be shown right now. Please try again.",
};

const ON_HOLD = { title: "Not possible right now", text: ON_HOLD_TEXT };

/** A page about a problem. */
function pageProblem(
  { status, title, text, headers }: PageProblem,
  context: AnswerContext,
): Response {
  const page = <MessagePage title={title} text={text} />;
  const { viewer = NOBODY } = context;
  return respond(bodyOf(page, viewer), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      ...PRIVATE_PAGE_SECURITY,
      ...errorHeaders(context, headers),
    },
  });
}

function creativeProblem(why: CreativeRefusal): PageProblem {
  const status = why.kind === "bad_copy" ? 400 : 409;
  return { status, title: "That can’t be done", text: `${creativeText(why)}.` };
}

const fixedProblems = Object.fromEntries(
  Object.entries(PROBLEMS).map(([code, problem]) => [code, () => problem]),
) as { [Code in keyof typeof PROBLEMS]: () => PageProblem };

const renderPage = answeringBy<PageProblem>("page", {
  ...fixedProblems,
  invalid_input: unreadable,
  bad_request: unreadable,
  authorization_unusable: unreadable,
  method_not_allowed: ({ allow }) => ({
    status: 405,
    title: "That does not work here",
    text: "This address can't be used in that way.",
    headers: { allow: allow.join(", ") },
  }),
  rate_limited: tooMany,
  sign_in_mails_exhausted: tooMany,
  tries_exhausted: tooMany,
  creative_refused: ({ why }) => creativeProblem(why),
}, pageProblem);

function unreadable({ message }: { message: string }): PageProblem {
  return { status: 400, title: "That could not be read", text: `${message}.` };
}

function tooMany(refusal: { retryAfterS: number }): PageProblem {
  return {
    status: 429,
    title: "Too many requests",
    text: `Please try again in ${seconds(refusal.retryAfterS)}.`,
    headers: retryAfter(refusal),
  };
}
