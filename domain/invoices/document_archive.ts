/** What is known of a stored document without reading it. */
export interface StoredDocument {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Keeps printed documents for the statutory time; none is ever changed. */
export interface DocumentArchive {
  /** The largest document it takes, bytes. */
  readonly maxBytes: number;
  /** Null when nothing is stored under the name. */
  describe(name: string): Promise<StoredDocument | null>;
  /**
   * Stores a document unless its name is taken, which is no error
   * (contract §10.2).
   *
   * @returns what is stored under the name now
   * @throws {ArchiveRefused} when no repeat would do better
   * @throws {TemporaryFailure} when a repeat may
   */
  store(
    name: string,
    document: Uint8Array<ArrayBuffer>,
  ): Promise<StoredDocument>;
  /** The whole document; null when nothing is stored under the name. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Removes what writers left behind that began before the moment and died; at
   * most `limit` of them.
   *
   * @returns of how many
   */
  purge(startedBeforeMs: number, limit: number): Promise<number>;
}

/** A write that can never succeed: a terminal failure (contract §10.2). */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused";
}
