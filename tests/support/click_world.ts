import type { Day } from "../../domain/day.ts";
import {
  BOOK_AFTER_MS,
  BOOK_AGAIN_AFTER_MS,
  type ClickCounter,
  type ClickCounterOptions,
  createClickCounter,
} from "../../domain/clicks/click_counter.ts";
import type { ClickJudge } from "../../domain/clicks/request_outcome.ts";
import type { Clock, Ids, Store } from "../../domain/ports.ts";
import { MemoryLog } from "./captured_logs.ts";
import { ManualTimer } from "./timer.ts";

/** A browser that nobody takes for a bot. */
export const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) " +
  "Gecko/20100101 Firefox/145.0";

/** Knows the countries of a few networks and one bot. */
export const TEST_JUDGE: ClickJudge = {
  isBot: (userAgent) => userAgent.startsWith("curl/"),
  countryOf: (address) => COUNTRIES[address.split(".")[0] ?? ""] ?? null,
};

const COUNTRIES: Readonly<Record<string, string>> = {
  "10": "LV",
  "20": "DE",
  "30": "FR",
};

/** What a counter waits for, the end of the day excepted. */
const PAUSES = [BOOK_AFTER_MS, BOOK_AGAIN_AFTER_MS];

/** A click as a test makes it. */
export interface TestClick {
  address?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** The counter of an isolate, on a timer of the test's own. */
export interface TestCounter {
  counter: ClickCounter;
  /** Bookings wait for it. */
  timer: ManualTimer;
  /** The end of the day, when its salt is forgotten. */
  midnight: ManualTimer;
  log: MemoryLog;
  /** A click at the clock's moment. */
  click(day: Day, click?: TestClick): void;
  /** Lets the timer run and waits for what it set off. */
  book(): Promise<void>;
}

/** Starts the counter of one isolate. */
export function startCounter(
  process: { store: Store; clock: Clock; ids: Ids },
  options: Partial<ClickCounterOptions> = {},
): TestCounter {
  const { store, clock, ids } = process;
  const timer = new ManualTimer();
  const midnight = new ManualTimer();
  const log = new MemoryLog();
  const counter = createClickCounter({
    services: { store, clock, ids, log },
    judge: TEST_JUDGE,
    startTimer: (run, ms) =>
      (PAUSES.includes(ms) ? timer : midnight).start(run, ms),
    ...options,
  });
  return {
    counter,
    timer,
    midnight,
    log,
    click(day, click = {}) {
      counter.note(day, {
        method: click.method ?? "GET",
        headers: new Headers({ "user-agent": BROWSER, ...click.headers }),
        address: click.address ?? "10.0.0.1",
        atMs: clock.now(),
      }, Promise.resolve(true));
    },
    async book() {
      await counter.idle();
      timer.fire();
      await counter.idle();
    },
  };
}

/** The figures of a day by their names, such as `outcome human`. */
export async function figuresOf(
  store: Store,
  day: Day,
): Promise<Record<string, number>> {
  const counts = await store.listClickCounts(day, { limit: 2_000 });
  return Object.fromEntries(
    counts.map(({ dimension, value, count }) => [
      `${dimension} ${value}`,
      count,
    ]),
  );
}
