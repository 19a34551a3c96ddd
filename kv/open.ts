import { StoreUnavailable } from "../domain/failure.ts";
import { loggedCommits } from "./change_log.ts";
import { isLocked } from "./guard.ts";
import { asKvLike, type KvLike } from "./kv_like.ts";
import { markedCommits } from "./marked_commits.ts";
import { openRemote, StoreRefused } from "./open_remote.ts";
import { sharedCommits } from "./shared_commits.ts";
import { EMBEDDED_READS, REMOTE_READS, sharedReads } from "./shared_reads.ts";

/** How a store is opened. */
export interface OpenOptions {
  /** Where continuous backups are made of it. */
  logsChanges?: boolean;
}

/** Characters of a process's name in its marks: 60 bits, and short keys. */
const OWNER_LENGTH = 18;

/**
 * Opens the store: a file, a remote denokv's address, or (undefined) the
 * managed store of the platform. The file, and a folder made for it, are their
 * owner's only, since the store holds names, addresses and codes.
 *
 * @throws {StoreUnavailable} when a denokv does not answer, or another process
 * has the file locked
 * @throws {StoreRefused} when it refuses, or the platform has no store for us
 */
export async function openKv(
  location: string | undefined,
  { logsChanges = false }: OpenOptions = {},
): Promise<KvLike> {
  const kv = await opened(location);
  return logsChanges ? loggedCommits(kv, newOwner()) : kv;
}

async function opened(location: string | undefined): Promise<KvLike> {
  if (location === undefined) return overNetwork(await openManaged());
  if (/^https?:/.test(location)) return overNetwork(await openRemote(location));
  if (location !== ":memory:") await makePrivate(location);
  const file = asKvLike(await openFile(location));
  const shared = sharedReads(sharedCommits(file), EMBEDDED_READS);
  return { ...shared, isEmbedded: true };
}

/**
 * Another process that begins the same file at this moment has it locked.
 *
 * @throws {StoreUnavailable} while it does: a start waits, as for any store
 */
async function openFile(location: string): Promise<Deno.Kv> {
  try {
    return await Deno.openKv(location);
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    throw new StoreUnavailable("Another process has the store locked", {
      cause,
    });
  }
}

/** A name that no other process has. */
function newOwner(): string {
  return crypto.randomUUID().slice(0, OWNER_LENGTH);
}

/** The client sends a commit without an answer again by itself. */
function overNetwork(kv: KvLike): KvLike {
  return markedCommits(sharedReads(kv, REMOTE_READS), { owner: newOwner() });
}

/** Has Deno refuse a store that is not the platform's. */
const NOT_ATTACHED = "DENO_KV_REQUIRES_DISTRIBUTED_DATABASE";

/**
 * Where the app has no database, Deno Deploy may hand out a store in the memory
 * of each process, with a warning: everything would be lost, bids and ledger.
 */
async function openManaged(): Promise<KvLike> {
  Deno.env.set(NOT_ATTACHED, "error");
  try {
    return asKvLike(await Deno.openKv());
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (!message.includes("no KV database is attached")) throw error;
    throw new StoreRefused(
      "no KV database is attached to this app, attach one in the dashboard of " +
        "Deno Deploy and deploy again",
      { cause: error },
    );
  }
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
