// @ts-check
// @ts-self-types="./errors.d.ts"

/** The service answered, and the answer is no. */
export class Refused extends Error {
  /**
   * @param {Response} answer
   * @param {unknown} body what it said, as far as it was JSON
   */
  constructor(answer, body) {
    const said = read(body);
    super(said.message ?? `The service answered ${answer.status}`);
    this.name = "Refused";
    this.status = answer.status;
    this.code = said.code ?? null;
    this.reasons = said.reasons;
    this.actionUrl = said.actionUrl;
    this.retryAfterS = secondsOf(answer.headers.get("retry-after"));
    this.challenge = answer.headers.get("www-authenticate");
    this.requestId = answer.headers.get("x-request-id");
    this.body = body;
  }
}

/** No answer, or none in time: what was asked for may have happened or not. */
export class NotReached extends Error {
  /**
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = "NotReached";
  }
}

/**
 * The errors of every surface, by what they have in common.
 *
 * @param {unknown} body
 */
function read(body) {
  const said = memberOf(body);
  const inner = memberOf(said.error);
  return {
    message: textOf(said.detail) ?? textOf(said.message) ??
      textOf(said.error_description) ?? textOf(inner.message),
    code: textOf(said.code) ?? textOf(said.error) ?? textOf(inner.code),
    reasons: Array.isArray(said.reasons)
      ? said.reasons.filter((each) => typeof each === "string")
      : [],
    actionUrl: textOf(said.action_url) ?? null,
  };
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function memberOf(value) {
  return typeof value === "object" && value !== null
    ? /** @type {Record<string, unknown>} */ (value)
    : {};
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : undefined;
}

/** @param {string | null} text */
function secondsOf(text) {
  const seconds = Number(text ?? NaN);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
}
