import { respondJson } from "../http/respond.ts";

/**
 * An error of the transport, in the shape that clients of the protocol read.
 * No id is named, since none is known or believed.
 */
export function rpcError(
  status: number,
  code: number,
  message: string,
): Response {
  return respondJson(
    { jsonrpc: "2.0", error: { code, message }, id: null },
    { status, headers: { "cache-control": "no-store" } },
  );
}
