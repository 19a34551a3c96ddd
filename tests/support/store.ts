import type { DocumentArchive } from "../../domain/invoices/document_archive.ts";
import type { Store } from "../../domain/ports.ts";
import { createChunkedValues } from "../../kv/chunked_values.ts";
import { documentArchive } from "../../kv/document_archive.ts";
import type { Patience } from "../../kv/guard.ts";
import type { BucketLanes } from "../../kv/rate_buckets.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { markedCommits } from "../../kv/marked_commits.ts";
import { createStore, type StoreOptions } from "../../kv/store.ts";
import { ManualClock } from "./clock.ts";
import type { FaultRule } from "./faults.ts";
import { FaultyKv } from "./faulty_kv.ts";
import { CountingIds } from "./ids.ts";
import { TEST_KEYS } from "./keys.ts";
import { IS_FAULTY, IS_NETWORKED, openBareTestKv } from "./test_kv.ts";

/** What a test may choose. */
export interface TestStoreOptions {
  /** A file, or the address of a KV server, instead of memory. */
  path?: string;
  clock?: ManualClock;
  ids?: CountingIds;
  patience?: Partial<Patience>;
  faults?: readonly FaultRule[];
  /** What the service takes the store for; what it is when left out. */
  isNetworked?: boolean;
  /** Stands for the real store, such as one that counts its calls. */
  kv?: KvLike;
  onRetry?: (why: "conflict" | "locked") => void;
  /** Told of what the first process has committed. */
  hooks?: Pick<
    StoreOptions,
    | "onEventsNoted"
    | "onCallbacksChanged"
    | "onCommissionsDue"
    | "onPayoutsRequested"
  >;
  /** How buckets are kept; as in an embedded store when left out. */
  lanes?: BucketLanes;
}

/** One process over a store that outlives it. */
export interface TestProcess {
  store: Store;
  archive: DocumentArchive;
  /** The store's calls go through here; plans faults and crashes. */
  kv: FaultyKv;
}

/** A store of a test's own with everything it needs. */
export interface TestStore extends TestProcess, AsyncDisposable {
  /** The real store, without faults: to look and to spoil. */
  realKv: KvLike;
  clock: ManualClock;
  ids: CountingIds;
  /** Another process over the same data: a restart, or a second isolate. */
  another(faults?: readonly FaultRule[]): TestProcess;
  close(): Promise<void>;
}

/**
 * Patience that never really waits: `sleep` moves a clock of its own, so that
 * the budget for locks runs out at once. `callMs` is real time.
 */
export function testPatience(overrides: Partial<Patience> = {}): Patience {
  let elapsedMs = 0;
  return {
    callMs: 2_000,
    verbMs: 2_000,
    nowMs: () => elapsedMs,
    sleep: (ms) => {
      elapsedMs += ms;
      return Promise.resolve();
    },
    random: () => 0.5,
    ...overrides,
  };
}

/** Processes so far: each has marks of its own. */
let owners = 0;

/**
 * A store as a process uses it: over a network, with marks, as soon as faults
 * are planned that only a network's client has, or the line itself has some.
 */
export function asPlanned(
  kv: FaultyKv,
  isNetworked = kv.isEmbedded !== true,
): KvLike {
  const marked = markedCommits(kv, { owner: `process ${owners++}` });
  const planned = () => IS_FAULTY || kv.isNetworked ? marked : kv;
  return {
    get isEmbedded() {
      return !isNetworked && planned() === kv;
    },
    get: (key, options) => planned().get(key, options),
    getMany: (keys) => planned().getMany(keys),
    list: (selector, options) => planned().list(selector, options),
    atomic: () => planned().atomic(),
    watch: (keys) => planned().watch(keys),
    close: () => planned().close(),
  };
}

/** Opens an empty store in memory, or on the given file. */
export async function openTestStore(
  options: TestStoreOptions = {},
): Promise<TestStore> {
  const realKv = options.kv ?? await openBareTestKv(options.path);
  const clock = options.clock ?? new ManualClock();
  const ids = options.ids ?? new CountingIds();
  // Over a network a busy machine may take its time, and the client a pause.
  const isNetworked = IS_NETWORKED || options.path?.startsWith("http");
  const atHand = isNetworked ? { callMs: 20_000 } : {};
  const start = (
    faults: readonly FaultRule[] = [],
    hooks: TestStoreOptions["hooks"] = {},
  ): TestProcess => {
    const faulty = new FaultyKv(realKv, faults);
    const kv = asPlanned(faulty, options.isNetworked);
    const patience = testPatience({ ...atHand, ...options.patience });
    const { onRetry } = options;
    const store = createStore({
      kv,
      clock,
      patience,
      keys: TEST_KEYS,
      ...onRetry && { onRetry },
      ...hooks,
    });
    const values = createChunkedValues({ kv, clock, ids, patience });
    return { store, archive: documentArchive(values), kv: faulty };
  };
  let open = true;
  const close = () => {
    if (open) realKv.close();
    open = false;
    return Promise.resolve();
  };
  return {
    ...start(options.faults, options.hooks),
    realKv,
    clock,
    ids,
    another: (faults) => start(faults),
    close,
    [Symbol.asyncDispose]: close,
  };
}
