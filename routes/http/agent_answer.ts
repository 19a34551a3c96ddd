import { OPEN_TO_SCRIPTS } from "./cors.ts";
import type { RouteContext } from "../route_table.ts";
import { respond } from "./respond.ts";

/**
 * An answer for this grant alone, which nobody keeps: JSON text, byte for byte.
 */
export function agentJson(
  context: RouteContext,
  text: string,
  init: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return respond(text, {
    status: init.status ?? 200,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...OPEN_TO_SCRIPTS,
      ...context.get("rateHeaders"),
      ...init.headers,
    },
  });
}
