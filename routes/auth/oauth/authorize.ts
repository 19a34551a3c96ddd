import type { TemporaryFailure } from "../../../domain/failure.ts";
import { FetchBusy } from "../../../domain/fetching/fetcher.ts";
import {
  type FaultyAuthorization,
  startAuthorization,
} from "../../../domain/oauth/authorize/start_authorization.ts";
import { answerContextOf } from "../../context.ts";
import { type AnswerContext, NO_STORE } from "../../errors/answer_context.ts";
import {
  answeringBy,
  methodNotAllowedText,
  retryAfter,
} from "../../errors/refusal_answers.ts";
import { chargeNetworks, limitAddress } from "../../middleware/rate_limit.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { queryOf } from "../../http/query.ts";
import { respondEmpty } from "../../http/respond.ts";
import { type ErrorPage, errorPage } from "./error_page.tsx";
import type { OauthParts } from "./oauth_parts.ts";

/**
 * `GET /oauth/authorize`: checks the request and hands the browser over to the
 * website, where the session is. Whatever goes wrong here is shown on a page.
 */
export function authorizeSurface(parts: OauthParts): Surface {
  const { services, clients } = parts;
  const { baseUrl } = services.settings;
  return {
    prefix: "/oauth/authorize",
    enter: [limitAddress(parts)],
    routes: [
      route("GET", "/oauth/authorize", async (context) => {
        const asker = parts.askerOf(context);
        const started = await startAuthorization(services, {
          query: queryOf(context.req.url),
          resolveClient: (clientId) => clients.resolve(clientId, asker),
          admit: () => chargeNetworks(context, parts, "authorization"),
        });
        if (started.kind === "faulty") return faulty(started, context, parts);
        // Never 307, which would send a form on (OAuth 2.1 §7.5.3).
        return respondEmpty(303, {
          location: `${baseUrl}/connect/${started.request.id}`,
          "referrer-policy": "no-referrer",
          ...NO_STORE,
        });
      }),
    ],
    answers: { refused, failed, unavailable },
  };
}

/** Before any sign-in; the client hears of it only if the person goes there. */
function faulty(
  { description, redirectTo, host }: FaultyAuthorization,
  context: RouteContext,
  { services }: OauthParts,
): Response {
  return errorPage({
    status: 400,
    title: "This application cannot be connected",
    text: `What it asks for is faulty: ${description}.`,
    back: { redirectTo, host },
  }, answerContextOf(context, services.settings));
}

const refused = answeringBy<ErrorPage>("authorize", {
  authorization_unusable: ({ message }) => ({
    status: 400,
    title: "This application cannot be connected",
    text: `${message}.`,
  }),
  rate_limited: (refusal) => ({
    status: 429,
    title: "Too many requests",
    text: `Please try again in ${refusal.retryAfterS} s.`,
    headers: retryAfter(refusal),
  }),
  method_not_allowed: (refusal) => ({
    status: 405,
    title: "This application cannot be connected",
    text: "It asked in a way that is not supported.",
    headers: methodNotAllowedText(refusal).headers,
  }),
  not_found: () => ({
    status: 404,
    title: "There is no such page",
    text: "The address may have been mistyped.",
  }),
}, errorPage);

function unavailable(
  retryAfterS: number,
  context: AnswerContext,
  failure: TemporaryFailure,
): Response {
  const isBusy = failure instanceof FetchBusy;
  return errorPage({
    status: 503,
    title: isBusy ? "Temporarily busy" : "Back in a moment",
    text: isBusy
      ? "Too many applications are being looked up right now. Please try " +
        `again in ${retryAfterS} s.`
      : "The page cannot be shown right now. Please try again.",
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

function failed(context: AnswerContext): Response {
  return errorPage({
    status: 500,
    title: "Something went wrong",
    text: "The fault has been recorded.",
  }, context);
}
