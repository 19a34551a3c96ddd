/** Requests to tool servers, put together by hand and sent with fetch. */

/** A revision whose requests stand alone. */
export const MODERN = "2026-07-28";

/** What a client of the modern revision says of itself in every request. */
export const META: Readonly<Record<string, unknown>> = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Members of a request's `params`. */
export type Params = Record<string, unknown>;

/** Headers to add; null takes one away. */
export type HeaderChanges = Record<string, string | null>;

/** An answer, read. */
export interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of it; undefined where there is none. */
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  body: any;
}

/** What every client sends. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "accept": "application/json, text/event-stream",
};

/** The headers that a request of the modern revision has to carry. */
export function modernHeaders(method: string, params: Params): HeaderChanges {
  const name = params["name"] ?? params["uri"];
  return {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...typeof name === "string" && { "mcp-name": name },
  };
}

/** Sends a body as it is. */
export async function sendTo(
  url: string,
  body: string | null,
  changes: HeaderChanges = {},
  method = "POST",
): Promise<McpAnswer> {
  const headers = new Headers(HEADERS);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** A request of the modern revision. */
export function modern(
  url: string,
  method: string,
  params: Params = {},
  changes: HeaderChanges = {},
): Promise<McpAnswer> {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { _meta: META, ...params },
  };
  const headers = { ...modernHeaders(method, params), ...changes };
  return sendTo(url, JSON.stringify(body), headers);
}

/** A request of a revision of 2025. */
export function legacy(
  url: string,
  method: string,
  params: Params = {},
  changes: HeaderChanges = {},
): Promise<McpAnswer> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return sendTo(url, JSON.stringify(body), changes);
}

/** The first request of a client of 2025, which asks for a revision. */
export function initialize(url: string, version: string): Promise<McpAnswer> {
  return legacy(url, "initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
}
