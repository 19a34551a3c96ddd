import { OPEN_TO_SCRIPTS } from "./cors.ts";
import type { RouteContext } from "../route_table.ts";
import { respond } from "./respond.ts";

/** An answer for this grant alone, which nobody keeps. */
export function agentAnswer(context: RouteContext, body: unknown): Response {
  return agentJson(context, JSON.stringify(body));
}

/** The same for a body that is JSON text already, byte for byte. */
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
