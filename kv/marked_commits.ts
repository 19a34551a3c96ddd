/**
 * Commits over a network. When no answer comes, the client of the platform
 * sends a commit again by itself, for as long as the process lives: one that
 * has applied then fails its own checks, and one that was given up applies
 * whenever the line is back. Decision 0080 says what is done about both.
 *
 * @module
 */
import { DAY_MS } from "../domain/day.ts";
import { StoreUnavailable } from "../domain/failure.ts";
import { invariant } from "../domain/invariant.ts";
import { isMisuse } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvAtomic, KvEntries, KvLike } from "./kv_like.ts";

/** Of whom the marks are. */
export interface MarkOptions {
  /** A name that no other process has. */
  owner: string;
}

/**
 * A row that one commit at a time writes along, checked to be what the last
 * one left. Its version alone tells whether that commit has applied.
 */
interface Mark {
  readonly key: Deno.KvKey;
  versionstamp: string | null;
}

/** By whom a mark was written: by its commit, or by what ended that commit. */
type MarkValue = "applied" | "void";

/** Longer than any process sends a commit again. */
export const MARK_KEPT_MS = 30 * DAY_MS;

/**
 * Has every commit write a mark of this process. Until a commit without an
 * answer is settled, nothing else is sent, so that nobody looks at the store
 * through this process and finds something else there a moment later.
 */
