/**
 * The common call, of the newest revision and of those of 2025, answered without
 * a server being built for it: byte for byte what the library would answer, at a
 * third of its cost. Whatever is out of the ordinary is left to the library,
 * refusals included. Decision 0170 says why.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import type { Message } from "./read_message.ts";
import type { ToolSet } from "./tool.ts";
import type { Ask, Era, Tool } from "./types.ts";
import { respond, respondShared, SharedText } from "../http/respond.ts";
import type { ToolResult } from "./call.ts";

const REVISION = "2026-07-28";

/** Answers a request, or leaves it to the library. */
export type DirectCalls<Caller> = (
  request: Request,
  message: Message,
  ask: Ask<Caller>,
) => Promise<Response | null>;

/** What is called directly. */
export interface DirectCallsOptions<Caller> {
  tools: ToolSet<Caller>;
  /** Who the server is, as its answers say. */
  info: Implementation;
  /** The revisions it speaks. */
  versions: Readonly<Record<Era, readonly string[]>>;
  /** Told of each call before it is made. */
  note(tool: Tool<Caller>, caller: Caller): void;
}

type Members = Readonly<Record<string, unknown>>;

/** Calls the tools that ask for no scope. */
export function directCalls<Caller>(
  { tools, info, versions, note }: DirectCallsOptions<Caller>,
): DirectCalls<Caller> {
  const open = tools.tools.filter(({ scope }) => scope === null);
  const byName = new Map(open.map((tool) => [tool.name, tool]));
  const meta = JSON.stringify({ [SERVER_INFO_META_KEY]: info });
  const ends: Readonly<Record<Era, string>> = {
    modern: `,"resultType":"complete","_meta":${meta}},"jsonrpc":"2.0","id":`,
    legacy: `},"jsonrpc":"2.0","id":`,
  };

  return async function answerDirectly(request, message, ask) {
    const { method, name, body, isModern } = message;
    if (method !== "tools/call" || name === null) return null;
    const tool = byName.get(name);
    const era = isModern ? "modern" : "legacy";
    if (tool === undefined) return null;
    if (!saysSo[era](request.headers, name, versions[era])) return null;
    const call = plainCall(body, era);
    if (call === null) return null;
    const input = await tool.input["~standard"].validate(call.given);
    if (input.issues) return null;
    const { caller, requestId } = ask;
    note(tool, caller);
    const { signal } = request;
    const told = { caller, requestId, signal };
    const result = await tools.call(tool, input.value, told);
    const init = { headers: { "content-type": "application/json" } };
    const id = JSON.stringify(call.id);
    if (result._meta !== undefined) {
      const whole = JSON.stringify(isModern ? withInfo(result, info) : result);
      return respond(`{"result":${whole},"jsonrpc":"2.0","id":${id}}`, init);
    }
    const begin = beginOf(result);
    const ending = `${ends[era]}${id}}`;
    return typeof begin === "string"
      ? respond(begin + ending, init)
      : respondShared(begin, ending, init);
  };
}

/** A result that has a `_meta` of its own, with what the newest revision adds. */
function withInfo(result: ToolResult, info: Implementation): ToolResult {
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: info };
  return { ...result, _meta, resultType: "complete" };
}

/** How answers begin, by the frozen result that they all tell. */
const begins = new WeakMap<ToolResult, SharedText>();

function beginOf(result: ToolResult): string | SharedText {
  const before = begins.get(result);
  if (before !== undefined) return before;
  const begin = `{"result":${JSON.stringify(result).slice(0, -1)}`;
  if (!Object.isFrozen(result)) return begin;
  const shared = new SharedText(begin);
  begins.set(result, shared);
  return shared;
}

/** Whether an era's headers are there, as almost everybody writes them. */
const saysSo: Readonly<
  Record<
    Era,
    (headers: Headers, name: string, versions: readonly string[]) => boolean
  >
> = {
  modern: (headers, name) =>
    headers.get("mcp-name") === name &&
    headers.get("mcp-method") === "tools/call" &&
    headers.get("mcp-protocol-version") === REVISION,
  legacy: (headers, _name, versions) =>
    versions.includes(headers.get("mcp-protocol-version") ?? "") &&
    headers.get("accept") === "application/json, text/event-stream" &&
    !headers.has("mcp-name") && !headers.has("mcp-method"),
};

/** A call with nothing in it that the library would look at twice. */
function plainCall(
  body: unknown,
  era: Era,
): { id: string | number; given: Members } | null {
  if (!isMembers(body) || !hasOnly(body, MESSAGE)) return null;
  const { jsonrpc, id, params } = body;
  if (jsonrpc !== "2.0") return null;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  if (!isMembers(params) || !hasOnly(params, PARAMS[era])) return null;
  const { arguments: given = {}, _meta: meta } = params;
  // The library drops this one name from arguments.
  if (!isMembers(given) || Object.hasOwn(given, "__proto__")) return null;
  return era === "legacy" || isPlainMeta(meta)
    ? { id: id as string | number, given }
    : null;
}

function isPlainMeta(meta: unknown): boolean {
  if (!isMembers(meta) || !hasOnly(meta, META)) return false;
  if (meta[PROTOCOL_VERSION_META_KEY] !== REVISION) return false;
  const able = meta[CLIENT_CAPABILITIES_META_KEY];
  if (!isMembers(able) || Object.keys(able).length > 0) return false;
  const client = meta[CLIENT_INFO_META_KEY];
  if (client === undefined) return !Object.hasOwn(meta, CLIENT_INFO_META_KEY);
  return isMembers(client) && hasOnly(client, CLIENT) &&
    typeof client["name"] === "string" && typeof client["version"] === "string";
}

const MESSAGE: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
]);
const PARAMS: Readonly<Record<Era, ReadonlySet<string>>> = {
  modern: new Set(["name", "arguments", "_meta"]),
  legacy: new Set(["name", "arguments"]),
};
const META: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
]);
const CLIENT: ReadonlySet<string> = new Set(["name", "version"]);

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: Members, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}
