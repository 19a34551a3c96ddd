// @ts-check
import { setTimeout as pause } from "node:timers/promises";
import { NotReached, Refused } from "../api/client.js";
import { EXIT, Stop } from "./stop.js";

/** How often the same is sent, with the same key, until it is answered. */
const TRIES = 4;
/** Longest pause between two of them, seconds. */
const PAUSE_MAX_S = 20;

/**
 * Sends what changes something until it is answered. The same key with the same
 * content takes effect once, however often it is sent.
 *
 * @template Answer
 * @param {() => Promise<Answer>} send
 * @param {import("./print.js").Printer} printer
 * @param {{ what: string, again: string }} given what is sent, as in "the bid
 * was placed", and the command that sends it again
 * @returns {Promise<Answer>}
 */
export async function untilAnswered(send, printer, { what, again }) {
  for (let tries = 1;; tries++) {
    try {
      return await send();
    } catch (thrown) {
      const isOpen = thrown instanceof NotReached ||
        thrown instanceof Refused && isUncertain(thrown);
      if (!isOpen) throw thrown;
      if (tries === TRIES) {
        throw new Stop(
          EXIT.uncertain,
          `It is not known whether ${what}: ${thrown.message}`,
          {
            code: "uncertain",
            advice: "Run the same again with its key, which can't do it a " +
              `second time: ${again}`,
          },
        );
      }
      const waitS = thrown instanceof Refused ? thrown.retryAfterS ?? 1 : 1;
      printer.note(`${thrown.message}. The same is sent again.`);
      await pause(Math.min(waitS, PAUSE_MAX_S) * 1_000);
    }
  }
}

/** @param {Refused} refused */
function isUncertain({ status, retryAfterS }) {
  // 409 with a time is the same key, still under way.
  return status >= 500 || status === 409 && retryAfterS !== null;
}

/**
 * Whether the same was answered before, and this is what was said then.
 *
 * @param {{ headers: Headers }} answer
 */
export function isReplay({ headers }) {
  return headers.get("idempotent-replayed") === "true";
}
