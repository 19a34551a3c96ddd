/**
 * Words that an advertiser or a reader may use for what our texts call
 * otherwise, a group a line. They count less than the word itself, so that
 * they only decide where the word is missing.
 *
 * @module
 */
import { stemOf } from "./terms.ts";

const GROUPS: readonly string[] = [
  // The service
  "ad advert advertisement commercial creative banner placement",
  "spotlight slot",
  "bid offer",
  "auction bidding",
  "raise increase higher outbid",
  "cancel withdraw abort undo",
  "price cost fee charge expensive cheap tariff",
  "pay payment purchase buy order checkout",
  "card visa mastercard",
  "invoice bill receipt",
  "refund reimburse chargeback",
  "vat tax",
  "report figures statistics stats analytics metrics",
  "click visit traffic impression",
  "bot robot crawler spider",
  "company business organisation firm",
  "image picture photo logo video",
  "minimum least lowest smallest",
  "free gratis",
  "reject decline disapprove",
  "decline refuse",
  "begin start",
  "tie equal draw",
  "deadline close closing end",
  "secret sealed hidden confidential",
  // The interfaces
  "limit cap budget maximum quota ceiling",
  "reach exceed exhaust",
  "mandate allowance",
  "throttle rate 429",
  "agent assistant ai bot llm",
  "token credential",
  "oauth authorization authorize authorisation authentication",
  "login signin sign logon",
  "register registration signup onboard",
  "permission scope consent",
  "revoke disconnect remove delete withdraw",
  "stop end revoke disconnect",
  "expire expiry lifetime validity lifespan",
  "long lifetime",
  "error problem failure refusal",
  "retry repeat resend again replay",
  "timeout uncertain lost broke broken cut dropped interrupted",
  "econnreset etimedout epipe econnaborted hangup reset",
  "abort aborted interrupted",
  "kill killed crash crashed die died",
  "reply answer response",
  "network socket",
  "paginate pagination page cursor offset",
  "sandbox test playground synthetic",
  "forbidden forbid prohibited banned policy",
  "alcohol wine beer liquor spirits",
  "gambling betting casino lottery",
  "weapon gun ammunition firearm",
  "tobacco cigarette vape smoking",
  "unsupported deprecated deprecation sunset",
  "version versioning",
  // People and their data
  "privacy gdpr dsgvo rgpd",
  "data information",
  "delete erase erasure forget removal",
  "export download portability",
  "email mail newsletter",
  "cookie tracking tracker",
  "affiliate partner referral refer",
  "commission earning reward revenue",
  "percent percentage share",
  "payout withdrawal",
  "support contact help",
  // What is advertised
  "bike bicycle cycle cycling fahrrad velo rad",
  "tyre tire tires reifen",
  "child kid kinder toddler kindersitz",
  "cup mug tasse",
  "pottery ceramic stoneware clay potter",
  "sale discount bargain clearance",
  "fish sardine mackerel seafood",
  "food meal supper dinner snack",
  "tin can canned conserva",
  "boat barge ship houseboat",
  "game boardgame",
  "mystery detective crime riddle",
  "puzzle jigsaw",
  "map atlas",
  "lamp light lighting luminaire",
  "heating heat warmth warm radiator",
  "notebook journal notepad notizbuch",
  "stationery paper letter",
  "calendar planner diary agenda",
  "hike hiking walk trek trekking walking",
  "shoe boot footwear",
  "repair fix mend resole",
  "telescope stargazing astronomy star",
  "holiday vacation travel trip tour",
  "course lesson class workshop learn",
  "oil olive",
  "soap cosmetic skincare",
  "bread sourdough bakery",
  "jam preserve marmalade",
  "gift present",
  "handmade handcrafted artisan",
];

/** The terms that mean about the same, by each of them. */
export const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  termPairs(),
);

function* termPairs(): Generator<[string, Set<string>]> {
  const groups = GROUPS.map((group) => group.split(" ").map(stemOf));
  for (const term of new Set(groups.flat())) {
    const others = groups.filter((group) => group.includes(term)).flat();
    yield [term, new Set(others.filter((other) => other !== term))];
  }
}
