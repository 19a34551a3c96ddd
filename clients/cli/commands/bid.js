// @ts-check
import { randomUUID } from "node:crypto";
import { dayOf, wholeNumber, wrong } from "../command.js";
import { presentBid, presentLines, standsNow } from "../present_bid.js";
import { accountClient } from "../session.js";
import { quoted, STARTED } from "../started.js";
import { isReplay, untilAnswered } from "../writes.js";

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
    // With a key that nobody else knows, the answer of earlier is our own.
    const isResent = answered.isReplayed && values.key === undefined;
    const present = await presentBid(client, asked, { ...answered, isResent });
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
  const { day, ad_id, amount_cents } = body;
  const answer = await untilAnswered(
    () =>
      client.answer("placeBid", { headers: { "Idempotency-Key": key }, body }),
    printer,
    {
      what: "the bid was placed",
      again: `${STARTED} bid --day ${day} --ad ${quoted(ad_id)} ` +
        `--cents ${amount_cents} --key ${quoted(key)}`,
    },
  );
  return { auction: answer.body, isReplayed: isReplay(answer) };
}
