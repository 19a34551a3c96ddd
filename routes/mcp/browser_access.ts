/**
 * What browsers are let do: servers have to validate the Origin header against
 * DNS rebinding, and scripts of pages that may ask are told so.
 *
 * @module
 */
import { originValidationResponse } from "@modelcontextprotocol/server";
import { authorityOf } from "../hosts.ts";
import { rpcError } from "./rpc_error.ts";

const PREFLIGHT: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "Authorization, Content-Type, " +
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name",
  "access-control-max-age": "86400",
};

/** What is the same of every answer to anybody. */
const ALWAYS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  vary: "Origin",
  "access-control-expose-headers": "RateLimit, RateLimit-Policy, " +
    "Retry-After, WWW-Authenticate, X-Request-Id",
};

/** The checks of one endpoint. */
export interface BrowserAccess {
  /** The refusal of a foreign Host or Origin; an absent Origin passes. */
  refuse(request: Request): Response | null;
  /** The answer to a question whether a script may ask; null for any other. */
  preflight(request: Request): Response | null;
  /** The answer, readable for the page whose script asked. */
  open(request: Request, answer: Response): Response;
}

/** Makes the checks. The names are of hosts, without ports. */
export function browserAccess(
  { hosts, origins }: { hosts: readonly string[]; origins: readonly string[] },
): BrowserAccess {
  const access: BrowserAccess = {
    refuse(request) {
      if (!hosts.includes(hostnameOf(request))) {
        return rpcError(403, -32000, "Invalid Host");
      }
      return originValidationResponse(request, [...origins]) ?? null;
    },
    preflight(request) {
      const { method, headers } = request;
      if (method !== "OPTIONS") return null;
      if (!headers.has("access-control-request-method")) return null;
      return access.refuse(request) ?? access.open(
        request,
        new Response(null, { status: 204, headers: PREFLIGHT }),
      );
    },
    open(request, answer) {
      const { headers } = answer;
      for (const name in ALWAYS) headers.set(name, ALWAYS[name] ?? "");
      const origin = request.headers.get("origin");
      if (origin !== null) headers.set("access-control-allow-origin", origin);
      return answer;
    },
  };
  return access;
}

/** The host a request names, without its port; the SDK reads Host alone. */
function hostnameOf(request: Request): string {
  return (authorityOf(request) ?? "").replace(/:\d+$/, "").toLowerCase();
}
