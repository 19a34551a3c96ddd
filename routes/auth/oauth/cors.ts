import { NO_STORE } from "../../errors/answer_context.ts";
import type { Gate } from "../../route_table.ts";

/**
 * Any origin, without credentials: browsers may run clients too. Nothing here
 * is ever told by a cookie.
 */
export const OPEN_TO_ANY_ORIGIN: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, WWW-Authenticate",
};

/** How long a browser may remember that it may ask. */
const REMEMBERED_S = 3_600;

/** A gate: answers the question a browser asks before it asks (CORS). */
export function preflight(methods: string): Gate {
  return function preflight(context) {
    const { method, headers } = context.req.raw;
    const asks = method === "OPTIONS" &&
      headers.has("access-control-request-method");
    if (!asks) return null;
    return new Response(null, {
      status: 204,
      headers: {
        ...OPEN_TO_ANY_ORIGIN,
        ...NO_STORE,
        "access-control-allow-methods": methods,
        // Without credentials the star stands for every header.
        "access-control-allow-headers": "*",
        "access-control-max-age": String(REMEMBERED_S),
      },
    });
  };
}
