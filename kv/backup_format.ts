/**
 * A backup is NDJSON: a header, one line `[key, value]` a row, and a trailer
 * that counts the rows and holds the SHA-256 of every line before it, signed
 * (`backup_trailer.ts`). A file cut short has no trailer, one with a changed byte
 * another hash.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { isoTime } from "../domain/day.ts";
import { backedUp } from "./backed_up.ts";
import { type SignedTrailer, trailerOf } from "./backup_trailer.ts";
import { incompleteBackup } from "./incomplete_backup.ts";
import {
  fromTagged,
  type Json,
  keyFromTagged,
  NotTaggedJson,
  toTagged,
} from "./tagged_json.ts";

/** What the first line of a backup says. */
export interface BackupHeader {
  /** When it was begun, epoch ms; null: it does not say. */
  startedAtMs: number | null;
  /** Versions of the service from this one on read its rows. */
  readableFrom: number;
  /** Names the key of its MAC; null: it has none. */
  keyId: string | null;
}

/** The first line of a backup, in the format of today or an earlier one. */
export function backupHeader(
  { startedAtMs, readableFrom, keyId }: BackupHeader,
  version: number = 4,
): string {
  return JSON.stringify({
    format: "spotlight-store",
    version,
    ...startedAtMs !== null && { started_at: isoTime(startedAtMs) },
    ...version > 2 && { readable_from: readableFrom },
    ...version > 3 && keyId !== null && { key: keyId },
  });
}

/** Characters in the longest line: a full row, however it is escaped. */
const MAX_LINE = 8 * 1_024 * 1_024;

/** A backup that was read to its end. */
export interface ReadBackup extends SignedTrailer, BackupHeader {}

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

/** Writes a row as backups hold it. @throws {NotTaggedJson} */
export function rowLine(
  { key, value }: Pick<Deno.KvEntry<unknown>, "key" | "value">,
): string {
  return JSON.stringify([toTagged(key), toTagged(backedUp(key, value))]);
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
  let first: BackupHeader | null = null;
  let count = -1;
  let trailer: SignedTrailer | null = null;
  for await (const line of linesOf(bytes)) {
    if (trailer !== null) incompleteBackup("it goes on after its end");
    count += 1;
    if (count === 0) {
      first = headerOf(line);
      hash.add(line);
      continue;
    }
    const json = parse(line, count);
    if (Array.isArray(json)) {
      hash.add(line);
      await visit(rowOf(json, line, count));
    } else {
      trailer = trailerOf(line, json as object);
    }
  }
  if (trailer === null || first === null) {
    return incompleteBackup("it is cut short");
  }
  if (trailer.rows !== count - 1) incompleteBackup("rows are missing");
  if (trailer.sha256 !== hash.end()) incompleteBackup("its SHA-256 is another");
  return { ...trailer, ...first };
}

/** Reads the first line; earlier formats say less. */
function headerOf(line: string): BackupHeader {
  const said = parse(line, 0) as Partial<Record<string, unknown>>;
  const { version, started_at: startedAt, readable_from: readableFrom } = said;
  const startedAtMs = typeof startedAt === "string"
    ? Date.parse(startedAt)
    : null;
  const header: BackupHeader = {
    startedAtMs,
    readableFrom: typeof readableFrom === "number" ? readableFrom : 1,
    keyId: typeof said.key === "string" ? said.key : null,
  };
  // Written as one of the formats is written, or it is none of them.
  const isKnown = !Number.isNaN(startedAtMs) &&
    [startedAtMs === null ? 1 : 2, 3, 4].some((format) =>
      version === format && backupHeader(header, format) === line
    );
  return isKnown
    ? header
    : incompleteBackup("its first line is another format");
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
