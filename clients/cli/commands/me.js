// @ts-check
import { dayOf, wholeNumber } from "../command.js";
import { inOwnWords, nextLine } from "../own_words.js";
import { euros } from "../print.js";
import { accountClient } from "../session.js";

/** @typedef {import("../../generated/types.d.ts").AccountSummary} Account */

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

/**
 * What is said of a requirement, its amounts in euros, as all others here are.
 *
 * @param {Account["first_bid"]["requirements"][number]} requirement
 */
function told({ detail }) {
  return inOwnWords(detail)
    .replaceAll(/\b(\d{1,12}) of (?=\d)/g, (_, left) => {
      return `${euros(Number(left))} of `;
    })
    .replaceAll(/\b(\d{1,12}) cents/g, (_, cents) => euros(Number(cents)));
}

/** @param {Account} account */
function linesOf({ company_name, user_id, mandate, first_bid, scopes }) {
  const { next_action: next, requirements, status } = first_bid;
  const limits = requirements.find(({ id }) => id === "mandate");
  return [
    `Account: ${company_name ?? user_id}`,
    `Allowed: ${scopes.join(" ")}`,
    ...mandate === null ? ["Mandate: none"] : [
      `Mandate: ${euros(mandate.max_bid_cents)} a bid, ` +
      `${euros(mandate.daily_cap_cents)} a day, until ${mandate.valid_until}`,
      // What is left, and a total, are told in this sentence alone. Where it
      // says what is in the way it stands below.
      ...limits?.status === "satisfied" ? [`  ${told(limits)}`] : [],
    ],
    `Bid: ${status}`,
    ...requirements.filter((each) => each.status !== "satisfied")
      .map((each) => `  ${each.id.replaceAll("_", " ")}: ${told(each)}`),
    nextLine(next, scopes),
  ];
}
