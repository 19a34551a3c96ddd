import { z } from "zod";
import { untilAdmitted } from "../admission.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import type { Services } from "../../domain/ports.ts";
import { passAgain } from "../http/authority.ts";
import { readJsonBody } from "../http/json_body.ts";
import {
  LIST_QUERY,
  type ListAnswer,
  positionedQuery,
} from "../http/list_query.ts";
import { parseQuery, queryOf, queryParam } from "../http/query.ts";
import type { RouteContext } from "../route_table.ts";
import { preferredType } from "../http/preferred_type.ts";
import { asciiOf } from "../http/sendable.ts";
import { pathOf } from "../hosts.ts";
import { agentJson } from "../http/agent_answer.ts";
import { changeOnce, keyOf } from "./change_once.ts";
import {
  AGENT_PREFIX,
  type AgentOperation,
  type Attendance,
  type Change,
  type Reading,
  WHOLE,
} from "./operation.ts";

/** What answers a request under a grant that holds the scope. */
type Handler = (
  grant: BearerGrant,
  context: RouteContext,
) => Promise<Response>;

/** Sends what is JSON text already. */
export type SendJson = typeof agentJson;

/** Answers an operation of the agent API over HTTP. */
export function overHttp(
  services: Services,
  operation: AgentOperation,
  send: SendJson = agentJson,
): Handler {
  switch (operation.kind) {
    case "reading":
      return readOver(services, operation, send);
    case "change":
      return (grant, context) =>
        changeOver(services, operation, { grant, context, send });
    case "download":
      return (grant, context) => operation.send(services, grant, context);
  }
}

function readOver(
  services: Services,
  operation: Reading,
  send: SendJson,
): Handler {
  const { action, positions, csv } = operation;
  const texts = Object.entries(operation.query)
    .map(([name, { text }]) => [name, text]);
  const schema = z.object({
    ...positions !== null && LIST_QUERY.shape,
    ...Object.fromEntries(texts),
  });
  return async function read(grant, context) {
    const query = parseQuery(schema, queryOf(context.req.url), action);
    const page = positions === null
      ? WHOLE
      : positionedQuery(query, action, positions);
    const attendance = attendanceOf(context);
    const documentsAt = services.settings.authUrl + AGENT_PREFIX;
    const id = idIn(context);
    const asked = { grant, id, query, page, attendance, documentsAt };
    const value = await operation.read(services, asked);
    return csv === null
      ? send(context, JSON.stringify(value))
      : asTable(context, value, operation);
  };
}

function attendanceOf(context: RouteContext): Attendance {
  return {
    admitted: untilAdmitted(context),
    stillMay: () => passAgain(context),
    gone: context.req.raw.signal,
  };
}

/** What stands in the path below the prefix: one thing at most. */
function idIn(context: RouteContext): string {
  const parameters: Record<string, string> = context.req.param();
  const { rehearsal: _, ...own } = parameters;
  const [id = ""] = Object.values(own);
  return id;
}

async function changeOver(
  services: Services,
  operation: Change,
  { grant, context, send }: {
    grant: BearerGrant;
    context: RouteContext;
    send: SendJson;
  },
): Promise<Response> {
  const admitted = untilAdmitted(context);
  // A bad key is named before the body.
  const key = keyOf(operation, context.req.raw.headers.get("idempotency-key"));
  const said = operation.body === null ? {} : await readJsonBody(context);
  const { method, path } = context.req;
  const { answer, replayed } = await changeOnce(services, operation, {
    grant,
    network: context.get("network") ?? null,
    admitted,
    id: idIn(context),
    // The same for a tool, and wherever the operation is rehearsed.
    request: `${method} ${path.slice(path.indexOf(AGENT_PREFIX))}`,
    key,
    said,
  });
  return send(context, answer.body, {
    status: answer.status,
    headers: {
      ...replayed && { "idempotent-replayed": "true" },
      ...readBackLink(context, operation, said),
    },
  });
}

/** Where what was changed is read, where the answer does not show it. */
function readBackLink(
  { req: { path } }: RouteContext,
  { body, readBack }: Change,
  said: Json,
): Record<string, string> {
  if (readBack === undefined) return {};
  const query = readBack(body?.parse(said));
  return { link: `<${path}?${query}>; rel="related"` };
}

/** As JSON, or as a table for who likes that better. */
function asTable(
  context: RouteContext,
  value: unknown,
  { query, csv }: Reading,
): Response {
  const accept = context.req.raw.headers.get("accept");
  const vary = "accept";
  const type = preferredType(accept, ["application/json", "text/csv"]);
  if (csv === null || type === "application/json") {
    return agentJson(context, JSON.stringify(value), { headers: { vary } });
  }
  const headers = {
    "content-type": "text/csv; charset=utf-8; header=present",
    vary,
    ...linkTo(context, Object.keys(query), value),
  };
  return agentJson(context, csv(value), { headers });
}

/** Where a table goes on, which has no room for it itself. */
function linkTo(
  context: RouteContext,
  names: readonly string[],
  value: unknown,
): Record<string, string> {
  const { next_cursor: cursor } = value as Partial<ListAnswer<unknown>>;
  if (typeof cursor !== "string") return {};
  const next = new URLSearchParams();
  for (const name of [...names, "limit"]) {
    const text = queryParam(context, name);
    if (text !== null) next.set(name, text);
  }
  next.set("cursor", cursor);
  return { link: `<${asciiOf(pathOf(context.req.raw))}?${next}>; rel="next"` };
}
