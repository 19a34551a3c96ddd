// @ts-check
import { setTimeout as pause } from "node:timers/promises";
import { NotReached, Refused } from "../api/client.js";

/** Longest that one request waits for an event, seconds. */
const WAIT_MAX_S = 20;
/** A request that waits is answered so long before it is given up. */
const SPARE_S = 3;
/** Pause after an answer that did not come, seconds. */
const PAUSE_S = 5;

/** Waits until something may have happened to the account. */
export class News {
  #client;
  #waitS;
  /** @type {string | undefined} */
  #after;
  #isTold = true;

  /**
   * @param {import("./session.js").Client} client
   * @param {number} timeLimitMs longest that the client waits for an answer
   */
  constructor(client, timeLimitMs) {
    this.#client = client;
    const limitS = Math.floor(timeLimitMs / 1_000) - SPARE_S;
    this.#waitS = Math.min(WAIT_MAX_S, limitS);
  }

  /** Passes over what has happened until now. */
  async begin() {
    while (this.#isTold && await this.#read(0)) { /* there is more */ }
  }

  /**
   * Waits for the next event, or for so long.
   *
   * @param {number} seconds
   */
  async next(seconds) {
    const untilMs = Date.now() + seconds * 1_000;
    while (this.#isTold) {
      const leftS = Math.ceil((untilMs - Date.now()) / 1_000);
      if (leftS <= 0 || await this.#read(Math.min(leftS, this.#waitS))) return;
    }
    await pause(Math.max(0, untilMs - Date.now()));
  }

  /**
   * Whether there were events. Where none are told, of an older service or
   * without the scope, it is waited without.
   *
   * @param {number} wait
   */
  async #read(wait) {
    this.#isTold &&= this.#waitS > 0;
    if (!this.#isTold) return false;
    try {
      const { items, after } = await this.#client.call("listEvents", {
        query: {
          wait,
          limit: 50,
          ...this.#after !== undefined && { after: this.#after },
        },
      });
      this.#after = after;
      return items.length > 0;
    } catch (thrown) {
      const isNo = thrown instanceof Refused;
      if (!isNo && !(thrown instanceof NotReached)) throw thrown;
      if (isNo && thrown.status < 429) this.#isTold = false;
      else await pause(PAUSE_S * 1_000);
      return false;
    }
  }
}
