import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import {
  createCreative,
  type CreativeRequest,
} from "../../../domain/creatives/create_creative.ts";
import {
  type CreativeRecord,
  toCreativeRecord,
} from "../../../domain/creatives/creative_record.ts";
import { findOwnCreative } from "../../../domain/creatives/find_own_creative.ts";
import { listOwnCreatives } from "../../../domain/creatives/list_own_creatives.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import type { BoundAnswer } from "../../../domain/idempotency/bound_answer.ts";
import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  CREATIVE_POSITION,
  creativePlace,
  creativePosition,
} from "../../creative_position.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { agentAnswer } from "./agent_answer.ts";
import { bindingOf, boundJson, requireKey } from "./bound_request.ts";
import { parseCreateBody, parseUpdateBody } from "./creative_body.ts";
import { readJsonBody } from "../../http/json_body.ts";
import {
  type ListAnswer,
  listAnswer,
  type ListQuery,
  parseListQuery,
} from "../../http/list_query.ts";

const PATH = "/v1/agent/creatives";

/** How a refusal of the list begins. */
export const CREATIVES_ACTION = "Cannot list the creatives";

/** The operations behind `creatives:read` and `creatives:write`. */
export function creativeRoutes(services: Services): Route[] {
  return [
    route("GET", PATH, (context) => list(services, context)),
    route("GET", `${PATH}/:id`, async (context) => {
      const { accountId } = grantWith(context, "creatives:read");
      const adId = context.req.param("id");
      const own = await findOwnCreative(services, { accountId, adId });
      return agentAnswer(context, toCreativeRecord(own));
    }),
    route("POST", PATH, (context) => {
      grantWith(context, "creatives:write");
      requireKey(context);
      return changeTo(context, (body) => {
        const typed = parseCreateBody(body);
        return (asked) => createCreative(services, { ...asked, typed });
      });
    }),
    route("PATCH", `${PATH}/:id`, (context) =>
      changeTo(context, (body) => {
        const typed = parseUpdateBody(body);
        const adId = context.req.param("id");
        return (asked) => updateCreative(services, { ...asked, adId, typed });
      })),
    route(
      "POST",
      `${PATH}/:id/submit`,
      (context) =>
        change(context, (asked) => {
          const adId = context.req.param("id");
          return submitCreative(services, { ...asked, adId });
        }),
    ),
    route(
      "POST",
      `${PATH}/:id/archive`,
      (context) =>
        change(context, (asked) => {
          const adId = context.req.param("id");
          return archiveCreative(services, { ...asked, adId });
        }),
    ),
  ];
}

async function list(
  services: Services,
  context: RouteContext,
): Promise<Response> {
  const { accountId } = grantWith(context, "creatives:read");
  const asked = parseListQuery(context, CREATIVES_ACTION, CREATIVE_POSITION);
  return agentAnswer(context, await creativesPage(services, accountId, asked));
}

/** A part of the account's creatives, newest first. */
export async function creativesPage(
  services: Services,
  accountId: string,
  asked: ListQuery,
): Promise<ListAnswer<CreativeRecord>> {
  const following = await listOwnCreatives(services, {
    accountId,
    limit: asked.limit + 1,
    before: creativePlace(asked.after),
  });
  return listAnswer(following, asked, {
    wire: toCreativeRecord,
    positionOf: creativePosition,
  });
}

type Verb = (asked: CreativeRequest) => Promise<BoundAnswer>;

/** Changes something by what the body says, once a key. */
async function changeTo(
  context: RouteContext,
  verbOf: (body: Json) => Verb,
): Promise<Response> {
  const grant = grantWith(context, "creatives:write");
  bindingOf(context, grant); // a bad key is named before the body
  const body = await readJsonBody(context);
  return await change(context, verbOf(body), body);
}

/** Changes something for the grant's account, once a key. */
async function change(
  context: RouteContext,
  verb: Verb,
  body?: Json,
): Promise<Response> {
  const grant = grantWith(context, "creatives:write");
  const { accountId, id: grantId } = grant;
  const binding = bindingOf(context, grant, body);
  return boundJson(context, await verb({ accountId, grantId, binding }));
}
