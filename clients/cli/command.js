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

import { STARTED } from "./started.js";
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

/**
 * A time that an option gives in seconds, as 15 or 0.5.
 *
 * @param {unknown} text
 * @param {string} name
 */
export function milliseconds(text, name) {
  const isSeconds = typeof text === "string" &&
    /^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0;
  if (isSeconds) return Math.round(Number(text) * 1_000);
  throw wrong(`Cannot read ${name}: it is a number of seconds, such as 2.5`);
}

/** @param {string} message */
export function wrong(message) {
  return new Stop(EXIT.usage, message, {
    advice: `\`${STARTED} help\` lists the commands and their options.`,
  });
}
