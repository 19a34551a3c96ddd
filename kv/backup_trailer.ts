/**
 * The last line of a backup, and who vouches for what it says: an HMAC under a
 * key made of the service's secrets, over the line's other members, of which
 * one is the hash of every line before it.
 *
 * @module
 */
import type { Keys } from "../domain/ports.ts";
import { incompleteBackup } from "./incomplete_backup.ts";

/** What the last line says. */
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

/** A last line that was read, and what proves it. */
export interface SignedTrailer extends BackupTrailer {
  /** What the MAC is of. */
  signed: string;
  /** Null: nobody vouches for it. */
  mac: string | null;
}

/** Writes the last line, signed where there are keys. */
export function trailerLine(trailer: BackupTrailer, keys: Keys | null): string {
  if (keys === null) return JSON.stringify(trailer);
  const mac = keys.mac("backup", JSON.stringify(trailer), keys.currentId);
  return JSON.stringify({ ...trailer, mac });
}

/**
 * Reads the last line.
 *
 * @throws {Refused} `invalid_input` unless it is written as it is written here
 */
export function trailerOf(line: string, json: object): SignedTrailer {
  const { mac, ...trailer } = json as BackupTrailer & { mac?: unknown };
  const { rows, consistent, sha256 } = trailer;
  const signed = JSON.stringify({ rows, consistent, sha256 });
  const isOwn = JSON.stringify({ ...trailer, mac }) === line &&
    JSON.stringify(trailer) === signed && typeof consistent === "boolean" &&
    (mac === undefined || typeof mac === "string");
  if (!isOwn) incompleteBackup("its last line is another format");
  return { rows, consistent, sha256, signed, mac: mac ?? null };
}

/** What a backup says of who made it. */
export interface ProofOfBackup extends Pick<SignedTrailer, "signed" | "mac"> {
  /** Names the key of its MAC; null: it has none. */
  keyId: string | null;
}

/**
 * Makes sure that a backup was made under the service's secrets, and answers
 * whether it was. A backup that nobody signed is taken where there are no
 * secrets, in development, and one that cannot be verified where the operator
 * says so.
 *
 * @throws {Refused} `invalid_input`
 */
export function verifyBackup(
  { keyId, signed, mac }: ProofOfBackup,
  keys: Keys | null,
  takesUnverified: boolean,
): boolean {
  if ((keyId === null) !== (mac === null)) {
    incompleteBackup("its last line is another format");
  }
  const wanted = keyId === null ? null : keys?.mac("backup", signed, keyId);
  if (typeof wanted === "string") {
    return wanted === mac || incompleteBackup("its MAC is another");
  }
  if (takesUnverified || keyId === null && keys === null) return false;
  return incompleteBackup(
    keyId === null
      ? "it has no MAC, which would prove who made it; where you know that, " +
        "restore it with --unverified"
      : "it was made under other SECRETS; restore it with those",
  );
}
