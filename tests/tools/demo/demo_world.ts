/**
 * An empty store to fill with demo data, and a processor that remembers by
 * idempotency key, as the real one does.
 *
 * @module
 */
import type { FillStore } from "../../../tools/demo/fill_store.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { dump } from "../../../kv/dump.ts";
import { BID_SETTINGS } from "../../support/bidding_world.ts";
import type { ManualClock } from "../../support/clock.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { OUTSIDE } from "../../support/outside.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** The day whose auction runs in these tests. */
export const TODAY = dayText("2026-11-20");

/** What `dev` fills an empty store with. */
export const USUAL: FillStore = { days: 90, seed: 1 };

/** The world of one test. */
export interface DemoWorld extends AsyncDisposable {
  services: Services;
  processor: DemoProcessor;
  clock: ManualClock;
  testStore: TestStore;
  /** The same service over another process's store. */
  over(store: Store): Services;
  /** The rows of the store as text, in key order. */
  rows(): Promise<string[]>;
}

/** Opens an empty world at noon of {@linkcode TODAY}. */
export async function openDemoWorld(): Promise<DemoWorld> {
  const testStore = await openTestStore();
  const { clock, ids, realKv } = testStore;
  const processor = new DemoProcessor(clock);
  const over = (store: Store): Services => ({
    clock,
    ids,
    store,
    processor: processor.port,
    ...OUTSIDE,
    keys: TEST_KEYS,
    log: new MemoryLog(),
    settings: BID_SETTINGS,
  });
  return {
    services: over(testStore.store),
    processor,
    clock,
    testStore,
    over,
    async rows() {
      const text = await new Response(dump(realKv, { keys: null })).text();
      return text.trimEnd().split("\n").slice(1, -1);
    },
    [Symbol.asyncDispose]: () => testStore.close(),
  };
}

/** Makes customers and saves cards, one for each key. */
export class DemoProcessor {
  /** @param clock the processor's and the service's alike */
  constructor(clock: Pick<ManualClock, "now">) {
    this.#clock = clock;
  }

  readonly #clock: Pick<ManualClock, "now">;
  /** Every call's key, in order. */
  readonly keys: string[] = [];
  /** Customer id of every saved card. */
  readonly cards = new Map<string, string>();
  /** Calls that will not be answered. */
  silent = 0;

  /** The processor as the domain sees it; nothing else may be asked of it. */
  readonly port: Processor = new Proxy({
    retrieveClock: () => Promise.resolve(this.#clock.now()),
    createCustomer: (_details, key) =>
      this.#answer(key, () => ({ id: `cus_${key}` })),
    attachCard: (customerId, testCard, key) =>
      this.#answer(key, () => {
        this.cards.set(`pm_${key}`, customerId);
        return {
          id: `pm_${key}`,
          brand: testCard.replace("pm_card_", ""),
          last4: "4242",
          expMonth: 12,
          expYear: 2029,
        };
      }),
  } as Pick<
    Processor,
    "retrieveClock" | "createCustomer" | "attachCard"
  > as Processor, {
    get(target, name) {
      const call = Reflect.get(target, name);
      if (call !== undefined) return call;
      throw new Error(`The demo does not ask for ${String(name)}`);
    },
  });

  async #answer<T>(
    key: string,
    make: () => T,
  ): Promise<{ ok: true; value: T }> {
    await Promise.resolve();
    this.keys.push(key);
    if (this.silent > 0) {
      this.silent -= 1;
      throw new ProcessorUncertain("The processor does not answer");
    }
    return { ok: true, value: make() };
  }
}
