import { asKvLike, type KvLike } from "./kv_like.ts";

/**
 * Opens the store: a file, a remote denokv's address, or (undefined) the
 * managed store of the platform.
 */
export async function openKv(location: string | undefined): Promise<KvLike> {
  return asKvLike(await Deno.openKv(location));
}
