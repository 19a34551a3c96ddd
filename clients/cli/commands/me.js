// @ts-check
import { dayOf, wholeNumber } from "../command.js";
import { inOwnWords, nextLine } from "../own_words.js";
import { euros } from "../print.js";
import { accountClient } from "../session.js";

/** @type {import("../command.js").Command} */
export const me = {
  usage: "me",
  wordsMax: 0,
  does: "shows the account, and whether a bid would stand",
  options: {
    day: ["string", "the day of the bid"],
    ad: ["string", "the creative of the bid"],
    cents: ["string", "the amount of the bid"],
  },
  async run({ values, where, printer }) {
    const client = await accountClient(where);
    const { day, ad, cents } = values;
    const account = await client.call("readAccount", {
      query: {
        ...day !== undefined && { day: dayOf(day) },
        ...ad !== undefined && { ad_id: String(ad) },
        ...cents !== undefined &&
          { amount_cents: wholeNumber(cents, "--cents") },
      },
    });
    printer.result(account, linesOf(account));
  },
};

/** @param {import("../../generated/types.d.ts").AccountSummary} account */
function linesOf({ company_name, user_id, mandate, first_bid, scopes }) {
  const { next_action: next, requirements, status } = first_bid;
  return [
    `Account: ${company_name ?? user_id}`,
    `Allowed: ${scopes.join(" ")}`,
    mandate === null
      ? "Mandate: none"
      : `Mandate: ${euros(mandate.max_bid_cents)} a bid, ` +
        `${euros(mandate.daily_cap_cents)} a day, until ${mandate.valid_until}`,
    `Bid: ${status}`,
    ...requirements.filter((each) => each.status !== "satisfied")
      .map(({ id, detail }) =>
        `  ${id.replaceAll("_", " ")}: ${inOwnWords(detail)}`
      ),
    nextLine(next, scopes),
  ];
}
