import { asKvLike, type KvLike } from "./kv_like.ts";
import { sharedCommits } from "./shared_commits.ts";
import { sharedReads } from "./shared_reads.ts";

/**
 * Opens the store: a file, a remote denokv's address, or (undefined) the
 * managed store of the platform. The file, and a folder made for it, are their
 * owner's only, since the store holds names, addresses and codes.
 */
export async function openKv(location: string | undefined): Promise<KvLike> {
  if (isFile(location)) await makePrivate(location);
  const kv = asKvLike(await Deno.openKv(location));
  // A remote store takes any number of calls at once.
  return isEmbedded(location) ? sharedReads(sharedCommits(kv)) : kv;
}

function isEmbedded(location: string | undefined): location is string {
  return location !== undefined && !/^https?:/.test(location);
}

function isFile(location: string | undefined): location is string {
  return isEmbedded(location) && location !== ":memory:";
}

const OWNER_ONLY = 0o600;

/**
 * SQLite gives the files beside the store's its mode, whatever the umask; those
 * that an earlier process left open to others are closed to them.
 */
async function makePrivate(path: string): Promise<void> {
  const slash = path.lastIndexOf("/");
  if (slash > 0) {
    await Deno.mkdir(path.slice(0, slash), { recursive: true, mode: 0o700 });
  }
  const options = { create: true, append: true, mode: OWNER_ONLY };
  (await Deno.open(path, options)).close();
  for (const suffix of ["", "-wal", "-shm", "-journal"]) {
    await Deno.chmod(`${path}${suffix}`, OWNER_ONLY).catch(ignoreAbsent);
  }
}

function ignoreAbsent(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
