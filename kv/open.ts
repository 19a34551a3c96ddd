import { asKvLike, type KvLike } from "./kv_like.ts";
import { sharedCommits } from "./shared_commits.ts";
import { sharedReads } from "./shared_reads.ts";

/**
 * Opens the store: a file, a remote denokv's address, or (undefined) the
 * managed store of the platform. The folder of a file is made for its owner
 * only, since the store holds names and addresses.
 */
export async function openKv(location: string | undefined): Promise<KvLike> {
  const folder = folderOf(location);
  if (folder !== null) {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  }
  const kv = asKvLike(await Deno.openKv(location));
  // A remote store takes any number of calls at once.
  return isEmbedded(location) ? sharedReads(sharedCommits(kv)) : kv;
}

function isEmbedded(location: string | undefined): location is string {
  return location !== undefined && !/^https?:/.test(location);
}

function folderOf(location: string | undefined): string | null {
  if (!isEmbedded(location) || location === ":memory:") return null;
  const slash = location.lastIndexOf("/");
  return slash <= 0 ? null : location.slice(0, slash);
}
