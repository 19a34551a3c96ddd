import type { GrantClient } from "../../domain/oauth/client.ts";

/** What a grant says of a client that no browser ever met. */
export function unmetClient(name: string): GrantClient {
  return {
    name,
    host: null,
    redirectHost: null,
    authentication: { method: "none" },
  };
}
