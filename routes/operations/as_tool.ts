import { z } from "zod";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import { SCHEMAS } from "../shapes/schemas.ts";
import { positionedQuery } from "../http/list_query.ts";
import { READS } from "../mcp/effects.ts";
import { orProblem } from "../mcp/or_problem.ts";
import { defineTool } from "../mcp/tool.ts";
import { keyArgument } from "../mcp/tool_arguments.ts";
import type { Tool, ToolCall } from "../mcp/types.ts";
import { changeOnce, keyOf } from "./change_once.ts";
import {
  type AgentOperation,
  type Change,
  placeOf,
  type Reading,
  RESOURCE_PREFIX,
  WHOLE,
} from "./operation.ts";
import { PAGE_ARGUMENTS } from "./parameters.ts";

/** Who calls a tool that is an operation. */
export interface OperationCaller {
  /** With the scopes of the token, which may be fewer than were granted. */
  grant: BearerGrant;
  /** The widest network of who asks; null in a rehearsal. */
  network: string | null;
  /** Settled once the request is let through. */
  admitted: Promise<void>;
  /** Judges again whether who asks still may. @throws when not */
  stillMay(): Promise<unknown>;
}

/** Offers an operation of the agent API as a tool; none for a download. */
export function toolsOf<Caller extends OperationCaller>(
  services: Services,
  operation: AgentOperation,
): Tool<Caller>[] {
  if (operation.kind === "download") return [];
  const { scope, schema, title, description } = operation;
  const { output = SCHEMAS[schema] } = operation;
  return [defineTool({
    name: operation.tool,
    title,
    description: `${description} Needs ${scope}.`,
    annotations: operation.kind === "reading" ? READS : operation.effects,
    scope,
    input: z.strictObject(argumentsOf(operation)),
    output: orProblem(output),
    handle: (given: Given, call) =>
      operation.kind === "reading"
        ? read(services, operation, call, given)
        : change(services, operation, call, given),
  })];
}

/** Arguments that the tool's schema has parsed. */
type Given = Readonly<Record<string, unknown>>;

/** Those of a list among them. */
type PageGiven = z.output<z.ZodObject<typeof PAGE_ARGUMENTS>>;

/** The ids in the path, the query or the body, and the key. */
function argumentsOf(operation: Reading | Change): z.ZodRawShape {
  const { argument: id } = operation;
  const ofPath = id === undefined ? {} : { [id[0]]: id[1] };
  if (operation.kind === "change") {
    return {
      ...ofPath,
      ...operation.body?.arguments,
      idempotency_key: operation.key === "required"
        ? keyArgument
        : keyArgument.optional(),
    };
  }
  const ofQuery = Object.entries(operation.query)
    .map(([name, { argument }]) => [name, argument]);
  return {
    ...ofPath,
    ...Object.fromEntries(ofQuery),
    ...operation.positions !== null && PAGE_ARGUMENTS,
  };
}

function read(
  services: Services,
  operation: Reading,
  { caller: { grant, admitted, stillMay }, signal }: ToolCall<OperationCaller>,
  given: Given,
): unknown {
  const { action, positions } = operation;
  const page = positions === null
    ? WHOLE
    : positionedQuery(given as PageGiven, action, positions);
  const attendance = { admitted, stillMay, gone: signal };
  const id = idIn(operation, given);
  const documentsAt = RESOURCE_PREFIX;
  const asked = { grant, id, query: given, page, attendance, documentsAt };
  return operation.read(services, asked);
}

async function change(
  services: Services,
  operation: Change,
  { caller: { grant, network, admitted }, onReplay }: ToolCall<OperationCaller>,
  given: Given,
): Promise<unknown> {
  const { idempotency_key: sent, ...rest } = given;
  const { body, argument } = operation;
  const id = idIn(operation, given);
  const { method, path } = placeOf(operation);
  const { value, replayed } = await changeOnce(services, operation, {
    grant,
    network,
    admitted,
    id,
    request: `${method} ${path.replace(/\{\w+\}/, () => id)}`,
    key: keyOf(operation, sent as string | undefined ?? null),
    said: body === null ? {} : saidIn(rest, argument?.[0]),
  });
  if (replayed) onReplay?.();
  return value;
}

function idIn({ argument }: Reading | Change, given: Given): string {
  return argument === undefined ? "" : String(given[argument[0]]);
}

/** What a request would say in its body: no id, and nothing left out. */
function saidIn(given: Given, id: string | undefined): Json {
  const { [id ?? ""]: _, ...said } = given;
  return JSON.parse(JSON.stringify(said));
}
