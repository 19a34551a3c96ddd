// @ts-check
import { quoted, STARTED } from "./started.js";

/**
 * @typedef {import("../generated/types.d.ts").AccountSummary} Account
 * @typedef {Account["first_bid"]["next_action"]} Next
 */

/** What a command calls what the interface has a name for. */
const OPTIONS = /** @type {const} */ ({
  day: "--day",
  ad_id: "--ad",
  amount_cents: "--cents",
});

/**
 * A sentence of the service in the words of this command line: the service
 * speaks to programs, which know its operations, and not its commands.
 *
 * @param {string} text
 */
export function inOwnWords(text) {
  return text
    .replaceAll(/next_action of GET (\S+)/g, (_, url) => meOf(url))
    .replaceAll(/The query names no (\w+)/g, (_, name) => {
      return `The command names no ${optionOf(name) ?? name}`;
    })
    .replaceAll("list_creatives has those", `\`${STARTED} ads\` lists those`)
    .replaceAll(", which an event tells as well", "")
    // It was refreshed before this was said.
    .replaceAll(
      "; then, or if they have since, refresh the token and try again",
      "; then run it again",
    )
    .replaceAll(/\b(?:ad_id|amount_cents)\b/g, (name) => optionOf(name) ?? name)
    // What is in the way, as "(no_payment_method, card_refused)".
    .replaceAll(
      /\([a-z_]+(?:, [a-z_]+)*\)/g,
      (why) => why.replaceAll("_", " "),
    );
}

/** @param {string} url where readiness of a bid is read */
function meOf(url) {
  const query = URL.canParse(url) ? new URL(url).searchParams : [];
  const options = optionsOf(Object.fromEntries(query));
  return `\`${[STARTED, "me", ...options].join(" ")}\``;
}

/**
 * What is to be done next, as a command of this command line where one does it.
 *
 * @param {Next} next
 * @param {readonly string[]} scopes what this machine may do already
 */
export function nextLine(next, scopes) {
  if (next.actor === "wait") return `Next: ${inOwnWords(next.label)}`;
  if (next.actor === "agent") return agentLine(next);
  if (!isAboutAgents(next.url)) return `Next: ${next.label}: ${next.url}`;
  const missing = next.required_scopes ?? [];
  const all = [...new Set([...scopes, ...missing])].join(" ");
  const how = missing.length === 0 ? "" : ` --scope "${all}"`;
  const what = next.label.replace("this agent", "this machine");
  return `Next: ${what}: ${STARTED} login${how}`;
}

/** @param {string} url */
function isAboutAgents(url) {
  return URL.canParse(url) && new URL(url).pathname === "/agents";
}

/** @param {Next} next */
function agentLine(next) {
  const { tool = "", arguments: given = {}, required_inputs: left = [] } = next;
  const ad = String(given.ad_id ?? "AD");
  const bid = [...optionsOf(given), ...left.flatMap(wanted)].join(" ");
  /** @type {Readonly<Record<string, string>>} */
  const lines = {
    get_account: `${askedFor(next)}: ${STARTED} me ${bid}`,
    place_bid: `Place the bid: ${STARTED} bid ${bid}`,
    list_creatives: "Choose one of your approved advertisements, or write " +
      `one: ${STARTED} ads`,
    create_creative: `Write an advertisement: ${STARTED} ads new ` +
      "--headline … --description … --target https://… --submit",
    get_creative: `Read why it was turned down, and mend it: ${STARTED} ads ` +
      ad,
    submit_creative: `Have it reviewed: ${STARTED} ads ${ad} --submit`,
    list_my_bids: `Read your bids: ${STARTED} bids`,
  };
  return `Next: ${lines[tool] ?? inOwnWords(next.label)}`;
}

/** @param {Next} next */
function askedFor({ label, required_inputs: left = [] }) {
  if (label.startsWith("Read readiness again")) {
    return left.length === 0
      ? "Ask again with its newest version, which is approved"
      : "Say which bid you mean";
  }
  return inOwnWords(label.replace(/,? and read readiness again$/, ""));
}

/** @param {Readonly<Record<string, unknown>>} given arguments of a bid */
function optionsOf(given) {
  return Object.entries(given).flatMap(([name, value]) => {
    const option = optionOf(name);
    return option === null ? [] : [option, quoted(String(value))];
  });
}

/** @param {string} name an argument that is still to be given */
function wanted(name) {
  const option = optionOf(name);
  return option === null ? [] : [option, "…"];
}

/** @param {string} name */
function optionOf(name) {
  return Object.hasOwn(OPTIONS, name)
    ? OPTIONS[/** @type {keyof typeof OPTIONS} */ (name)]
    : null;
}
