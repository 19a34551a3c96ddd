import { StoreUnavailable } from "../../../domain/failure.ts";
import type { KvLike } from "../../../kv/kv_like.ts";
import { openKv } from "../../../kv/open.ts";
import { type KvConnect, type KvConnectOptions } from "./server.ts";
import { startKvConnect, TEST_TOKEN } from "./server.ts";

/** A server and the handle of a client. */
export interface ConnectedKv extends AsyncDisposable {
  server: KvConnect;
  kv: Deno.Kv;
}

/** Starts a server and opens the database at its root. */
export async function connectKv(
  options: KvConnectOptions = {},
): Promise<ConnectedKv> {
  const server = startKvConnect(options);
  const kv = await openRemoteKv(server.url);
  return {
    server,
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await server.stop();
    },
  };
}

/** Opens a database of a server that takes {@linkcode TEST_TOKEN}. */
export async function openRemoteKv(url: string): Promise<Deno.Kv> {
  // The one way to give a token; all tests of a process give the same.
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  return await Deno.openKv(url);
}

/** Opens the store of a server that may be coming up, or has an outage. */
export async function openWhenUp(
  url: string,
  open: (url: string) => Promise<KvLike> = openKv,
): Promise<KvLike> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  for (;;) {
    try {
      return await open(url);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Waits until the server has seen a call that ended so. */
export async function untilOutcome(
  server: KvConnect,
  outcome: string,
): Promise<void> {
  while (!server.trace.some((call) => call.outcome === outcome)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
