// @ts-check
import { NotReached, Refused } from "../api/client.js";
import { euros } from "./print.js";
import { STARTED } from "./started.js";

/**
 * @typedef {import("../generated/types.d.ts").PlaceBid} Asked
 * @typedef {import("../generated/types.d.ts").AuctionState} Auction
 * @typedef {import("../generated/types.d.ts").Bid} Bid
 *
 * What is true of a bid after its answer. `unread` says why the present could
 * not be read, where the answer is one of earlier; `isResent` that no other run
 * can have had that answer.
 *
 * @typedef {{
 *   isReplayed: boolean,
 *   isResent: boolean,
 *   unread: string | null,
 *   bid: Bid | null,
 *   auction: Auction,
 * }} Present
 */

/**
 * What is true now of a bid that was answered. A key that was answered before
 * gets that answer again, which tells of then: the bid may have been raised
 * since, and the auction may be over.
 *
 * @param {import("./session.js").Client} client
 * @param {Asked} asked
 * @param {{ auction: Auction, isReplayed: boolean, isResent: boolean }} answered
 * @returns {Promise<Present>}
 */
export async function presentBid(client, { day }, answered) {
  if (!answered.isReplayed) return { ...answered, unread: null, bid: null };
  try {
    const query = { day };
    const { bids: [bid = null] } = await client.call("listBids", { query });
    const auction = await client.call("readAuction", { query });
    return { ...answered, unread: null, bid, auction };
  } catch (thrown) {
    // The bid was answered: that must not be hidden by a read that was not.
    if (!(thrown instanceof NotReached || thrown instanceof Refused)) {
      throw thrown;
    }
    return { ...answered, unread: thrown.message, bid: null };
  }
}

/**
 * Whether the amount that was asked for is what the account bids now; null
 * where that could not be read.
 *
 * @param {Asked} asked
 * @param {Present} present
 */
export function standsNow({ ad_id, amount_cents }, present) {
  const { isReplayed, unread, bid } = present;
  if (!isReplayed) return true;
  if (unread !== null) return null;
  return bid?.status === "active" && bid.amount_cents === amount_cents &&
    bid.ad_id === ad_id;
}

/**
 * The same in sentences.
 *
 * @param {Asked} asked
 * @param {Present} present
 */
export function presentLines(asked, present) {
  const { day, amount_cents } = asked;
  const { isReplayed, isResent, bid } = present;
  const named = `bid of ${euros(amount_cents)} on ${day}`;
  if (!isReplayed) {
    return [`Your ${named} stands.`, ...nextLines(present.auction)];
  }
  return [
    isResent
      ? `The first try had gone through: it placed your ${named}, and only ` +
        "its answer was lost. Sending it again placed nothing more."
      : `This key was answered before: a ${named} was placed then, and ` +
        "nothing new is placed now.",
    ...replayedLines(asked, present),
    ...bid?.status === "active" ? nextLines(present.auction) : [],
  ];
}

/**
 * What is true now of a bid that was placed before.
 *
 * @param {Asked} asked
 * @param {Present} present
 */
function replayedLines(asked, present) {
  const { day } = asked;
  const { unread, bid } = present;
  if (unread !== null) {
    return [
      `What you bid now could not be read: ${unread}.`,
      `Read it before you bid again: ${STARTED} bids ${day}`,
    ];
  }
  if (bid === null) return [`You have no bid on ${day} now.`];
  const now = bidText(bid);
  if (bid.status !== "active") return [`Your bid on ${day} is ${now}.`];
  return standsNow(asked, present)
    ? ["It still stands: nothing was bid since."]
    : [
      `It stands no more, since you have bid again: your bid on ${day} is ` +
      `${now}.`,
    ];
}

/** @param {Auction} auction */
function nextLines({ day, phase, closesAt }) {
  return [
    phase === "OPEN"
      ? `It has not won yet: the auction closes at ${closesAt}.`
      : "The auction has closed, and has not settled yet.",
    `See what becomes of it: ${STARTED} watch ${day}`,
  ];
}

/**
 * A bid in a few words.
 *
 * @param {Bid} bid
 */
export function bidText({ amount_cents, ad_id, status }) {
  const ad = ad_id === null ? "" : ` with ${ad_id}`;
  return `${euros(amount_cents)}${ad}, ${status}`;
}
