// @ts-check
import { setTimeout as pause } from "node:timers/promises";

/**
 * How often, after how long and until when something is asked for again. The
 * service gives an answer that got lost again for 30 seconds, and takes a later
 * repeat for a stolen token: the last one has to be there before.
 */
const REPEATS = 3;
const REPEAT_AFTER_MS = 1_000;
export const REPEATS_END_MS = 25_000;

/**
 * The time of this machine; a clock that only goes on, whatever it is set to.
 *
 * @typedef {{ now(): number, pause(ms: number): Promise<unknown> }} Time
 * @type {Time}
 */
const TIME = { now: () => performance.now(), pause };

/**
 * Asks, and asks again where that may be: three times at most, and each time no
 * longer than until 25 seconds after the first request.
 *
 * @template Answer
 * @param {(leftMs: number) => Promise<Answer>} ask how long it may take at most
 * @param {(thrown: unknown) => boolean} mayRepeat
 * @param {Time} [time]
 * @returns {Promise<Answer>}
 */
export async function repeated(ask, mayRepeat, time = TIME) {
  const endMs = time.now() + REPEATS_END_MS;
  for (let repeats = 0;; repeats++) {
    try {
      return await ask(endMs - time.now());
    } catch (thrown) {
      const isLate = time.now() + REPEAT_AFTER_MS >= endMs;
      if (!mayRepeat(thrown) || repeats === REPEATS || isLate) throw thrown;
      await time.pause(REPEAT_AFTER_MS);
    }
  }
}
