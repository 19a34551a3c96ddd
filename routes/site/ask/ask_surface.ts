import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { ASK_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import type { Settings } from "../../../domain/ports.ts";
import { ask } from "../../../domain/retrieval/ask.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import {
  renderRetrieval,
  retrievalFault,
  retrievalTooLong,
  retrievalUnavailable,
} from "../../errors/retrieval_surface.ts";
import { type BodySource, readBody } from "../../http/body.ts";
import { jsonOf, jsonWanted } from "../../http/json_body.ts";
import { saysJson } from "../../http/json_type.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import {
  route,
  type RouteContext,
  type Surface,
  type SurfaceAnswers,
} from "../../route_table.ts";
import { publicContextOf, publicHeaders } from "../api/public_answer.ts";
import { forEveryone } from "../../errors/public_answers.ts";
import { publicGate, questionGate } from "../../middleware/public_gate.ts";
import { queryOf, refuseInput } from "../../http/query.ts";
import { answerText, streamText } from "./ask_answer.ts";
import {
  ASK_ACTION,
  type AskRequest,
  parseAskBody,
  parseAskQuery,
} from "./ask_request.ts";
import { respond } from "../../http/respond.ts";

/**
 * `/ask`, in list mode only and without sign-in (contract §5). Decision 0165
 * says in which order a request is looked at, and why.
 */
export function askSurface(
  parts: RateLimits & {
    settings: Pick<Settings, "baseUrl" | "authUrl">;
    retrieval: Retrieval;
  },
): Surface {
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
    enter: [publicGate(parts, settings), questionGate(parts, settings)],
    routes: [
      route(
        "GET",
        "/ask",
        (context) => answer(context, parseAskQuery(queryOf(context.req.url))),
      ),
      route("POST", "/ask", async (context) => {
        const body = await jsonIn(context);
        return body === undefined
          ? retrievalTooLong(
            ASK_BODY_MAX_BYTES,
            publicContextOf(context, settings),
          )
          : answer(context, parseAskBody(body));
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
  return respond(text, {
    headers: {
      ...headers,
      "cache-control": "no-store",
      ...publicHeaders(context),
    },
  });
}

/** The JSON of a body; undefined when it is too long. */
async function jsonIn(source: BodySource): Promise<Json | undefined> {
  if (!saysJson(source.req.raw)) {
    refuseInput(`${ASK_ACTION}: the media type must be application/json`);
  }
  const read = jsonOf(await readBody(source, ASK_BODY_MAX_BYTES));
  if (read.ok) return read.value;
  if (read.fault === "too_long") return undefined;
  refuseInput(`${ASK_ACTION}: the body must ${jsonWanted(read.fault)}`);
}