export function markedCommits(kv: KvLike, options: MarkOptions): KvLike {
  const line = new Line(options);
  return {
    async get(key, options) {
      await line.ready();
      return await kv.get(key, options);
    },
    async getMany(keys) {
      await line.ready();
      return await kv.getMany(keys);
    },
    list: (selector, options) => listed(line, kv.list(selector, options)),
    atomic: () => new MarkedCommit(kv, line),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

function listed<T>(line: Line, entries: KvEntries<T>): KvEntries<T> {
  const waiting: KvEntries<T> = {
    get cursor() {
      return entries.cursor;
    },
    async next() {
      await line.ready();
      return await entries.next();
    },
    [Symbol.asyncIterator]: () => waiting,
  };
  return waiting;
}

/** The way to the store: the marks that are free, and what is not settled. */
class Line {
  readonly #owner: string;
  readonly #free: Mark[] = [];
  readonly #unsettled = new Set<MarkedCommit>();
  #marks = 0;

  constructor({ owner }: MarkOptions) {
    this.#owner = owner;
  }

  /** Waits until everything is settled; how long, is up to the caller. */
  async ready(): Promise<void> {
    while (this.#unsettled.size > 0) {
      await Promise.all([...this.#unsettled].map((each) => each.settle()));
    }
  }

  takeMark(): Mark {
    return this.#free.pop() ??
      { key: keys.commitMark(this.#owner, this.#marks++), versionstamp: null };
  }

  giveBack(mark: Mark): void {
    this.#free.push(mark);
  }

  /** Keeps everything else waiting for the commit. */
  hold(commit: MarkedCommit): void {
    this.#unsettled.add(commit);
  }

  letGo(commit: MarkedCommit): void {
    this.#unsettled.delete(commit);
  }
}

/** A commit that can be told from others' and ended from outside. */
class MarkedCommit implements KvAtomic {
  readonly #kv: KvLike;
  readonly #line: Line;
  readonly #atomic: KvAtomic;
  /** From the moment it is sent. */
  #mark: Mark | null = null;
  #isGivenUp = false;
  #settling: Promise<Deno.KvCommitResult | null> | null = null;
  /** What it came to for good: what was written, or `null` for nothing. */
  #outcome: Deno.KvCommitResult | null | undefined;

  constructor(kv: KvLike, line: Line) {
    this.#kv = kv;
    this.#line = line;
    this.#atomic = kv.atomic();
  }

  check(...checks: Deno.AtomicCheck[]): void {
    this.#atomic.check(...checks);
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): void {
    this.#atomic.set(key, value, options);
  }

  delete(key: Deno.KvKey): void {
    this.#atomic.delete(key);
  }

  sum(key: Deno.KvKey, count: bigint): void {
    this.#atomic.sum(key, count);
  }

  async commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    await this.#line.ready();
    if (this.#isGivenUp) throw new StoreUnavailable("It was never sent");
    const mark = this.#line.takeMark();
    this.#mark = mark;
    writeMark(this.#atomic, mark, "applied");
    try {
      const ended = await this.#atomic.commit();
      if (this.#isGivenUp) return ended;
      if (ended.ok) return this.#end(mark, ended.versionstamp, ended);
    } catch (error) {
      if (this.#isGivenUp || !isMisuse(error)) throw error;
      return await this.#refused(mark, error);
    }
    const found = await this.#read(mark);
    const result = resultOf(mark, found);
    if (!this.#isGivenUp) this.#end(mark, found.versionstamp, result);
    return result ?? { ok: false };
  }

  /**
   * What the client itself refuses was never sent. A server may have refused a
   * repeat, on the way to it too, of a commit that it had taken before.
   */
  async #refused(mark: Mark, error: unknown): Promise<Deno.KvCommitResult> {
    if (error instanceof TypeError) this.#end(mark, mark.versionstamp, null);
    const outcome = await this.settle().catch((cause) => {
      throw new StoreUnavailable("Cannot end what was refused", { cause });
    });
    if (outcome === null) throw error;
    return outcome;
  }

  /** A mark that can't be read, whatever the reason, says nothing of its commit. */
  async #read(mark: Mark): Promise<Deno.KvEntryMaybe<unknown>> {
    try {
      return await this.#kv.get(mark.key);
    } catch (cause) {
      throw new StoreUnavailable("Cannot read a mark", { cause });
    }
  }

  /** Waits for what was begun already, so that it is asked for once at a time. */
  async settle(): Promise<Deno.KvCommitResult | null> {
    if (this.#outcome !== undefined) return this.#outcome;
    this.#isGivenUp = true;
    if (this.#mark === null) return null;
    this.#line.hold(this);
    this.#settling ??= this.#settle(this.#mark).finally(() => {
      this.#settling = null;
    });
    return await this.#settling;
  }

  /** Writes the mark in the commit's place: of the two only one can apply. */
  async #settle(mark: Mark): Promise<Deno.KvCommitResult | null> {
    const atomic = this.#kv.atomic();
    writeMark(atomic, mark, "void");
    const ended = await atomic.commit();
    if (ended.ok) return this.#end(mark, ended.versionstamp, null);
    const found = await this.#kv.get(mark.key);
    invariant(
      found.versionstamp !== mark.versionstamp,
      "a mark whose check fails was written",
    );
    return this.#end(mark, found.versionstamp, resultOf(mark, found));
  }

  #end<T extends Deno.KvCommitResult | null>(
    mark: Mark,
    versionstamp: string | null,
    outcome: T,
  ): T {
    // A mark is given back once: it belongs to one commit at a time.
    invariant(this.#outcome === undefined, "a commit has one outcome");
    this.#outcome = outcome;
    mark.versionstamp = versionstamp;
    this.#line.giveBack(mark);
    this.#line.letGo(this);
    return outcome;
  }
}

function writeMark(atomic: KvAtomic, mark: Mark, value: MarkValue): void {
  const { key, versionstamp } = mark;
  atomic.check({ key, versionstamp });
  atomic.set(key, value, { expireIn: MARK_KEPT_MS });
}

/** What a commit has written whose mark is read; `null` for nothing. */
function resultOf(
  mark: Mark,
  { value, versionstamp }: Deno.KvEntryMaybe<unknown>,
): Deno.KvCommitResult | null {
  const isWritten = versionstamp !== mark.versionstamp && value === "applied";
  return isWritten ? { ok: true, versionstamp } : null;
}
