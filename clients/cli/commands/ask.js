// @ts-check
import { wholeNumber, wrong } from "../command.js";
import { publicClient } from "../session.js";

/** Answers that are shown unless told, and how much of each. */
const SHOWN = 3;
const SHOWN_CHARACTERS = 280;

/** @type {import("../command.js").Command} */
export const ask = {
  usage: "ask QUESTION",
  wordsMax: 100,
  does: "looks up Spotlights and the documentation; needs no login",
  options: {
    limit: [
      "string",
      `answers to show, whole; ${SHOWN} short ones unless told`,
    ],
    all: ["boolean", "shows all that is found, whole"],
  },
  async run({ words, values, where, printer }) {
    const query = words.join(" ").trim();
    if (query === "") throw wrong("No question was asked");
    const { all, limit } = values;
    const isShort = !all && limit === undefined && !printer.isJson;
    const most = all
      ? Infinity
      : wholeNumber(limit ?? String(SHOWN), "--limit");
    const client = await publicClient(where);
    const events = client.stream("ask", { query: { query, streaming: true } });
    let found = 0;
    for await (const { event, data } of events) {
      if (event !== "result") continue;
      const { item } = /** @type {{ item: Item }} */ (data);
      found++;
      if (found > most) continue;
      printer.result(item, linesOf(isShort ? shortened(item) : item, found));
    }
    if (printer.isJson) return;
    if (found === 0) printer.result(null, ["Nothing found."]);
    if (found > most) {
      printer.result(null, [`${found - most} more with --all.`]);
    }
  },
};

/**
 * The beginning of it, up to a word.
 *
 * @param {Item} item
 * @returns {Item}
 */
function shortened(item) {
  const { text = "" } = item;
  if (text.length <= SHOWN_CHARACTERS) return item;
  const begun = text.slice(0, SHOWN_CHARACTERS).replace(/\s\S*$/, "");
  return { ...item, text: `${begun} …` };
}

/**
 * @typedef {import("../../generated/types.d.ts").AskAnswer["results"][number]} Item
 *
 * @param {Item} item
 * @param {number} number
 */
function linesOf({ name, url, text, description, additionalType }, number) {
  // A passage may begin in the middle of its section: where it stands helps.
  const mark = additionalType === undefined
    ? `, in "${description ?? ""}"`
    : " (advertisement)";
  return [
    `${number}. ${name ?? url ?? ""}${mark}`,
    ...url === undefined ? [] : [`   ${url}`],
    ...text === undefined ? [] : [`   ${text}`],
  ];
}
