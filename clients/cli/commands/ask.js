// @ts-check
import { wrong } from "../command.js";
import { publicClient } from "../session.js";

/** @type {import("../command.js").Command} */
export const ask = {
  usage: "ask QUESTION",
  wordsMax: 100,
  does: "looks up Spotlights and the documentation; needs no login",
  options: {},
  async run({ words, where, printer }) {
    const query = words.join(" ").trim();
    if (query === "") throw wrong("No question was asked");
    const client = await publicClient(where);
    const events = client.stream("ask", { query: { query, streaming: true } });
    let found = 0;
    for await (const { event, data } of events) {
      if (event !== "result") continue;
      const { item } = /** @type {{ item: Item }} */ (data);
      found++;
      printer.result(item, linesOf(item, found));
    }
    if (found === 0 && !printer.isJson) {
      printer.result(null, ["Nothing found."]);
    }
  },
};

/**
 * @typedef {import("../../generated/types.d.ts").AskAnswer["results"][number]} Item
 *
 * @param {Item} item
 * @param {number} number
 */
function linesOf({ name, url, text, additionalType }, number) {
  const mark = additionalType === undefined ? "" : " (advertisement)";
  return [
    `${number}. ${name ?? url ?? ""}${mark}`,
    ...url === undefined ? [] : [`   ${url}`],
    ...text === undefined ? [] : [`   ${text}`],
  ];
}
