// @ts-check
import process from "node:process";

/**
 * A text of others as one line that a terminal takes for nothing but text: it
 * may have been written by an advertiser.
 *
 * @param {string} text
 */
export function clean(text) {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}

/** @param {number} cents */
export function euros(cents) {
  return `EUR ${(cents / 100).toFixed(2)}`;
}

/** @param {unknown} value */
function jsonLine(value) {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a command prints on: results to standard output, the rest beside it. */
export class Printer {
  /** @param {boolean} isJson */
  constructor(isJson) {
    this.isJson = isJson;
  }

  /**
   * A result: a JSON value on one line, or lines for people.
   *
   * @param {unknown} value
   * @param {readonly string[]} lines
   */
  result(value, lines) {
    const texts = this.isJson ? [jsonLine(value)] : lines.map(clean);
    for (const text of texts) process.stdout.write(`${text}\n`);
  }

  /**
   * What is going on, for who looks on.
   *
   * @param {string} text
   */
  note(text) {
    process.stderr.write(`${clean(text)}\n`);
  }

  /**
   * Why the command ends without a result.
   *
   * @param {import("./stop.js").Stop} stop
   */
  stopped({ exit, code, message, advice, adId }) {
    if (this.isJson) {
      const written = adId !== undefined && { ad_id: adId };
      const error = { exit, code, message, advice, ...written };
      process.stderr.write(`${jsonLine({ error })}\n`);
      return;
    }
    this.note(`spotlight: ${message}`);
    if (advice !== null) this.note(advice);
  }
}
