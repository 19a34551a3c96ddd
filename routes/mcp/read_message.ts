import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { type BodySource, readBody } from "../http/body.ts";
import { jsonOf, jsonWanted } from "../http/json_body.ts";
import { rpcError } from "./rpc_error.ts";

/**
 * Longest body of a request. No tool of ours takes a quarter of it, but clients
 * may show themselves with an icon in every message.
 */
export const MESSAGE_BYTES_MAX = 32_768;

/**
 * Most members and elements of a message, together. The library's schemas take
 * some 25 µs for each that is wrong, and for some that are right; a client that
 * says all of itself that the protocol has, has half as many.
 */
export const MESSAGE_PARTS_MAX = 128;

/**
 * Longest address of a resource; ours are shorter. The library has each parsed,
 * which takes far longer than its length where its host is in other letters.
 */
export const RESOURCE_URI_MAX = 512;

/** What a request says, before anything is believed of it. */
export interface Message {
  body: unknown;
  method: string | null;
  /** `params.name`, of a tool or a prompt. */
  name: string | null;
  /** A request that claims a revision itself, as those of 2025 never do. */
  isModern: boolean;
}

/** Reads the one message of a request, or answers why it can't be read. */
export async function readMessage(
  source: BodySource,
): Promise<Message | Response> {
  const bytes = await readBody(source, MESSAGE_BYTES_MAX);
  const read = jsonOf(bytes, MESSAGE_PARTS_MAX);
  if (!read.ok) {
    if (read.fault === "too_long") {
      const most = `${MESSAGE_BYTES_MAX} bytes`;
      return rpcError(413, -32000, `The body must be at most ${most}`);
    }
    // The library lists all that is wrong with a message, however long that is.
    const code = read.fault === "too_many_parts" ? -32600 : -32700;
    const wanted = jsonWanted(read.fault, MESSAGE_PARTS_MAX);
    return rpcError(400, code, `The body must ${wanted}`);
  }
  const body = read.value;
  const params = memberOf(body, "params");
  // The library takes a list of one message for that message.
  const one: unknown = Array.isArray(body) ? body[0] : body;
  const uri = memberOf(memberOf(one, "params"), "uri");
  if (typeof uri === "string" && uri.length > RESOURCE_URI_MAX) {
    const most = `${RESOURCE_URI_MAX} characters`;
    return rpcError(400, -32602, `params.uri must have at most ${most}`);
  }
  const method = textOf(memberOf(body, "method"));
  return {
    body,
    method,
    name: textOf(memberOf(params, "name")),
    // Answers and notifications are told apart by more than that.
    isModern: method !== null && method !== "initialize" &&
      isObject(body) && Object.hasOwn(body, "id") &&
      !Object.hasOwn(body, "result") && !Object.hasOwn(body, "error") &&
      claimsRevision(memberOf(params, "_meta")),
  };
}

function memberOf(
  value: unknown,
  name: "method" | "params" | "name" | "uri" | "_meta",
): unknown {
  return isObject(value) && name in value ? value[name] : undefined;
}

function claimsRevision(meta: unknown): boolean {
  return isObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
