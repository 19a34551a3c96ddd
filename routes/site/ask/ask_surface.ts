import { ASK_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import type { Settings } from "../../../domain/ports.ts";
import { ask } from "../../../domain/retrieval/ask.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import { bodyBytes, utf8Text } from "../../body_bytes.ts";
import {
  renderRetrieval,
  retrievalFault,
  retrievalTooLong,
  retrievalUnavailable,
} from "../../errors/retrieval_surface.ts";
import { saysJson } from "../../json_type.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import {
  route,
  type RouteContext,
  type Surface,
  type SurfaceAnswers,
} from "../../route_table.ts";
import {
  answerContextOf,
  forEveryone,
  publicHeaders,
} from "../public_answer.ts";
import { publicGate } from "../public_gate.ts";
import { queryOf, refuseInput } from "../query.ts";
import { answerText, streamText } from "./ask_answer.ts";
import {
  ASK_ACTION,
  type AskRequest,
  parseAskBody,
  parseAskQuery,
} from "./ask_request.ts";

/** What the surface is made of. */
export interface AskParts extends RateLimits {
  settings: Pick<Settings, "baseUrl" | "authUrl">;
  retrieval: Retrieval;
}

/** `/ask`, in list mode only and without sign-in (contract §5). */
export function askSurface(parts: AskParts): Surface {
  const { settings } = parts;
  const site = new URL(settings.baseUrl).host;
  const answer = async (context: RouteContext, asked: AskRequest) => {
    const items = await ask(parts.retrieval, asked.query);
    return asked.streaming
      ? answerWith(context, streamText(items, site), STREAM)
      : answerWith(context, answerText(items), JSON_ANSWER);
  };
  return {
    prefix: "/ask",
    openToScripts: true,
    enter: [publicGate(parts, settings)],
    routes: [
      route(
        "GET",
        "/ask",
        (context) => answer(context, parseAskQuery(queryOf(context.req.url))),
      ),
      route("POST", "/ask", async (context) => {
        const text = await bodyText(context.req.raw);
        return text === null
          ? retrievalTooLong(
            ASK_BODY_MAX_BYTES,
            answerContextOf(context, settings),
          )
          : answer(context, parseAskBody(text));
      }),
    ],
    answers: ASK_ANSWERS,
  };
}

const JSON_ANSWER = { "content-type": "application/json" };
/** The last keeps proxies from holding events back. */
const STREAM = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};

const ASK_ANSWERS: SurfaceAnswers = {
  refused: (refusal, context) => renderRetrieval(refusal, forEveryone(context)),
  failed: (context) => retrievalFault(forEveryone(context)),
  unavailable: (retryAfterS, context) =>
    retrievalUnavailable(retryAfterS, forEveryone(context)),
};

function answerWith(
  context: RouteContext,
  text: string,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(text, {
    headers: {
      ...headers,
      "cache-control": "no-store",
      ...publicHeaders(context),
    },
  });
}

/** The text of a body; null when it is too long. */
async function bodyText(request: Request): Promise<string | null> {
  if (!saysJson(request)) {
    refuseInput(`${ASK_ACTION}: the media type must be application/json`);
  }
  const bytes = await bodyBytes(request, ASK_BODY_MAX_BYTES);
  if (bytes === "too_long") return null;
  if (bytes === "cut_off") {
    refuseInput(`${ASK_ACTION}: the body must arrive whole`);
  }
  return utf8Text(bytes) ??
    refuseInput(`${ASK_ACTION}: the body must be UTF-8`);
}
