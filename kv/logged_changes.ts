import { rowLine } from "./backup_format.ts";
import { guardedCommit } from "./commit.ts";
import { prefixes } from "./keys.ts";
import { allPages, type PageReader } from "./pages.ts";
import { MAX_KEYS_READ, readManyFrom } from "./read_many.ts";
import { type Json, keyFromTagged, toTagged } from "./tagged_json.ts";

/** What one file may hold; beyond it a full backup is the shorter way. */
const MAX_BYTES = 32 * 1_024 * 1_024;
/** What may be read for it: of a row that changes often the last line counts. */
const MAX_BYTES_READ = 16 * MAX_BYTES;
const MAX_ROWS = 100_000;
/** Rows of the log in a page, of up to 60 KB each. */
const PAGE_ROWS = 100;
/** Rows of the log that are removed in one commit. */
const FORGOTTEN_AT_ONCE = 500;
/** How often the end of a file may be moved on. */
const MAX_ENDS = 10;

/** More has changed than a file may hold. */
export class TooManyChanges extends Error {
  override readonly name = "TooManyChanges";
}

/** What was logged up to a moment. */
export interface LoggedChanges {
  /** Lines of a file of changes, one for each row: what it was at the end. */
  lines: string[];
  /** The rows of the log they are from. */
  rows: readonly Deno.KvKey[];
  /** The version of the commit at which the file ends. */
  through: string;
}

type LogRow = Deno.KvEntry<Uint8Array>;

/**
 * Everything that was changed up to a commit, or one soon after it, and is still
 * in the log. What the log only names is read from its row: where that has
 * changed since, the file ends with the change.
 *
 * @throws {TooManyChanges}
 * @throws {ChangedMeanwhile}
 */
export async function changedSince(
  reader: PageReader,
  through: string,
): Promise<LoggedChanges> {
  let end = through;
  const known = new Map<string, Deno.KvEntry<unknown>>();
  for (let ends = 0; ends < MAX_ENDS; ends++) {
    const { rows, last } = await logUpTo(reader, end);
    const lines: string[] = [];
    const pending: Pending[] = [];
    for (const [text, { line, versionstamp }] of last) {
      const found = known.get(text);
      const left = pendingOf(line);
      if (left === null) lines.push(line);
      else if (found?.versionstamp === versionstamp) lines.push(rowLine(found));
      else pending.push(left);
    }
    const read = await readAgain(reader, pending, end);
    lines.push(...read.map((each) => each.line));
    const moved = read.reduce((latest, each) => later(latest, each.end), end);
    if (moved === end) return { lines, rows, through: end };
    end = moved;
    // Not read again as long as the log tells of no later change before the end.
    for (const { text, entry } of read) {
      if (entry.versionstamp !== null && !isCounter(entry)) {
        known.set(text, entry);
      }
    }
  }
  throw new ChangedMeanwhile();
}

