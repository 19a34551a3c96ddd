import { rowLine } from "./backup_format.ts";
import { guardedCommit } from "./commit.ts";
import { keyText } from "./key_text.ts";
import { prefixes } from "./keys.ts";
import { allPages, type PageReader } from "./pages.ts";
import { MAX_KEYS_READ, readManyFrom } from "./read_many.ts";
import { type Json, keyFromTagged, toTagged } from "./tagged_json.ts";

/** What one file may hold; beyond it a full backup is the shorter way. */
const MAX_BYTES = 32 * 1_024 * 1_024;
const MAX_ROWS = 100_000;
/** Rows of the log that are removed in one commit. */
const FORGOTTEN_AT_ONCE = 500;

/** More has changed than a file may hold. */
export class TooManyChanges extends Error {
  override readonly name = "TooManyChanges";
}

/** What was logged up to a moment. */
export interface LoggedChanges {
  /** Lines of a file of changes, in the order of the commits. */
  lines: string[];
  /** The rows of the log they are from. */
  rows: readonly Deno.KvKey[];
}

type LogRow = Deno.KvEntry<Uint8Array>;

/**
 * Everything that was changed up to a commit and is still in the log.
 *
 * @throws {TooManyChanges}
 */
export async function changedSince(
  reader: PageReader,
  through: string,
): Promise<LoggedChanges> {
  const logged = await logRows(reader, (stamp) => stamp <= through);
  logged.sort((one, other) => one.versionstamp < other.versionstamp ? -1 : 1);
  const lines = logged.flatMap(linesOf);
  const rows = logged.map(({ key }) => key);
  return { lines: await resolved(reader, lines, through), rows };
}

/** Removes rows of the log; what a crash leaves is in the next file once more. */
export async function forgetChanges(
  { kv, patience }: PageReader,
  rows: readonly Deno.KvKey[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += FORGOTTEN_AT_ONCE) {
    const some = rows.slice(from, from + FORGOTTEN_AT_ONCE);
    await guardedCommit(
      kv,
      (atomic) => some.forEach((key) => atomic.delete(key)),
      { patience },
    );
  }
}

/** Removes every row that was logged up to a commit. */
export async function forgetThrough(
  reader: PageReader,
  through: string,
): Promise<void> {
  const prefix = prefixes.loggedChanges;
  for await (const page of allPages(reader, { prefix })) {
    const past = page.filter(({ versionstamp }) => versionstamp <= through);
    await forgetChanges(reader, past.map(({ key }) => key));
  }
}

async function logRows(
  reader: PageReader,
  isWanted: (versionstamp: string) => boolean,
): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  let bytes = 0;
  const prefix = prefixes.loggedChanges;
  for await (const page of allPages(reader, { prefix })) {
    for (const row of page as LogRow[]) {
      if (!isWanted(row.versionstamp)) continue;
      rows.push(row);
      bytes += row.value.length;
    }
    if (bytes > MAX_BYTES || rows.length > MAX_ROWS) throw new TooManyChanges();
  }
  return rows;
}

function linesOf({ value }: LogRow): string[] {
  return new TextDecoder().decode(value).trimEnd().split("\n");
}

/** What a line of the log leaves to be read; null: it says all itself. */
interface Pending {
  key: Deno.KvKey;
  /** Added to a counter, or a row that was too large for the log. */
  sum: bigint | null;
}

function pendingOf(line: string): Pending | null {
  // A row that says all itself is not parsed.
  if (!/\{"\$":"(sum","v":"\d+"|row")\}\]$/.test(line)) return null;
  const [key, value] = JSON.parse(line) as [Json, { $: string; v?: string }];
  const sum = value.$ === "sum" ? BigInt(value.v ?? "0") : null;
  return { key: keyFromTagged(key), sum };
}

/** Puts values in the place of references, and counters at the end. */
async function resolved(
  reader: PageReader,
  lines: readonly string[],
  through: string,
): Promise<string[]> {
  const known: string[] = [];
  const wanted = new Map<string, Pending>();
  for (const line of lines) {
    const pending = pendingOf(line);
    if (pending === null) known.push(line);
    else wanted.set(keyText(pending.key), pending);
  }
  const read = await currentOf(reader, [...wanted.values()]);
  const isLater = read.some(({ entry: { versionstamp } }) =>
    versionstamp === null || versionstamp > through
  );
  const later = isLater ? await laterChanges(reader, through) : [];
  return [
    ...known,
    ...read.map((each) => lineAt(each, later, through)),
  ];
}

interface Current {
  pending: Pending;
  entry: Deno.KvEntryMaybe<unknown>;
}

async function currentOf(
  { kv, patience }: PageReader,
  all: readonly Pending[],
): Promise<Current[]> {
  const readMany = readManyFrom(kv, patience);
  const read: Current[] = [];
  for (let from = 0; from < all.length; from += MAX_KEYS_READ) {
    const some = all.slice(from, from + MAX_KEYS_READ);
    const entries = await readMany(some.map(({ key }) => key));
    entries.forEach((entry, at) => {
      const pending = some[at];
      if (pending !== undefined) read.push({ pending, entry });
    });
  }
  return read;
}

interface LaterChange {
  key: string;
  sum: bigint;
  versionstamp: string;
}

/** What was changed after that commit, as far as it is logged by now. */
async function laterChanges(
  reader: PageReader,
  through: string,
): Promise<LaterChange[]> {
  const rows = await logRows(reader, (stamp) => stamp > through);
  return rows.flatMap((row) =>
    linesOf(row).map((line) => {
      const [key] = JSON.parse(line) as Json[];
      const { sum } = pendingOf(line) ?? {};
      const { versionstamp } = row;
      return { key: keyText(keyFromTagged(key)), sum: sum ?? 0n, versionstamp };
    })
  );
}

/**
 * The row as it was at that commit.
 *
 * @throws {ChangedMeanwhile} when it is no counter and was changed since; that
 * is in the log as well, so the next turn has both
 */
function lineAt(
  { pending: { key }, entry: { value, versionstamp } }: Current,
  later: readonly LaterChange[],
  through: string,
): string {
  const text = keyText(key);
  const changes = later.filter((each) => each.key === text);
  if (versionstamp === null) {
    if (changes.length > 0) throw new ChangedMeanwhile();
    return JSON.stringify([toTagged(key)]);
  }
  if (!(value instanceof Deno.KvU64)) {
    if (versionstamp > through) throw new ChangedMeanwhile();
    return rowLine({ key, value });
  }
  const since = changes.filter((each) => each.versionstamp <= versionstamp)
    .reduce((sum, each) => sum + each.sum, 0n);
  const then = new Deno.KvU64(value.value - since);
  return rowLine({ key, value: then });
}

/** A row too large for the log has changed again while the log was read. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}
