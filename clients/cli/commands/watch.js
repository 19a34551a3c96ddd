// @ts-check
import { NotReached, Refused, TIME_LIMIT_MS } from "../../api/client.js";
import { dayOf, wholeNumber } from "../command.js";
import { News } from "../news.js";
import { euros } from "../print.js";
import { accountClient } from "../session.js";
import { STARTED } from "../started.js";
import { EXIT, Stop } from "../stop.js";

const EVERY_S = 60;
/** Longer than any auction is open and takes to settle. */
const WITHIN_S = 172_800;

/** @type {import("../command.js").Command} */
export const watch = {
  usage: "watch [DAY]",
  wordsMax: 1,
  does: "waits until a day has settled and says what became of your bid",
  options: {
    every: [
      "string",
      `whole seconds between two looks without an event; ${EVERY_S} unless told`,
    ],
    within: [
      "string",
      `whole seconds to wait at most; ${WITHIN_S} unless told`,
    ],
  },
  async run({ values, words, where, printer }) {
    const day = dayOf(words[0]);
    const every = wholeNumber(values.every ?? String(EVERY_S), "--every");
    const within = wholeNumber(values.within ?? String(WITHIN_S), "--within");
    const client = await accountClient(where);
    const untilMs = Date.now() + within * 1_000;
    const news = new News(client, where.timeLimitMs ?? TIME_LIMIT_MS);
    await news.begin();
    for (let looks = 0;; looks++) {
      const { outcome, waitS } = await look(client, day, printer);
      if (outcome !== null) {
        printer.result(outcome, linesOf(outcome));
        return;
      }
      const leftS = Math.floor((untilMs - Date.now()) / 1_000);
      if (leftS <= 0) throw notSettled(day);
      if (looks === 0) printer.note(`${day} has not settled. Waiting.`);
      await news.next(Math.min(Math.max(every, waitS, 1), leftS));
    }
  },
};

/**
 * @typedef {{
 *   day: string,
 *   bid: import("../../generated/types.d.ts").Bid | null,
 *   spotlight: import("../../generated/types.d.ts").Spotlight | null,
 * }} Outcome
 *
 * @param {import("../session.js").Client} client
 * @param {string} day
 * @param {import("../print.js").Printer} printer
 * @returns {Promise<{ outcome: Outcome | null, waitS: number }>}
 */
async function look(client, day, printer) {
  try {
    const spotlight = await spotlightOf(client, day);
    const { bids: [bid = null] } = await client.call("listBids", {
      query: { day },
    });
    const isSettled = bid === null
      ? spotlight !== null
      : bid.status !== "active";
    const outcome = isSettled ? { day, bid, spotlight } : null;
    return { outcome, waitS: 0 };
  } catch (thrown) {
    const isPassing = thrown instanceof NotReached ||
      thrown instanceof Refused &&
        (thrown.status === 429 || thrown.status >= 500);
    if (!isPassing) throw thrown;
    printer.note(`${thrown.message}. Looking again.`);
    const waitS = thrown instanceof Refused ? thrown.retryAfterS ?? 0 : 0;
    return { outcome: null, waitS };
  }
}

/**
 * @param {import("../session.js").Client} client
 * @param {string} day
 */
async function spotlightOf(client, day) {
  try {
    return (await client.call("readSpotlight", { path: { day } })).data;
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.status === 404) return null;
    throw thrown;
  }
}

/** @param {Outcome} outcome */
function linesOf({ day, bid, spotlight }) {
  return [
    bid === null
      ? `${day} has settled. You had no bid.`
      : `${day} has settled. Your bid of ${euros(bid.amount_cents)}: ` +
        bid.status,
    ...spotlight === null ? [] : [
      `Spotlight: ${spotlight.headline} (${spotlight.advertiser}), ` +
      spotlight.canonicalUrl,
    ],
  ];
}

/** @param {string} day */
function notSettled(day) {
  return new Stop(EXIT.notReached, `${day} has not settled in that time`, {
    advice: `Run it again: ${STARTED} watch ${day}`,
  });
}