function isCounter({ value }: Deno.KvEntryMaybe<unknown>): boolean {
  return value instanceof Deno.KvU64;
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

/**
 * The rows of the log, in no order of commits.
 *
 * @throws {TooManyChanges}
 */
async function* logRows(
  reader: PageReader,
  isWanted: (versionstamp: string) => boolean,
): AsyncGenerator<LogRow, void> {
  const prefix = prefixes.loggedChanges;
  let [rows, bytes] = [0, 0];
  for await (const page of allPages(reader, { prefix }, PAGE_ROWS)) {
    for (const row of page as LogRow[]) {
      if (!isWanted(row.versionstamp)) continue;
      rows += 1;
      bytes += row.value.length;
      yield row;
    }
    if (bytes > MAX_BYTES_READ || rows > MAX_ROWS) throw new TooManyChanges();
  }
}

function linesOf({ value }: LogRow): string[] {
  return new TextDecoder().decode(value).trimEnd().split("\n");
}

/** What a commit did to a row. */
interface LoggedLine {
  versionstamp: string;
  line: string;
}

/** The last that was logged of each row up to a commit, by the row's key. */
async function logUpTo(
  reader: PageReader,
  through: string,
): Promise<{ rows: Deno.KvKey[]; last: Map<string, LoggedLine> }> {
  const rows: Deno.KvKey[] = [];
  const last = new Map<string, LoggedLine>();
  let bytes = 0;
  for await (const row of logRows(reader, (stamp) => stamp <= through)) {
    const { key: logKey, versionstamp } = row;
    rows.push(logKey);
    for (const line of linesOf(row)) {
      const key = keyPart(line);
      const other = last.get(key);
      if (other !== undefined && other.versionstamp > versionstamp) continue;
      last.set(key, { versionstamp, line });
      bytes += line.length - (other?.line.length ?? 0);
    }
    if (bytes > MAX_BYTES) throw new TooManyChanges();
  }
  return { rows, last };
}

/** The key as a line has it: the same key is always written the same way. */
function keyPart(line: string): string {
  // An array of names, numbers and objects: no other array is in it.
  return /^\[\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]/.exec(line)?.[0] ?? line;
}

/** What a line of the log leaves to be read; null: it says all itself. */
interface Pending {
  key: Deno.KvKey;
  /** As lines have it. */
  text: string;
  /** Added to a counter; null for a row that was too large for the log. */
  sum: bigint | null;
}

function pendingOf(line: string): Pending | null {
  // A row that says all itself is not parsed.
  if (!/\{"\$":"(sum","v":"\d+"|row")\}\]$/.test(line)) return null;
  const [key, value] = JSON.parse(line) as [Json, { $: string; v?: string }];
  const sum = value.$ === "sum" ? BigInt(value.v ?? "0") : null;
  return { key: keyFromTagged(key), text: keyPart(line), sum };
}

/** A row that was read for a file. */
interface ReadAgain {
  /** Its key, as lines have it. */
  text: string;
  entry: Deno.KvEntryMaybe<unknown>;
  /** What is to be said of it in a file that ends at {@linkcode end}. */
  line: string;
  /** The commit at which the file has to end at the earliest. */
  end: string;
}

async function readAgain(
  reader: PageReader,
  pending: readonly Pending[],
  through: string,
): Promise<ReadAgain[]> {
  const entries = await currentOf(reader, pending);
  const isLater = entries.some(({ versionstamp }) =>
    versionstamp === null || versionstamp > through
  );
  const changes = isLater
    ? await changesAfter(reader, through, pending)
    : new Map<string, LaterChange[]>();
  return pending.map(({ key, text }, at) => {
    const entry = entries[at] ?? { key, value: null, versionstamp: null };
    return { text, entry, ...readAt(entry, changes.get(text) ?? [], through) };
  });
}

async function currentOf(
  { kv, patience }: PageReader,
  all: readonly Pending[],
): Promise<Deno.KvEntryMaybe<unknown>[]> {
  const readMany = readManyFrom(kv, patience);
  const read: Deno.KvEntryMaybe<unknown>[] = [];
  for (let from = 0; from < all.length; from += MAX_KEYS_READ) {
    const some = all.slice(from, from + MAX_KEYS_READ);
    read.push(...await readMany(some.map(({ key }) => key)));
  }
  return read;
}

interface LaterChange {
  /** Added to a counter; null for anything else. */
  sum: bigint | null;
  versionstamp: string;
}

/** What these rows were changed after that commit, as far as it is logged by now. */
async function changesAfter(
  reader: PageReader,
  through: string,
  of: readonly Pending[],
): Promise<Map<string, LaterChange[]>> {
  const changes = new Map<string, LaterChange[]>(
    of.map(({ text }) => [text, []]),
  );
  for await (const row of logRows(reader, (stamp) => stamp > through)) {
    const { versionstamp } = row;
    for (const line of linesOf(row)) {
      const sum = pendingOf(line)?.sum ?? null;
      changes.get(keyPart(line))?.push({ sum, versionstamp });
    }
  }
  return changes;
}

/** The row as it was at that commit, or else the end that makes it so. */
function readAt(
  { key, value, versionstamp }: Deno.KvEntryMaybe<unknown>,
  changes: readonly LaterChange[],
  through: string,
): Pick<ReadAgain, "line" | "end"> {
  if (versionstamp === null) {
    const line = JSON.stringify([toTagged(key)]);
    const ends = changes.map((change) => change.versionstamp);
    return { line, end: ends.reduce(later, through) };
  }
  const since = changes.filter((each) => each.versionstamp <= versionstamp);
  const sums = since.flatMap(({ sum }) => sum ?? []);
  if (value instanceof Deno.KvU64 && sums.length === since.length) {
    const then = sums.reduce((left, sum) => left - sum, value.value);
    // As the store counts: what took one away added nearly all.
    const counted = new Deno.KvU64(BigInt.asUintN(64, then));
    const line = rowLine({ key, value: counted });
    return { line, end: through };
  }
  return { line: rowLine({ key, value }), end: later(versionstamp, through) };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** What was too large for the log has changed whenever it was read. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}
