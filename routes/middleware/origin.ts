import { refuse } from "../../domain/refusal.ts";
import type { Gate } from "../route_table.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A gate: what changes something comes from the website (contract §9.7). It
 * asks for the exact origin whatever the media type, JSON included: a missing
 * one, `null` and a request that the browser itself calls cross-site are
 * refused.
 */
export function requireOwnOrigin(baseUrl: string): Gate {
  const { origin } = new URL(baseUrl);
  return function requireOwnOrigin(context) {
    const { method, headers } = context.req.raw;
    if (SAFE_METHODS.has(method)) return null;
    const isOwn = headers.get("origin") === origin &&
      headers.get("sec-fetch-site") !== "cross-site";
    if (!isOwn) refuse({ code: "origin_not_own" });
    return null;
  };
}
