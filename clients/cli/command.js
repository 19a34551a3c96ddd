// @ts-check

/**
 * @typedef {Record<string, string | boolean | undefined>} Values
 *
 * @typedef {{
 *   values: Values,
 *   words: string[],
 *   printer: import("./print.js").Printer,
 *   where: import("./session.js").Where,
 * }} Given what a command is given
 *
 * @typedef {{
 *   usage: string,
 *   wordsMax: number,
 *   does: string,
 *   options: Record<string, [type: "string" | "boolean", does: string]>,
 *   run: (given: Given) => Promise<void>,
 * }} Command
 */

import { EXIT, Stop } from "./stop.js";

/** @returns {string} the present day of the auction */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/**
 * A day that was named, or today.
 *
 * @param {unknown} text
 */
export function dayOf(text) {
  if (text === undefined) return today();
  if (typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw wrong(`Cannot read the day "${text}": it is written YYYY-MM-DD`);
}

/**
 * A whole number that an option has to be.
 *
 * @param {unknown} text
 * @param {string} name
 */
export function wholeNumber(text, name) {
  if (typeof text === "string" && /^\d{1,9}$/.test(text)) return Number(text);
  throw wrong(`Cannot read ${name}: it is a whole number`);
}

/** @param {string} message */
export function wrong(message) {
  return new Stop(EXIT.usage, message, {
    advice: "`spotlight help` lists the commands and their options.",
  });
}
