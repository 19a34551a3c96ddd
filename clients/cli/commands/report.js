// @ts-check
import { dayOf } from "../command.js";
import { euros } from "../print.js";
import { accountClient } from "../session.js";

/** @type {import("../command.js").Command} */
export const report = {
  usage: "report [DAY]",
  wordsMax: 1,
  does: "shows clicks and cost of a day you won, or of the last ones",
  options: {},
  async run({ words, where, printer }) {
    const client = await accountClient(where);
    if (words[0] === undefined) {
      const list = await client.call("listReports");
      const { items } = list;
      const lines = items.length === 0
        ? ["No day was won."]
        : items.map(lineOf);
      printer.result(list, lines);
      return;
    }
    const read = await client.call("readReport", {
      path: { day: dayOf(words[0]) },
    });
    printer.result(read, [
      lineOf(read),
      ...read.clicks_by_reason.map(({ reason, clicks }) =>
        `  ${reason}: ${clicks}`
      ),
    ]);
  },
};

/** @param {import("../../generated/types.d.ts").ReportLine} line */
function lineOf({ day, clicks, human_clicks, countries, spend_cents, final }) {
  const state = final ? "final" : "so far";
  return `${day}: ${clicks} clicks, ${human_clicks} by people from ` +
    `${countries} countries (${state}), ${euros(spend_cents)}`;
}
