import { evictOldest } from "../domain/evict_oldest.ts";
import { keyText } from "./key_text.ts";
import type { KvWrite } from "./kv_like.ts";
import type { ReadMany } from "./read_many.ts";

/** A row as this process has last written it, with the version it then got. */
type Row = Deno.KvEntry<unknown>;

/**
 * Rows that this process has written and will likely be asked for next.
 *
 * Nothing may rest on one but a commit that checks its version, which another
 * process may have moved on. All of it may be forgotten at any time.
 *
 * A row that is written again keeps its place. To move it to the end each time
 * would let the map make new tables all the time, and what hangs from the old
 * ones outlives its use. Decision 0080 says why.
 */
export class RememberedRows {
  readonly #rows = new Map<string, Row>();
  readonly #families: ReadonlySet<Deno.KvKeyPart | undefined>;
  readonly #max: number;

  /** Remembers at most `max` rows, all of these families. */
  constructor(
    families: readonly (Deno.KvKeyPart | undefined)[],
    max: number,
  ) {
    this.#families = new Set(families);
    this.#max = max;
  }

  /** The rows of these keys; null unless all of them are remembered. */
  all(keys: readonly Deno.KvKey[]): Row[] | null {
    const rows: Row[] = [];
    for (const key of keys) {
      if (!this.#families.has(key[0])) return null;
      const row = this.#rows.get(keyText(key));
      if (row === undefined) return null;
      rows.push(row);
    }
    return rows;
  }

  /** Takes note of what a commit has written. */
  note(writes: Iterable<KvWrite>, versionstamp: string): void {
    for (const write of writes) {
      const { key } = write;
      if (!this.#families.has(key[0])) continue;
      if (write.kind !== "set") {
        this.forget(key);
        continue;
      }
      const { value } = write;
      this.#rows.set(keyText(key), { key, value, versionstamp });
      evictOldest(this.#rows, this.#max);
    }
  }

  /** Forgets a row, which is read the next time. */
  forget(key: Deno.KvKey): void {
    this.#rows.delete(keyText(key));
  }
}

/**
 * The reads of one attempt, as far as possible from memory. The attempt counts
 * only if its commit applies, which proves that what was remembered is what is
 * stored; whatever else it comes to has to be found again on fresh reads.
 */
export class Guess {
  readonly #rows: RememberedRows | null;
  readonly #fresh: ReadMany;
  readonly #used: Deno.KvKey[] = [];

  /** Reads everything where no rows are given. */
  constructor(rows: RememberedRows | null, fresh: ReadMany) {
    this.#rows = rows;
    this.#fresh = fresh;
  }

  /** Answers the attempt's reads. */
  readonly read: ReadMany = (keys) => {
    const rows = this.#rows?.all(keys) ?? null;
    if (rows === null) return this.#fresh(keys);
    this.#used.push(...keys);
    return Promise.resolve(rows);
  };

  /** Whether anything came from memory; it is forgotten. */
  dropped(): boolean {
    this.#used.forEach((key) => this.#rows?.forget(key));
    return this.#used.length > 0;
  }
}
