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

/** Waits until the server has seen a call that ended so. */
export async function untilOutcome(
  server: KvConnect,
  outcome: string,
): Promise<void> {
  while (!server.trace.some((call) => call.outcome === outcome)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
