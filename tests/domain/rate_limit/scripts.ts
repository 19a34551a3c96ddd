/**
 * Scripts of what several isolates over one store are asked, and of what becomes
 * of each of their calls, in any order.
 *
 * @module
 */
import { startTimer } from "../../../adapters/time/system_time.ts";
import fc from "fast-check";
import {
  createRateLimiter,
  type RateLimiterOptions,
} from "../../../domain/rate_limit/create_rate_limiter.ts";
import { ManualClock } from "../../support/clock.ts";
import { type Fate, SteppedRows } from "./stepped_rows.ts";

/** An isolate whose store does nothing until the test lets it. */
export function openStepped(
  options: Pick<RateLimiterOptions, "maxWaiters" | "maxWaitMs"> = {},
) {
  const clock = new ManualClock();
  const rows = new SteppedRows(clock);
  const limiter = createRateLimiter({
    rows: rows.isolate(),
    clock,
    startTimer,
    hashId: (text) => text,
    ...options,
  });
  return { clock, rows, limiter };
}

/** One line of a script. */
export type Action =
  | { do: "take"; isolate: number; client: number; times: number }
  | { do: "step"; which: number; fate: Fate }
  | { do: "advance"; ms: number }
  | { do: "expire" };

/** Several isolates on one store; `take` never rejects for what may happen. */
export interface Fleet {
  readonly clock: ManualClock;
  readonly rows: SteppedRows;
  take(isolate: number, client: number): Promise<void>;
}

/** Calls fail half of the time, in every way that is not left out. */
export function fates(
  ...further: readonly Fate[]
): fc.Arbitrary<Fate> {
  return fc.constantFrom<Fate>(
    "apply",
    "apply",
    "apply",
    "fail_before",
    "fail_after",
    "late",
    ...further,
  );
}

/** Requests of up to so many isolates, clients and times at once. */
export function takes(
  isolates: number,
  clients: number,
  times: number,
): fc.Arbitrary<Action> {
  return fc.record({
    do: fc.constant("take" as const),
    isolate: fc.nat(isolates - 1),
    client: fc.nat(clients - 1),
    times: fc.integer({ min: 1, max: times }),
  });
}

/** Calls of the store that get their turn. */
export function steps(
  fate: fc.Arbitrary<Fate>,
  which = 5,
): fc.Arbitrary<Action> {
  return fc.record({
    do: fc.constant("step" as const),
    which: fc.nat(which),
    fate,
  });
}

/** Time that passes. */
export function advances(ms: fc.Arbitrary<number>): fc.Arbitrary<Action> {
  return fc.record({ do: fc.constant("advance" as const), ms });
}

/** What has expired is taken from the store. */
export const EXPIRE: fc.Arbitrary<Action> = fc.constant({ do: "expire" });

/** A script of actions, each with how often it comes. */
export function scriptOf(
  length: { minLength: number; maxLength: number },
  ...actions: readonly [weight: number, arbitrary: fc.Arbitrary<Action>][]
): fc.Arbitrary<Action[]> {
  const weighed = actions.map(([weight, arbitrary]) => ({ weight, arbitrary }));
  return fc.array(fc.oneof(...weighed), length);
}

/**
 * Plays a script to its end, where no call waits any more.
 *
 * @param settled whether no call waits after each request either
 */
export async function play(
  fleet: Fleet,
  script: readonly Action[],
  settled = false,
): Promise<void> {
  const asked: Promise<void>[] = [];
  for (const action of script) {
    if (action.do === "advance") fleet.clock.advance(action.ms);
    else if (action.do === "expire") fleet.rows.expire();
    else if (action.do === "step") {
      await fleet.rows.step(action.which, action.fate);
    } else {
      for (let n = 0; n < action.times; n++) {
        asked.push(fleet.take(action.isolate, action.client));
      }
      if (settled) await fleet.rows.drain();
    }
  }
  await fleet.rows.drain();
  await Promise.all(asked);
}
