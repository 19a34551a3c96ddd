/**
 * Where the stores of tests are: in memory and in files, or, while TEST_KV_URL
 * names a KV Connect server, in databases of that server.
 *
 * @module
 */
import type { KvLike } from "../../kv/kv_like.ts";
import { openKv } from "../../kv/open.ts";
import { openRemote } from "../../kv/open_remote.ts";
import { openWhenUp } from "./kv_connect/client.ts";
import { TEST_TOKEN } from "./kv_connect/server.ts";

const SERVER = Deno.env.get("TEST_KV_URL");

/** Whether the stores of tests are on a server. */
export const IS_NETWORKED: boolean = SERVER !== undefined;

/** Whether the line to that server has faults. */
export const IS_FAULTY: boolean = Deno.env.get("TEST_KV_FAULTS") === "1";

/** Opens the store of a file, or one of its own, as the service does. */
export async function openTestKv(path?: string): Promise<KvLike> {
  if (SERVER === undefined) return await openKv(path ?? ":memory:");
  return await openWhenUp(urlOf(SERVER, path));
}

/** The same as the platform's client has it, without marks. */
export async function openBareTestKv(path?: string): Promise<KvLike> {
  if (SERVER === undefined) return await openKv(path ?? ":memory:");
  return await openWhenUp(urlOf(SERVER, path), openRemote);
}

/** What has a process keep the store of this file on the server, if there is one. */
export function remoteStoreOf(path: string): Record<string, string> {
  if (SERVER === undefined) return {};
  return { KV_URL: urlOf(SERVER, path), DENO_KV_ACCESS_TOKEN: TEST_TOKEN };
}

/** A database is what follows the address. */
function urlOf(server: string, path: string = crypto.randomUUID()): string {
  return `${server}/${path.replaceAll(/[^\w.-]+/g, "-").replace(/^-/, "")}`;
}
