/**
 * A file of changes: NDJSON with a header, one line `[key, value]` a row that was
 * written, `[key]` one that was removed, each as it was at the end, and the
 * trailer of a backup. The header names the file before it by its checksum, the
 * first one the full backup: none can be left out or put elsewhere.
 *
 * @module
 */
import type { Keys } from "../domain/ports.ts";
import { lineHash } from "./backup_format.ts";
import { trailerLine, trailerOf, verifyBackup } from "./backup_trailer.ts";
import { incompleteBackup } from "./incomplete_backup.ts";
import { fromTagged, type Json, keyFromTagged } from "./tagged_json.ts";

/** What the first line says. */
export interface ChangesHeader {
  /** Counted from 1 in its series. */
  number: number;
  /** SHA-256 of the file before it, as its last line says it. */
  previous: string;
  /** Every commit up to this version is in it, or in one before. */
  through: string;
  /** When that was. */
  at: string;
}

/** A file of changes that was read. */
export interface ReadChanges extends ChangesHeader {
  sha256: string;
  isVerified: boolean;
  lines: string[];
}

/** A row that was written, or removed (`value` is undefined). */
export interface Change {
  key: Deno.KvKey;
  value: unknown;
  isRemoved: boolean;
}

const FORMAT = { format: "spotlight-changes", version: 1 };

/** Writes a file; answers its checksum too. */
export function changeFile(
  header: ChangesHeader,
  lines: readonly string[],
  keys: Keys | null,
): { bytes: Uint8Array<ArrayBuffer>; sha256: string } {
  const key = keys === null ? {} : { key: keys.currentId };
  const hash = lineHash();
  const all = [JSON.stringify({ ...FORMAT, ...header, ...key }), ...lines];
  all.forEach((line) => hash.add(line));
  const sha256 = hash.end();
  const trailer = { rows: lines.length, consistent: true, sha256 };
  all.push(trailerLine(trailer, keys), "");
  return { bytes: new TextEncoder().encode(all.join("\n")), sha256 };
}

/**
 * Reads a file whole.
 *
 * @throws {Refused} `invalid_input` when it is not whole, or not the service's
 */
export function readChanges(
  name: string,
  bytes: Uint8Array,
  keys: Keys | null,
  takesUnverified: boolean,
): ReadChanges {
  try {
    return parsed(bytes, keys, takesUnverified);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) {
      throw error;
    }
    return incompleteBackup(`${name} cannot be read`);
  }
}

function parsed(
  bytes: Uint8Array,
  keys: Keys | null,
  takesUnverified: boolean,
): ReadChanges {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const [first = "", ...rest] = text.split("\n");
  if (rest.pop() !== "") incompleteBackup("a file of changes is cut short");
  const last = rest.pop() ?? "";
  const { key, ...header } = JSON.parse(first);
  const { format, version, number, previous, through, at } = header;
  if (format !== FORMAT.format || version !== FORMAT.version) {
    incompleteBackup("a file of changes is another format");
  }
  const trailer = trailerOf(last, JSON.parse(last));
  const hash = lineHash();
  [first, ...rest].forEach((line) => hash.add(line));
  if (trailer.rows !== rest.length || trailer.sha256 !== hash.end()) {
    incompleteBackup("a file of changes was altered");
  }
  const proof = { ...trailer, keyId: typeof key === "string" ? key : null };
  const isVerified = verifyBackup(proof, keys, takesUnverified);
  const { sha256 } = trailer;
  return { number, previous, through, at, sha256, isVerified, lines: rest };
}

/** Reads a line of such a file. */
export function changeOf(line: string): Change {
  const [key, ...value] = JSON.parse(line) as Json[];
  const isRemoved = value.length === 0;
  const read = isRemoved ? undefined : fromTagged(value[0] as Json);
  return { key: keyFromTagged(key), value: read, isRemoved };
}
