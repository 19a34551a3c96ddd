import type { Day } from "../day.ts";
import { StoreUnavailable } from "../failure.ts";
import type { Log, Store } from "../ports.ts";
import {
  type PublicSnapshot,
  snapshotOf,
  withSpotlights,
} from "./public_snapshot.ts";
import type { Spotlight } from "./spotlight.ts";

/** Spotlights read in one call while all of them are read. */
export const READ_PAGE = 500;

/** What a refresh came to; `failed` is tried again at the next tick. */
export type RefreshOutcome = "changed" | "unchanged" | "failed";

/** What the records are read with. */
export interface PublicRecordsOptions {
  store: Pick<Store, "listSpotlights" | "spotlightsVersion">;
  log: Log;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** Told of each new snapshot at once; it never throws. */
  onChange?: (snapshot: PublicSnapshot) => void;
}

/**
 * The public records of this isolate. Reads never touch the store: they are
 * served from a snapshot that `refresh` replaces when the store's version has
 * changed, and `apply` at once for a change this isolate made itself.
 * Decision 0020 says why.
 */
export class PublicRecords {
  readonly #options: PublicRecordsOptions;
  #snapshot: PublicSnapshot | null = null;
  #version: string | null = null;
  #running: Promise<RefreshOutcome> | null = null;
  #queued: Promise<RefreshOutcome> | null = null;
  /** What this isolate changed since the refresh under way began. */
  readonly #applied = new Map<Day, Spotlight>();

  constructor(options: PublicRecordsOptions) {
    this.#options = options;
  }

  /** Whether the records have been read once, for readiness. */
  get loaded(): boolean {
    return this.#snapshot !== null;
  }

  /**
   * What is public now.
   *
   * @throws {StoreUnavailable} until the records have been read once
   */
  get snapshot(): PublicSnapshot {
    if (this.#snapshot !== null) return this.#snapshot;
    throw new StoreUnavailable("The public records have not been read yet");
  }

  /**
   * What is public, for a reader who has just read the store's version: null
   * where the records were not read at that version, or not whole yet.
   */
  snapshotAt(version: string): PublicSnapshot | null {
    return version === this.#version ? this.#snapshot : null;
  }

  /**
   * Reads what changed, if the store's version did. Never rejects: a failure is
   * logged, and the next call tries again. Calls under way are shared.
   */
  refresh(): Promise<RefreshOutcome> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** A refresh that surely begins after this call, as does what it reads. */
  refreshNow(): Promise<RefreshOutcome> {
    if (this.#running === null) return this.refresh();
    this.#queued ??= this.#running.then(() => {
      this.#queued = null;
      return this.refresh();
    });
    return this.#queued;
  }

  /**
   * Shows a change that this isolate has just committed, without reading:
   * call it right after the settlement or removal of a Spotlight.
   */
  apply(spotlight: Spotlight): void {
    this.#applied.set(spotlight.day, spotlight);
    if (this.loaded) this.#show([spotlight]);
  }

  async #run(): Promise<RefreshOutcome> {
    try {
      // What was applied until here is committed, so the reads below see it.
      this.#applied.clear();
      const version = await this.#options.store.spotlightsVersion();
      if (this.loaded && version === this.#version) return "unchanged";
      await this.#readNewDays();
      await this.#readAll();
      // The version of before the reads: a change during them is read again.
      this.#version = version;
      return "changed";
    } catch (error) {
      this.#options.log.error("public_records_not_refreshed", {
        error: String(error),
      });
      return "failed";
    }
  }

  /** Shows newly settled days without waiting for all days to be compared. */
  async #readNewDays(): Promise<void> {
    const newest = this.#snapshot?.newestSettledDay ?? null;
    if (newest === null) return;
    const { store } = this.#options;
    const days = await store.listSpotlights(newest, { limit: READ_PAGE });
    this.#show(days.filter(({ day }) => !this.#applied.has(day)));
  }

  /** Compares every day, since any of them may have been removed. */
  async #readAll(): Promise<void> {
    const { store, baseUrl } = this.#options;
    const all: Spotlight[] = [];
    for (;;) {
      const after = all.at(-1)?.day ?? null;
      const page = await store.listSpotlights(after, { limit: READ_PAGE });
      all.push(...page);
      if (page.length < READ_PAGE) break;
    }
    this.#snapshot = snapshotOf(all, baseUrl, this.#snapshot ?? undefined);
    // A page read before such a change was committed does not undo it.
    this.#show(this.#applied.values());
  }

  #show(spotlights: Iterable<Spotlight>): void {
    const { baseUrl, onChange } = this.#options;
    this.#snapshot = withSpotlights(this.snapshot, spotlights, baseUrl);
    onChange?.(this.#snapshot);
  }
}
