/**
 * The common call, of the newest revision and of those of 2025, answered without
 * a server being built for it: byte for byte what the library would answer, at a
 * third of its cost. Whatever is out of the ordinary is left to the library,
 * refusals included. Decision 0170 says why.
 *
 * @module
 */
import {
  type Implementation,
  SERVER_INFO_META_KEY,
} from "@modelcontextprotocol/server";
import { isMembers, plainMessage, type Versions } from "./plain_message.ts";
import type { Message } from "./read_message.ts";
import type { ToolSet } from "./tool.ts";
import type { Ask, Era, Tool } from "./types.ts";
import { respond, respondShared, SharedText } from "../http/respond.ts";
import type { ToolResult } from "./call.ts";

/** What a call may have in its params. */
const NAMES: ReadonlySet<string> = new Set(["name", "arguments"]);

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
  versions: Versions;
  /** Told of each call before it is made. */
  note(tool: Tool<Caller>, caller: Caller): void;
}

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
    const { method, name, isModern } = message;
    if (method !== "tools/call" || name === null) return null;
    const tool = byName.get(name);
    if (tool === undefined) return null;
    const call = plainMessage(request, message, versions, NAMES);
    if (call === null) return null;
    const { arguments: given = {} } = call.params;
    // The library drops this one name from arguments.
    if (!isMembers(given) || Object.hasOwn(given, "__proto__")) return null;
    const input = await tool.input["~standard"].validate(given);
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
    const ending = `${ends[call.era]}${id}}`;
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
