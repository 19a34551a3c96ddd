import type { KvAtomic, KvEntries, KvLike, KvWrite } from "../../kv/kv_like.ts";
import {
  Crash,
  type CrashPoint,
  type Fault,
  type FaultRule,
  isCrash,
  lockedError,
  lostConnection,
  NETWORK_FAULTS,
} from "./faults.ts";

/** What one commit did to the store, in the order of the calls. */
export interface SeenCommit {
  checks: readonly Deno.KvKey[];
  writes: readonly SeenWrite[];
  /** Whether the store under the wrapper applied it. */
  applied: boolean;
}

/** One mutation of a commit. */
export type SeenWrite = KvWrite & { options?: { expireIn?: number } };

type Kind = FaultRule["on"];

/** What happens to commits alone; reads know no such answer. */
const OF_COMMITS: ReadonlySet<Fault["kind"]> = new Set([
  "conflict",
  ...NETWORK_FAULTS,
]);

/**
 * A store with a will of its own: it passes every call to a real one, unless a
 * rule says that this call fails, hangs, loses its race or ends the process.
 */
export class FaultyKv implements KvLike {
  readonly #kv: KvLike;
  readonly #rules: { rule: FaultRule; left: number }[] = [];
  readonly #seen: Record<Kind, number> = { commit: 0, read: 0, watch: 0 };
  readonly #commits: SeenCommit[] = [];
  #late: (() => Promise<unknown>)[] = [];
  #crashAt: CrashPoint | null = null;
  #dead = false;
  #isLate = false;
  #isNetworked = false;

  constructor(kv: KvLike, rules: readonly FaultRule[] = []) {
    this.#kv = kv;
    rules.forEach((rule) => this.inject(rule));
  }

  /** Commits asked for so far, whatever became of them. */
  get commits(): readonly SeenCommit[] {
    return this.#commits;
  }

  /** Calls of get, getMany and list (one for each list) so far. */
  get readCount(): number {
    return this.#seen.read;
  }

  /** Whether the process has "died". */
  get dead(): boolean {
    return this.#dead;
  }

  get isEmbedded(): boolean | undefined {
    return this.#kv.isEmbedded;
  }

  /** Whether faults are planned that only a network's client has. */
  get isNetworked(): boolean {
    return this.#isNetworked;
  }

  /** Whether it died, or left a commit without an answer, where it was told. */
  get wentWrong(): boolean {
    return this.#dead || this.#isLate;
  }

  /** Adds a rule; the first rule that fits a call decides. */
  inject(rule: FaultRule): void {
    const { kind } = rule.fault;
    if (OF_COMMITS.has(kind) && rule.on !== "commit") {
      throw new TypeError(`Cannot plan "${kind}" for a ${rule.on}`);
    }
    if (isOfNetwork(kind)) this.#isNetworked = true;
    this.#rules.push({ rule, left: rule.times ?? 1 });
  }

  /** Has the given commit go wrong. */
  crashAt(point: CrashPoint): void {
    this.#crashAt = point;
    if (isOfNetwork(point.when)) this.#isNetworked = true;
  }

  /** Dies now: from here on every call fails with {@linkcode Crash}. */
  crash(): void {
    this.#dead = true;
  }

  /**
   * Lets the commits that were late reach the store, in their order. Those of
   * a process that has died, or dies meanwhile, never will.
   */
  async arrive(): Promise<void> {
    for (const commit of this.#late.splice(0)) {
      if (this.#dead) return;
      await commit().catch((error) => {
        if (!isCrash(error)) throw error;
      });
    }
  }

  get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return this.#run("read", [key], () => this.#kv.get<T>(key, options));
  }

  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return this.#run("read", keys, () => this.#kv.getMany(keys));
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T> {
    const real = this.#kv.list<T>(selector, options);
    const place = "prefix" in selector ? selector.prefix : selector.start;
    let begun = false;
    const faulty: KvEntries<T> = {
      get cursor() {
        return real.cursor;
      },
      next: () => {
        if (begun) return this.#alive(() => real.next());
        begun = true;
        return this.#run("read", [place], () => real.next());
      },
      [Symbol.asyncIterator]: () => faulty,
    };
    return faulty;
  }

