/**
 * A log of what is committed, for continuous backups: every commit carries along
 * one row or a few with the lines of what it writes. Both apply or neither does,
 * so no change is ever missing, whichever process made it, and the version of
 * the rows is that of the commit: it says in which order changes came.
 *
 * @module
 */
import { DAY_MS } from "../domain/day.ts";
import { joinedBytes } from "../domain/joined_bytes.ts";
import { rowLine } from "./backup_format.ts";
import { isEphemeral } from "./ephemeral.ts";
import { keys } from "./keys.ts";
import type { KvAtomic, KvLike, KvWrite } from "./kv_like.ts";
import { toTagged } from "./tagged_json.ts";

/** A row that nobody has written to a backup is given up then. */
export const LOG_KEPT_MS = 3 * DAY_MS;
/** Bytes of lines in a row of the log; a row has at most 64 KiB. */
const ROW_BYTES = 60_000;
/**
 * Bytes of lines in a commit, beyond which every line is read from its own row
 * when it is backed up, as one is that fits into no row of the log.
 */
const COMMIT_BYTES = 200_000;

/** What the log does not hold itself: the row is read when it is backed up. */
const BY_REFERENCE = { $: "row" } as const;

/** Has every commit log what it changes, but for what no backup holds. */
export function loggedCommits(kv: KvLike, owner: string): KvLike {
  let commits = 0;
  return {
    isEmbedded: kv.isEmbedded,
    get: (key, options) => kv.get(key, options),
    getMany: (keys) => kv.getMany(keys),
    list: (selector, options) => kv.list(selector, options),
    atomic: () =>
      loggedCommit(kv.atomic(), (part) => {
        commits += part === 0 ? 1 : 0;
        return keys.loggedChange(owner, commits, part);
      }),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

function loggedCommit(
  atomic: KvAtomic,
  keyOf: (part: number) => Deno.KvKey,
): KvAtomic {
  const writes: KvWrite[] = [];
  const note = (write: KvWrite) => {
    if (!isEphemeral(write.key)) writes.push(write);
  };
  const { settle } = atomic;
  return {
    check: (...checks) => atomic.check(...checks),
    set(key, value, options) {
      note({ kind: "set", key, value });
      atomic.set(key, value, options);
    },
    delete(key) {
      note({ kind: "delete", key });
      atomic.delete(key);
    },
    sum(key, count) {
      note({ kind: "sum", key, count });
      atomic.sum(key, count);
    },
    async commit() {
      rowsOf(writes).forEach((row, part) =>
        atomic.set(keyOf(part), row, { expireIn: LOG_KEPT_MS })
      );
      return await atomic.commit();
    },
    ...settle && { settle: () => settle.call(atomic) },
  };
}

/** The lines of a commit, in as few rows as they fit into. */
function rowsOf(writes: readonly KvWrite[]): Uint8Array[] {
  if (writes.length === 0) return [];
  const encoder = new TextEncoder();
  let lines = writes.map((write) => {
    const line = encoder.encode(`${lineOf(write)}\n`);
    const isLong = line.length > ROW_BYTES;
    return isLong ? encoder.encode(`${referenceTo(write)}\n`) : line;
  });
  if (lines.reduce((sum, { length }) => sum + length, 0) > COMMIT_BYTES) {
    lines = writes.map((write) => encoder.encode(`${referenceTo(write)}\n`));
  }
  const rows: Uint8Array[][] = [[]];
  let size = 0;
  for (const line of lines) {
    if (size + line.length > ROW_BYTES) {
      rows.push([]);
      size = 0;
    }
    rows.at(-1)?.push(line);
    size += line.length;
  }
  return rows.map(joinedBytes);
}

function lineOf(write: KvWrite): string {
  return write.kind === "set" ? rowLine(write) : referenceTo(write);
}

/** Counters are summed up from there by whoever reads the log. */
function referenceTo(write: KvWrite): string {
  const key = toTagged(write.key);
  if (write.kind === "delete") return JSON.stringify([key]);
  if (write.kind === "set") return JSON.stringify([key, BY_REFERENCE]);
  const count = { $: "sum", v: String(write.count) };
  return JSON.stringify([key, count]);
}
