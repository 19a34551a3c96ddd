/**
 * The processor and our endpoint in one process: requests go from the one to the
 * other without a socket, as what they are on the wire.
 *
 * @module
 */
import type { Travel } from "../../adapters/stripe/stripe_client.ts";
import type { Simulator, WireRequest } from "../../simulators/stripe/mod.ts";

/** Takes the requests of the SDK to a simulator in this process. */
export function toSimulator(handle: Simulator["handle"]): Travel {
  return async (url, init = {}) => {
    const outcome = await handle(wireRequest(url, init));
    switch (outcome) {
      case "silence":
        return await calledOff(init.signal);
      case "reset":
      case "reset_before_head":
        throw new TypeError("error sending request: connection reset by peer");
    }
    const { status, headers, body } = outcome;
    return new Response(bodyOf(body), { status, headers });
  };
}

function wireRequest(url: string, init: RequestInit): WireRequest {
  const { pathname, search } = new URL(url);
  const headers = new Headers(init.headers);
  return {
    method: init.method ?? "GET",
    path: pathname,
    query: search.slice(1),
    header: (name) => headers.get(name) ?? undefined,
    body: typeof init.body === "string" ? init.body : "",
  };
}

function bodyOf(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : Uint8Array.from(body);
}

/** No answer comes; whoever asked gives up. */
function calledOff(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