  watch(keys: Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]> {
    if (this.#dead) return brokenStream();
    const fault = this.#faultOf("watch", keys);
    if (fault === null) return this.#kv.watch(keys);
    return fault.kind === "hang" ? new ReadableStream() : brokenStream();
  }

  /** Does not close the store underneath, which outlives a "process". */
  close(): void {}

  atomic(): KvAtomic {
    const real = this.#kv.atomic();
    const checks: Deno.KvKey[] = [];
    const writes: SeenWrite[] = [];
    const faulty: KvAtomic = {
      check(...some) {
        checks.push(...some.map(({ key }) => key));
        real.check(...some);
        return faulty;
      },
      set(key, value, options) {
        writes.push({ kind: "set", key, value, ...(options && { options }) });
        real.set(key, value, options);
        return faulty;
      },
      delete(key) {
        writes.push({ kind: "delete", key });
        real.delete(key);
        return faulty;
      },
      sum(key, count) {
        writes.push({ kind: "sum", key, count });
        real.sum(key, count);
        return faulty;
      },
      commit: () => this.#commit(real, { checks, writes, applied: false }),
    };
    const { settle } = real;
    if (settle) faulty.settle = () => settle.call(real);
    return faulty;
  }

  #commit(
    real: KvAtomic,
    seen: SeenCommit,
  ): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    const nth = this.#seen.commit + 1;
    const apply = async () => {
      const result = await real.commit();
      seen.applied ||= result.ok;
      return result;
    };
    if (!this.#dead) this.#commits.push(seen);
    const keys = [...seen.checks, ...seen.writes.map(({ key }) => key)];
    return this.#run("commit", keys, () => {
      const { commit, when } = this.#crashAt ?? {};
      if (commit === nth && when) return this.#goWrong(when, apply);
      return commit === nth - 1 ? this.#withLate(apply) : apply();
    });
  }

  async #goWrong<T>(
    when: CrashPoint["when"],
    apply: () => Promise<T>,
  ): Promise<T> {
    if (when === "resent") return await suffer({ kind: when }, apply);
    if (when === "late") {
      this.#isLate = true;
      this.#late.push(apply);
      throw new Crash("The commit has no answer");
    }
    if (when === "after") await apply();
    this.#dead = true;
    throw new Crash();
  }

  async #withLate<T>(apply: () => Promise<T>): Promise<T> {
    const result = await apply();
    await this.arrive();
    return result;
  }

  #alive<T>(call: () => Promise<T>): Promise<T> {
    return this.#dead ? Promise.reject(new Crash()) : call();
  }

  #run<T>(
    kind: Kind,
    keys: readonly Deno.KvKey[],
    call: () => Promise<T>,
  ): Promise<T> {
    if (this.#dead) return Promise.reject(new Crash());
    const fault = this.#faultOf(kind, keys);
    if (fault === null) return call();
    const alive = () => this.#alive(call);
    if (fault.kind === "late") this.#late.push(alive);
    return suffer(fault, alive);
  }

  /** Counts the call and finds the rule that spoils it. */
  #faultOf(kind: Kind, keys: readonly Deno.KvKey[]): Fault | null {
    const nth = ++this.#seen[kind];
    const found = this.#rules.find(({ rule, left }) =>
      left > 0 && rule.on === kind && (rule.nth ?? nth) <= nth &&
      (rule.key === undefined || keys.some(rule.key))
    );
    if (!found) return null;
    found.left -= 1;
    return found.rule.fault;
  }
}

function isOfNetwork(kind: string): boolean {
  return NETWORK_FAULTS.some((fault) => fault === kind);
}

function brokenStream(): ReadableStream<never> {
  return new ReadableStream({
    start: (controller) => controller.error(lostConnection()),
  });
}

async function suffer<T>(fault: Fault, call: () => Promise<T>): Promise<T> {
  switch (fault.kind) {
    case "late":
      throw lostConnection();
    case "resent":
      await call();
      return await call();
    case "fail_before":
      throw fault.error ?? lostConnection();
    case "fail_after":
      await call();
      throw fault.error ?? lostConnection();
    case "locked":
      throw lockedError();
    case "conflict":
      // Only a commit can lose a race; a read has no such answer.
      return { ok: false } as T;
    case "hang":
      return await new Promise<never>(() => {});
    case "hang_after":
      await call();
      return await new Promise<never>(() => {});
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return await call();
    case "hold":
      await fault.until;
      return await call();
  }
}
