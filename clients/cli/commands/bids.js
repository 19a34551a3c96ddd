// @ts-check
import { dayOf } from "../command.js";
import { bidText } from "../present_bid.js";
import { accountClient } from "../session.js";

/** @type {import("../command.js").Command} */
export const bids = {
  usage: "bids [DAY]",
  wordsMax: 1,
  does: "shows your bid on a day as it is now",
  options: {},
  async run({ words, where, printer }) {
    const day = dayOf(words[0]);
    const client = await accountClient(where);
    const list = await client.call("listBids", { query: { day } });
    const lines = list.bids.map((bid) =>
      `Your bid on ${day}: ${bidText(bid)}, placed at ${bid.placed_at}`
    );
    printer.result(
      list,
      lines.length === 0 ? [`You have no bid on ${day}.`] : lines,
    );
  },
};
