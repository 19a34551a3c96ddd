// @ts-check
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { NotReached, Refused } from "../../api/client.js";
import { dayOf, wholeNumber, wrong } from "../command.js";
import { presentBid, presentLines, standsNow } from "../present_bid.js";
import { accountClient } from "../session.js";
import { EXIT, Stop } from "../stop.js";

/** How often the same bid is sent, with the same key, until it is answered. */
const TRIES = 4;
/** Longest pause between two of them, seconds. */
const PAUSE_MAX_S = 20;

/** @type {import("../command.js").Command} */
export const bid = {
  usage: "bid --ad AD --cents N",
  wordsMax: 0,
  does: "places or raises the account's bid: it spends money if it wins",
  options: {
    ad: ["string", "an approved creative of the account"],
    cents: ["string", "what is paid if the bid wins, in cents of a euro"],
    day: ["string", "the day to bid on; today unless told"],
    key: ["string", "the key of a bid whose outcome is not known"],
  },
  async run({ values, where, printer }) {
    if (values.ad === undefined) throw wrong("No creative is named: --ad");
    const asked = {
      day: dayOf(values.day),
      ad_id: String(values.ad),
      amount_cents: wholeNumber(values.cents, "--cents"),
      currency: /** @type {const} */ ("EUR"),
    };
    const key = String(values.key ?? randomUUID());
    const client = await accountClient(where);
    const answered = await placeBid(client, asked, key, printer);
    const present = await presentBid(client, asked, answered);
    const { auction, bid: now, isReplayed: replayed } = present;
    const stands = standsNow(asked, present);
    printer.result(
      { ...asked, key, auction, replayed, stands, bid: now },
      presentLines(asked, present),
    );
  },
};

/**
 * The same key with the same bid is one bid, however often it is sent. An
 * answer of earlier says so in a header.
 *
 * @param {import("../session.js").Client} client
 * @param {import("../../generated/types.d.ts").PlaceBid} body
 * @param {string} key
 * @param {import("../print.js").Printer} printer
 */
async function placeBid(client, body, key, printer) {
  for (let tries = 1;; tries++) {
    try {
      const headers = { "Idempotency-Key": key };
      const { headers: told, body: auction } = await client.answer(
        "placeBid",
        { headers, body },
      );
      const isReplayed = told.get("idempotent-replayed") === "true";
      return { auction, isReplayed };
    } catch (thrown) {
      const isOpen = thrown instanceof NotReached ||
        thrown instanceof Refused && isUncertain(thrown);
      if (!isOpen) throw thrown;
      if (tries === TRIES) throw uncertain(body, key, thrown);
      const waitS = thrown instanceof Refused ? thrown.retryAfterS ?? 1 : 1;
      printer.note(`${thrown.message}. The same bid is sent again.`);
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
 * @param {import("../../generated/types.d.ts").PlaceBid} body
 * @param {string} key
 * @param {Error} cause
 */
function uncertain({ day, ad_id, amount_cents }, key, cause) {
  return new Stop(
    EXIT.uncertain,
    `It is not known whether the bid was placed: ${cause.message}`,
    {
      code: "uncertain",
      advice: "Run the same again with its key, which can't be a second bid: " +
        `spotlight bid --day ${day} --ad ${ad_id} --cents ${amount_cents} ` +
        `--key ${key}`,
    },
  );
}
