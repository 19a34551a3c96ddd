/**
 * The books on disk: one line of JSON a committed change, written before the
 * answer goes out, so that a killed process has lost nothing it answered.
 *
 * @module
 */

import type { IdempotencyRecord } from "./idempotency.ts";

/** Names and cards, if only made up ones. */
const OWNER_ONLY = 0o600;

/** One committed change. */
export interface JournalLine {
  /** Objects as they now stand: table, object. */
  put?: [table: string, object: { id: string }][];
  /** Objects that are gone: table, id. */
  gone?: [table: string, id: string][];
  /** Counters that moved. */
  count?: Record<string, number>;
  /** First results of idempotent requests. */
  saved?: IdempotencyRecord[];
}

/** An append-only file of changes. */
export class Journal {
  #path: string;
  #file: Deno.FsFile;
  #bytes: number;

  private constructor(path: string) {
    this.#path = path;
    this.#file = openToAppend(path);
    this.#bytes = this.#file.statSync().size;
  }

  /** Bytes in the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads the lines of a file. A last line without its end was never answered
   * and is left out.
   *
   * @throws {Error} when any other line can not be read
   */
  static read(path: string): JournalLine[] {
    const lines = readTextIfAny(path).split("\n");
    lines.pop();
    return lines.map((line, at) => {
      try {
        return JSON.parse(line);
      } catch (cause) {
        throw new Error(
          `Cannot read the books: line ${at + 1} of "${path}" is not JSON`,
          { cause },
        );
      }
    });
  }

  /** Replaces the file by these lines, all or nothing, and opens it. */
  static rewrite(path: string, lines: Iterable<JournalLine>): Journal {
    const fresh = `${path}.new`;
    const file = Deno.openSync(fresh, {
      write: true,
      create: true,
      truncate: true,
      mode: OWNER_ONLY,
    });
    try {
      for (const line of lines) writeLine(file, line);
      file.syncSync();
    } finally {
      file.close();
    }
    Deno.renameSync(fresh, path);
    return new Journal(path);
  }

  /** Appends a line; when that fails the file ends where it ended before. */
  append(line: JournalLine): void {
    try {
      this.#bytes += writeLine(this.#file, line);
    } catch (error) {
      this.#file.truncateSync(this.#bytes);
      throw error;
    }
  }

  /** Closes the file. */
  close(): void {
    this.#file.close();
  }

  /** Where the file lies. */
  get path(): string {
    return this.#path;
  }
}

function writeLine(file: Deno.FsFile, line: JournalLine): number {
  const bytes = new TextEncoder().encode(JSON.stringify(line) + "\n");
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  return bytes.length;
}

function openToAppend(path: string): Deno.FsFile {
  return Deno.openSync(path, { append: true, create: true, mode: OWNER_ONLY });
}

function readTextIfAny(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
