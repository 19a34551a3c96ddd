/**
 * The document of a copy, in rows as large as one can be, which go by
 * themselves when the copy does. It is written and read part by part: the whole
 * of it is never in memory.
 *
 * @module
 */
import { groupsOf } from "../groups.ts";
import type { Services } from "../ports.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import type { DataExport, DataRequests, ExportPart } from "./data_requests.ts";

/** Bytes in a part: below the 64 KiB that a value may have as stored. */
export const PART_BYTES = 60 * 1_024;
/** The largest document. Of accounts of many years it would be a tenth. */
const EXPORT_MAX_BYTES = 20 * 1_024 * 1_024;
/** What a character takes at most. */
const CHARACTER_BYTES = 4;

/** Parts that a document has at most: each is full but for a character. */
export const PARTS_MAX = Math.ceil(
  EXPORT_MAX_BYTES / (PART_BYTES - CHARACTER_BYTES),
);

/** There is more of an account than a copy may have. */
export class CopyTooLarge extends Error {
  override readonly name = "CopyTooLarge";
}

/** Somebody else works on the account's requests: this attempt is over. */
export class CopyTakenOver extends Error {
  override readonly name = "CopyTakenOver";
}

/** Which copy is written, and by whose lease on the account's requests. */
export interface WrittenCopy extends Pick<DataExport, "id" | "expiresAtMs"> {
  lease: Pick<DataRequests, "accountId" | "leaseOwner">;
}

/**
 * Writes a document, over what an attempt that died has left of it. A part
 * begins and ends at a character, so that each can be read by itself. Every commit
 * checks the lease: an attempt that was slow writes nothing over what another has
 * written, and nothing of an account that is being erased.
 */
export class PartWriter {
  readonly #store: Services["store"];
  readonly #copy: WrittenCopy;
  readonly #maxBytes: number;
  readonly #buffer = new Uint8Array(PART_BYTES);
  readonly #encoder = new TextEncoder();
  #filled = 0;
  #parts = 0;
  #bytes = 0;

  constructor(
    { store }: Pick<Services, "store">,
    copy: WrittenCopy,
    maxBytes = EXPORT_MAX_BYTES,
  ) {
    this.#store = store;
    this.#copy = copy;
    this.#maxBytes = maxBytes;
  }

  /** The part that is written now. */
  get part(): number {
    return this.#parts;
  }

  /**
   * Adds text to the document.
   *
   * @throws {CopyTooLarge} when it is longer than a document may be
   * @throws {CopyTakenOver} when the lease is another's
   */
  async add(text: string): Promise<void> {
    for (let rest = text; rest !== "";) {
      const room = this.#buffer.subarray(this.#filled);
      const { read, written } = this.#encoder.encodeInto(rest, room);
      this.#filled += written;
      rest = rest.slice(read);
      if (rest !== "" || this.#filled > PART_BYTES - CHARACTER_BYTES) {
        await this.#flush();
      }
    }
  }

  /** Writes what is left; answers how large the document is. */
  async end(): Promise<{ bytes: number; parts: number }> {
    if (this.#filled > 0) await this.#flush();
    return { bytes: this.#bytes, parts: this.#parts };
  }

  async #flush(): Promise<void> {
    this.#bytes += this.#filled;
    if (this.#bytes > this.#maxBytes) throw new CopyTooLarge();
    const { id: exportId, expiresAtMs, lease } = this.#copy;
    // A part of its own: a view would be stored with all that it views.
    const bytes = this.#buffer.slice(0, this.#filled);
    const part: ExportPart = {
      exportId,
      index: this.#parts,
      bytes,
      expiresAtMs,
    };
    await this.#store.transact(async (tx) => {
      const requests = await tx.dataRequests.find(lease.accountId);
      const isHeld = requests !== null &&
        requests.leaseOwner === lease.leaseOwner;
      if (!isHeld) throw new CopyTakenOver();
      tx.exportParts.save(part);
    });
    this.#parts += 1;
    this.#filled = 0;
  }
}

/** A part of a copy that is ready; null once it is gone, or where none is. */
export async function readPart(
  { store }: Pick<Services, "store">,
  { id }: Pick<DataExport, "id">,
  index: number,
): Promise<ExportPart["bytes"] | null> {
  const found = await store.exportParts.find(id, index);
  return found?.bytes ?? null;
}

/** Removes what there is of a document. */
export async function removeParts(
  { store }: Pick<Services, "store">,
  { id, parts }: Pick<DataExport, "id" | "parts">,
): Promise<void> {
  const all = Array.from({ length: parts }, (_, index) => index);
  for (const some of groupsOf(all, TRACKED_READS_MAX)) {
    await store.transact(async (tx) => {
      const refs = some.map((index) => tx.exportParts.ref(id, index));
      for (const part of await tx.getMany(refs)) {
        if (part !== null) tx.exportParts.remove(part);
      }
    });
  }
}
