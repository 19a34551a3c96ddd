/**
 * The messages that almost everybody sends: with nothing in them, or beside them
 * in headers, that the library would look at twice.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import type { Message } from "./read_message.ts";
import type { Era } from "./types.ts";

const REVISION = "2026-07-28";

/** The revisions that a server speaks. */
export type Versions = Readonly<Record<Era, readonly string[]>>;

/** A member's value, by its name. */
export type Members = Readonly<Record<string, unknown>>;

/** What a plain message asks. */
export interface PlainMessage {
  era: Era;
  /** As its header says. */
  version: string;
  id: string | number;
  params: Members;
}

/**
 * A message as almost everybody writes it; null for any other.
 *
 * @param names what params may have besides what the revision wants in them
 */
export function plainMessage(
  { headers }: Request,
  message: Message,
  versions: Versions,
  names: ReadonlySet<string>,
): PlainMessage | null {
  const era = message.isModern ? "modern" : "legacy";
  const version = headers.get("mcp-protocol-version") ?? "";
  if (!versions[era].includes(version)) return null;
  if (!saysSo[era](headers, message)) return null;
  const { body } = message;
  if (!isMembers(body) || !hasOnly(body, MESSAGE)) return null;
  const { jsonrpc, id, params = {} } = body;
  if (jsonrpc !== "2.0") return null;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  if (!isMembers(params)) return null;
  const { _meta: meta, ...named } = params;
  if (!hasOnly(named, names)) return null;
  const isPlain = era === "modern"
    ? isPlainMeta(meta)
    : !Object.hasOwn(params, "_meta");
  return isPlain
    ? { era, version, id: id as string | number, params: named }
    : null;
}

/** Whether an era's headers are there, as almost everybody writes them. */
const saysSo: Readonly<
  Record<Era, (headers: Headers, message: Message) => boolean>
> = {
  modern: (headers, { method, name }) =>
    headers.get("mcp-name") === name &&
    headers.get("mcp-method") === method,
  legacy: (headers) =>
    headers.get("accept") === "application/json, text/event-stream" &&
    !headers.has("mcp-name") && !headers.has("mcp-method"),
};

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
const META: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
]);
const CLIENT: ReadonlySet<string> = new Set(["name", "version"]);

/** Whether a value of JSON is an object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: Members, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}
