import {
  impossiblePage,
  ON_HOLD_TEXT,
  type PageProblem,
  PROBLEMS,
} from "./page_problems.ts";
import type { CreativeRefusal } from "../../domain/creatives/creative_refusal.ts";
import { StoreOnHold } from "../../domain/failure.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import { bodyOf, PRIVATE_PAGE_SECURITY } from "../site/pages/page_answer.ts";
import { MessagePage } from "../site/pages/spotlight_pages.tsx";
import { type AnswerContext, errorHeaders } from "./answer_context.ts";
import { creativeText } from "./creative_text.ts";
import { seconds } from "./public_problem.ts";

/** What pages answer to whatever is not a success: pages. */
export const PAGE_ANSWERS: SurfaceAnswers = {
  refused: (refusal, context) => pageProblem(problemOf(refusal), context),
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

const BACK_SOON = {
  title: "Back in a moment",
  text: "The page cannot be shown right now. Please try again.",
};

const ON_HOLD = { title: "Not possible right now", text: ON_HOLD_TEXT };

/** A page about a problem. */
export function pageProblem(
  { status, title, text, headers }: PageProblem,
  context: AnswerContext,
): Response {
  const page = <MessagePage title={title} text={text} />;
  return new Response(bodyOf(page, "unknown"), {
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

function problemOf(refusal: Refusal): PageProblem {
  switch (refusal.code) {
    case "invalid_input":
    case "bad_request":
    case "authorization_unusable":
      return {
        status: 400,
        title: "That could not be read",
        text: `${refusal.message}.`,
      };
    case "method_not_allowed":
      return {
        status: 405,
        title: "That does not work here",
        text: "This address can't be used in that way.",
        headers: { allow: refusal.allow.join(", ") },
      };
    case "rate_limited":
    case "sign_in_mails_exhausted":
    case "tries_exhausted":
      return {
        status: 429,
        title: "Too many requests",
        text: `Please try again in ${seconds(refusal.retryAfterS)}.`,
        headers: { "retry-after": String(refusal.retryAfterS) },
      };
    case "creative_refused":
      return creativeProblem(refusal.why);
    case "not_found":
    case "account_not_found":
    case "cookie_repeated":
    case "origin_not_own":
    case "session_missing":
    case "sign_in_stale":
    case "sign_in_code_gone":
    case "sign_in_code_wrong":
    case "passkey_not_found":
    case "passkey_rejected":
    case "passkeys_full":
    case "last_sign_in_method":
    case "authorization_not_found":
    case "authorization_of_another_browser":
    case "partner_required":
    case "cards_full":
    case "creative_not_found":
    case "payment_method_not_found":
    case "card_of_live_bid":
      return PROBLEMS[refusal.code];
    default:
      return impossiblePage(refusal);
  }
}
