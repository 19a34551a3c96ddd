import type { AuthInfo } from "@modelcontextprotocol/server";
import { commonHeaders } from "../context.ts";
import { withHeaders } from "../http/respond.ts";
import {
  type Gate,
  route,
  type RouteContext,
  type Surface,
  type SurfaceAnswers,
} from "../route_table.ts";
import {
  type EndpointOptions,
  mcpEndpoint,
  type McpServing,
  methodNotAllowed,
} from "./endpoint.ts";

/** Where a server stands, and what comes before it. */
export interface McpSurfaceOptions<Caller>
  extends EndpointOptions, McpServing<Caller> {
  /** The path of its address. */
  path: string;
  /** Buckets and tokens; a gate's answer is in the surface's shape. */
  enter: readonly Gate[];
  /** 429, 503 and faults, and, inside results, the problems of tools. */
  answers: SurfaceAnswers;
  /** Whether its calls begin while the gates wait (see `Route`). */
  isEarly?: true;
  /** Who asks, after the gates. */
  callerOf(context: RouteContext): { caller: Caller; authInfo?: AuthInfo };
}

/** The surface of a server: every request under its path passes the gates. */
export function mcpSurface<Caller>(
  options: McpSurfaceOptions<Caller>,
): Surface {
  const { path, enter, answers, callerOf } = options;
  const endpoint = mcpEndpoint(options, options);
  return {
    prefix: path === "/" ? "" : path,
    // No cookie counts here, so scripts of any page are as any client.
    openToScripts: true,
    enter,
    routes: [{
      ...route("POST", path, async (context) => {
        const { requestId } = context.env.trace;
        const ask = { requestId, source: context, ...callerOf(context) };
        const answer = await endpoint(context.req.raw, ask);
        return withHeaders(answer, commonHeaders(context));
      }),
      ...options.isEarly && { isEarly: true },
    }],
    answers: {
      ...answers,
      refused: (refusal, context) =>
        refusal.code === "method_not_allowed"
          ? withHeaders(methodNotAllowed(), context.headers ?? {})
          : answers.refused(refusal, context),
    },
  };
}
