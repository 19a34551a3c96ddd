import { metrics } from "@opentelemetry/api";

/** A figure of now, by what it is of: `{ queue: "mails" }`. */
export interface Reading {
  gauge: GaugeName;
  value: number;
  of: Readonly<Record<string, string>>;
}

/** What is read now and then, and its unit. Docs: docs/operations.md. */
export const GAUGES = {
  /** How long the longest due has been due, by queue; 0 where nothing is due. */
  "spotlight.queue.age": "s",
  /** Since a job last did all it had to, by job. */
  "spotlight.job.age": "s",
  /** Since the closing of the longest closed day that is not settled yet. */
  "spotlight.settlement.age": "s",
  /** 1 where the store takes writes, else 0. */
  "spotlight.store.reached": "{store}",
} as const;

/** One of the gauges. */
export type GaugeName = keyof typeof GAUGES;

/** What is counted as it happens. Docs: docs/operations.md. */
export const COUNTERS = {
  /** Lines of the log but those of requests, by event and level. */
  "spotlight.events": "{event}",
  /** Commits, by result: applied, lost a race, failed. */
  "spotlight.store.commits": "{commit}",
} as const;

const meter = metrics.getMeter("spotlight");

/** Counts one more. */
export function counter(
  name: keyof typeof COUNTERS,
): (of: Readonly<Record<string, string>>) => void {
  const made = meter.createCounter(name, { unit: COUNTERS[name] });
  return (of) => made.add(1, of);
}

/** What waiting for an export takes: a clock that only goes forward, and pauses. */
interface Time {
  now(): number;
  sleep(ms: number): Promise<void>;
  nextTurn(): Promise<void>;
}

/** How near the runtime's next export may be where the process is to end, ms. */
const NEAR_MS = 5_000;

/**
 * Has the gauges told at every export: what the last look found, and each export
 * begins the next look, since the runtime is not to wait for a store.
 *
 * @returns how to end that. The runtime never ends a process that it is told to
 * end while it waits for gauges, which is where it asks between that word and
 * its last export: so an export that is near is let pass first.
 */
export function readGauges(
  look: () => Promise<Reading[]>,
  time: Time,
): () => Promise<void> {
  const gauges = new Map(
    Object.entries(GAUGES).map(([name, unit]) =>
      [name, meter.createObservableGauge(name, { unit })] as const
    ),
  );
  let found: readonly Reading[] = [];
  let isLooking = false;
  const lookAnew = async () => {
    if (isLooking) return;
    isLooking = true;
    found = await look();
    isLooking = false;
  };
  const exports = watchExports(time);
  const tell: Parameters<typeof meter.addBatchObservableCallback>[0] = (
    result,
  ) => {
    exports.note();
    for (const { gauge, value, of } of found) {
      const made = gauges.get(gauge);
      if (made !== undefined) result.observe(made, value, of);
    }
    void lookAnew();
  };
  void lookAnew();
  meter.addBatchObservableCallback(tell, [...gauges.values()]);
  return () => exports.letPass();
}

/** When the runtime exports, by when it asks for gauges. */
function watchExports({ now, sleep, nextTurn }: Time) {
  let askedMs: number | null = null;
  let periodMs = Infinity;
  let asked = Promise.withResolvers<void>();
  return {
    note() {
      const nowMs = now();
      if (askedMs !== null) periodMs = nowMs - askedMs;
      askedMs = nowMs;
      asked.resolve();
      asked = Promise.withResolvers();
    },
    /** Waits for an export that is due within moments, no longer than that. */
    async letPass() {
      const dueMs = (askedMs ?? Infinity) + periodMs;
      if (dueMs - now() > NEAR_MS) return;
      await Promise.race([asked.promise, sleep(NEAR_MS)]);
      // The runtime is told that the gauges are read in turns of its own.
      await nextTurn();
    },
  };
}
