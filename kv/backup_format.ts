/**
 * A backup is NDJSON: a header, one line `[key, value]` a row, and a trailer
 * that counts the rows and holds the SHA-256 of every line before it. A file
 * cut short has no trailer, one with a changed byte another hash.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { isoTime } from "../domain/day.ts";
import { refuse } from "../domain/refusal.ts";
import {
  fromTagged,
  type Json,
  keyFromTagged,
  NotTaggedJson,
  toTagged,
} from "./tagged_json.ts";

/** The first line of a backup: what it is, and when it was begun. */
export function backupHeader(startedAtMs: number): string {
  return JSON.stringify({
    format: "spotlight-store",
    version: 2,
    started_at: isoTime(startedAtMs),
  });
}

/** The first line of backups that did not say when they were begun. */
export const BACKUP_HEADER_V1: string = JSON.stringify({
  format: "spotlight-store",
  version: 1,
});

/** Characters in the longest line: a full row, however it is escaped. */
export const MAX_LINE = 8 * 1_024 * 1_024;

/** The last line. */
export interface BackupTrailer {
  rows: number;
  /**
   * Whether nothing changed while the rows were read, so that all are of one
   * moment. A backup of a busy store may hold half of a commit.
   */
  consistent: boolean;
  /** Of all lines before this one, each with its line feed; hex. */
  sha256: string;
}

/** A backup that was read to its end. */
export interface ReadBackup extends BackupTrailer {
  /** When it was begun; null for one that does not say. */
  startedAtMs: number | null;
}

/** A row as it is written into the store. */
export interface BackupRow {
  key: Deno.KvKey;
  value: unknown;
  /** Characters of its line. */
  size: number;
}

/** A hash of lines. */
export interface LineHash {
  add(line: string): void;
  /** The hash so far, hex. Nothing can be added after it. */
  end(): string;
}

/** Hashes lines as they go by. */
export function lineHash(): LineHash {
  const hash = createHash("sha256");
  return {
    add: (line) => {
      hash.update(`${line}\n`);
    },
    end: () => hash.digest("hex"),
  };
}

/** Writes a row. @throws {NotTaggedJson} */
export function rowLine({ key, value }: Deno.KvEntry<unknown>): string {
  return JSON.stringify([toTagged(key), toTagged(value)]);
}

/**
 * Visits the rows of a backup, one after another. They come before it is known
 * that the backup is whole: go through it once without writing.
 *
 * @throws {Refused} `invalid_input` when it is no whole backup
 */
export async function readBackup(
  bytes: ReadableStream<Uint8Array>,
  visit: (row: BackupRow) => Promise<void> | void,
): Promise<ReadBackup> {
  const hash = lineHash();
  let startedAtMs: number | null = null;
  let count = -1;
  let trailer: BackupTrailer | null = null;
  for await (const line of linesOf(bytes)) {
    if (trailer !== null) incompleteBackup("it goes on after its end");
    count += 1;
    if (count === 0) {
      startedAtMs = startedAt(line);
      hash.add(line);
      continue;
    }
    const json = parse(line, count);
    if (Array.isArray(json)) {
      hash.add(line);
      await visit(rowOf(json, line, count));
    } else {
      trailer = json as unknown as BackupTrailer;
    }
  }
  if (trailer === null) return incompleteBackup("it is cut short");
  if (trailer.rows !== count - 1) incompleteBackup("rows are missing");
  if (trailer.sha256 !== hash.end()) incompleteBackup("its SHA-256 is another");
  const consistent = trailer.consistent === true;
  return { ...trailer, consistent, startedAtMs };
}

/** When the backup was begun; null for one that does not say. */
function startedAt(header: string): number | null {
  if (header === BACKUP_HEADER_V1) return null;
  const { started_at: iso } = parse(header, 0) as { started_at?: unknown };
  const startedAtMs = typeof iso === "string" ? Date.parse(iso) : NaN;
  // Written as this version writes it, or it is another format.
  return Number.isNaN(startedAtMs) || backupHeader(startedAtMs) !== header
    ? incompleteBackup("its first line is another format")
    : startedAtMs;
}

/** Ends a restore before, or instead of, its last step. */
export function incompleteBackup(why: string): never {
  return refuse({
    code: "invalid_input",
    message: `Cannot restore the backup: ${why}`,
  });
}

function parse(line: string, at: number): Json {
  try {
    const json = JSON.parse(line) as Json;
    if (typeof json === "object" && json !== null) return json;
  } catch {
    // Answered below, like any other line that is none of ours.
  }
  return incompleteBackup(`line ${at + 1} cannot be read`);
}

function rowOf(json: Json[], line: string, at: number): BackupRow {
  try {
    const [key, value] = json;
    if (json.length !== 2 || value === undefined) {
      throw new NotTaggedJson("Cannot read a row");
    }
    const size = line.length;
    return { key: keyFromTagged(key), value: fromTagged(value), size };
  } catch (error) {
    // Numbers that are none (SyntaxError) and out of range (RangeError).
    if (!(error instanceof Error)) throw error;
    return incompleteBackup(`line ${at + 1} cannot be read`);
  }
}

async function* linesOf(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return incompleteBackup("it is not UTF-8");
    }
  };
  // Parts of a line that has not ended, joined once it has.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [first = "", ...rest] = text(chunk).split("\n");
    parts.push(first);
    length += first.length;
    for (const next of rest) {
      yield parts.join("");
      parts = [next];
      length = next.length;
    }
    if (length > MAX_LINE) incompleteBackup("a line has no end");
  }
  text();
  if (length > 0) incompleteBackup("it is cut short");
}
