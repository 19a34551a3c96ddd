import { completeSession } from "../../../domain/checkout/complete_session.ts";
import { createSession } from "../../../domain/checkout/create_session.ts";
import type { Merchant } from "../../../domain/checkout/merchant.ts";
import { readReport } from "../../../domain/checkout/read_report.ts";
import { readSession } from "../../../domain/checkout/read_session.ts";
import type { Reply, SessionRequest } from "../../../domain/checkout/reply.ts";
import { CHECKOUT_PATH } from "../../../domain/checkout/session_body.ts";
import {
  cancelSession,
  updateSession,
} from "../../../domain/checkout/change_session.ts";
import {
  type Json,
  requestHash,
} from "../../../domain/idempotency/canonical_json.ts";
import { transactInTurn } from "../../../domain/operations/transact_in_turn.ts";
import type { Services } from "../../../domain/ports.ts";
import { untilAdmitted } from "../../admission.ts";
import { agentJson } from "../../http/agent_answer.ts";
import type { RouteServices } from "../../context.ts";
import { ACP_ANSWERS } from "../../errors/acp_surface.ts";
import { type BodySource, readBody as readBytes } from "../../http/body.ts";
import { chargeAccount, chargeList } from "../../middleware/account_costs.ts";
import {
  LET_THROUGH,
  readingTurn,
  turnsOf,
} from "../../operations/count_costs.ts";
import { requireBearer } from "../../middleware/bearer.ts";
import {
  drawAhead,
  drawGrant,
  refuseEmptyGrant,
} from "../../middleware/rate_limit.ts";
import {
  type Route,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import { finalHeader } from "../api/metrics_final.ts";
import {
  parseCart,
  parseCreation,
  parseNothing,
  parsePayment,
} from "./checkout_bodies.ts";
import {
  echo,
  keyOf,
  needScope,
  needVersion,
  payerOf,
  readBuyer,
} from "./checkout_gates.ts";
import { AGENT_BODY_MAX_BYTES } from "../../../domain/limits.ts";
import { refuse } from "../../../domain/refusal.ts";
import { readJsonBody } from "../../http/json_body.ts";

/** What the checkout is made of. */
export interface CheckoutParts extends RouteServices {
  /** Whom a new session's payment handler names. */
  merchant: Merchant;
}

/** The checkout under `{base_url}/checkout_sessions` (contract §6). */
export function checkoutSurface(parts: CheckoutParts): Surface {
  return {
    prefix: CHECKOUT_PATH,
    routes: [...reads(parts), ...writes(parts)],
    openToScripts: true,
    enter: [
      echo,
      requireBearer(parts, "site", drawAhead(parts)),
      readBuyer(parts.services),
      drawGrant(parts),
    ],
    proceed: [refuseEmptyGrant, needScope, needVersion],
    answers: ACP_ANSWERS,
  };
}

/**
 * What is read takes the account's turn, as what its agents read of the API does;
 * and what is changed one with what they change.
 */
function reads(parts: CheckoutParts): Route[] {
  const { services } = parts;
  return [
    {
      ...route("GET", `${CHECKOUT_PATH}/:id`, async (context) => {
        const { grant } = context.get("bearer");
        const admitted = untilAdmitted(context);
        const inTurn = readingTurn(parts, grant.accountId, admitted);
        const sessionId = context.req.param("id");
        const session = await inTurn(() =>
          readSession(services, { grantId: grant.id, sessionId })
        );
        return agentJson(context, JSON.stringify(session), {
          headers: context.get("echoHeaders"),
        });
      }),
      isEarly: true,
    },
    route("GET", `${CHECKOUT_PATH}/:id/resource`, async (context) => {
      const { grant } = context.get("bearer");
      const sessionId = context.req.param("id");
      const read = () => readReport(services, { grantId: grant.id, sessionId });
      const { report, isFinal } = await chargeList(
        parts,
        grant.accountId,
        LET_THROUGH,
        (charged) => readingTurn(parts, grant.accountId, charged)(read),
      );
      return agentJson(context, JSON.stringify(report), {
        headers: {
          ...context.get("echoHeaders"),
          // What was paid for is one buyer's.
          "cache-control": "private, no-store",
          ...finalHeader(isFinal),
        },
      });
    }),
  ];
}

/** What a POST does, in transactions that take turns. */
type Verb<Body> = (
  inTurn: Services,
  request: SessionRequest,
  body: Body,
) => Promise<Reply>;

function writes(parts: CheckoutParts): Route[] {
  const { services, merchant } = parts;
  const post = <Body>(
    path: string,
    parse: (body: Json) => Body,
    verb: Verb<Body>,
    read: (source: BodySource) => Promise<Json> = readBody,
  ): Route =>
    route("POST", `${CHECKOUT_PATH}${path}`, async (context) => {
      const key = keyOf(context); // a bad key is told before a bad body
      const said = await read(context);
      const body = parse(said);
      // Of what says nothing to be done, nothing is kept.
      await chargeAccount(parts, "checkout", payerOf(context, services));
      const { grant } = context.get("bearer");
      const turns = turnsOf(parts, "change", grant);
      const reply = await verb(
        transactInTurn(services, turns),
        {
          grantId: grant.id,
          key,
          requestHash: requestHash(said),
          sessionId: context.req.param("id") ?? "",
        },
        body,
      );
      return answerOf(context, reply, services);
    });
  return [
    post(
      "",
      parseCreation,
      (inTurn, request, day) =>
        createSession(inTurn, { ...request, day, merchant }),
    ),
    post(
      "/:id",
      parseCart,
      (inTurn, request, day) => updateSession(inTurn, { ...request, day }),
    ),
    post(
      "/:id/complete",
      parsePayment,
      ({ store }, request, token) =>
        completeSession(services, { ...request, token }, store),
    ),
    post(
      "/:id/cancel",
      parseNothing,
      cancelSession,
      readOptionalBody,
    ),
  ];
}

/** An answer as it is stored, byte for byte, with what it goes out with. */
function answerOf(
  context: RouteContext,
  { value, answer, replayed }: Reply,
  { settings }: Services,
): Response {
  const { status, body } = answer;
  return agentJson(context, body, {
    status,
    headers: {
      ...context.get("echoHeaders"),
      ...replayed && { "idempotent-replayed": "true" },
      ...status === 201 && {
        location: `${settings.baseUrl}${CHECKOUT_PATH}/${value["id"]}`,
      },
      // As with every error, the log can be searched by it.
      ...status >= 400 && { "x-request-id": context.env.trace.requestId },
    },
  });
}

/**
 * Reads a JSON body of 16 KiB at most. Numbers beyond all bounds are refused,
 * since two of them would be taken for the same.
 *
 * @throws {Refused} `bad_request`
 */
async function readBody(source: BodySource): Promise<Json> {
  const body = await readJsonBody(source);
  if (isComparable(body)) return body;
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: its numbers must be finite",
  });
}

/**
 * The same where the protocol lets the body be left out.
 *
 * @throws {Refused} `bad_request`
 */
async function readOptionalBody(source: BodySource): Promise<Json> {
  if (source.req.raw.headers.has("content-type")) {
    return await readBody(source);
  }
  const bytes = await readBytes(source, AGENT_BODY_MAX_BYTES);
  if (typeof bytes !== "string" && bytes.byteLength === 0) return {};
  return refuse({
    code: "bad_request",
    message: "Cannot read the body: its media type must be application/json",
  });
}

function isComparable(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isComparable);
}
