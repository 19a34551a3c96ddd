// @ts-check
// @ts-self-types="./client.d.ts"
import { OPERATIONS } from "../generated/operations.js";
import { answerTo, notReached, readAnswer } from "./answers.js";
import { NotReached, Refused } from "./errors.js";
import { eventsOf } from "./event_stream.js";

export { NotReached, Refused };

/**
 * @typedef {import("./client.d.ts").ClientOptions} ClientOptions
 * @typedef {{
 *   path?: Record<string, string>,
 *   query?: Record<string, unknown>,
 *   headers?: Record<string, string>,
 *   body?: unknown,
 * }} Input
 * @typedef {{
 *   method: string,
 *   host: string,
 *   path: string,
 *   query: string[],
 *   scope: string | null,
 * }} Operation
 */

/** Longest wait for an answer, unless told. */
export const TIME_LIMIT_MS = 15_000;

/**
 * @param {ClientOptions} options
 * @returns {import("./client.d.ts").Client}
 */
export function createClient(options) {
  const limitMs = options.timeLimitMs ?? TIME_LIMIT_MS;

  /**
   * @param {string} name
   * @param {Input} input
   * @param {string} accept
   * @param {AbortSignal} signal
   */
  async function ask(name, input, accept, signal) {
    const operation = operationOf(name);
    const send = async (/** @type {string | undefined} */ token) => {
      const { url, ...init } = requestOf(options, operation, {
        input,
        accept,
        token,
      });
      return await answerTo(url, { ...init, signal }, options.fetch);
    };
    return operation.scope === null || options.token === undefined
      ? await send(undefined)
      : await sendWithToken(send, options.token);
  }

  /**
   * @param {string} name
   * @param {Input} [input]
   */
  async function answer(name, input = {}) {
    const signal = AbortSignal.timeout(limitMs);
    const said = await ask(name, input, "application/json, */*", signal);
    const { status, headers } = said;
    return { status, headers, body: await readAnswer(said) };
  }

  return {
    answer,
    /**
     * @param {string} name
     * @param {Input} [input]
     */
    async call(name, input) {
      return (await answer(name, input)).body;
    },
    /**
     * @param {string} name
     * @param {Input} input
     */
    async *stream(name, input = {}) {
      const patience = new Patience(limitMs);
      try {
        const type = "text/event-stream";
        const answer = await ask(name, input, type, patience.signal);
        if (!answer.ok) await readAnswer(answer);
        yield* eventsOf(answer, () => patience.renew());
      } catch (thrown) {
        throw notReached(thrown);
      } finally {
        patience.end();
      }
    },
  };
}

/**
 * Sends with a token, and once more with another one where that may help: this
 * one has ended, or it is of before the user allowed what is asked for.
 *
 * @param {(token: string) => Promise<Response>} send
 * @param {NonNullable<ClientOptions["token"]>} tokenOf
 */
async function sendWithToken(send, tokenOf) {
  const token = await tokenOf();
  const answer = await send(token);
  if (answer.status === 401) {
    await answer.body?.cancel();
    return await send(await tokenOf(token));
  }
  if (!isScopeMissing(answer)) return answer;
  // Read first: it says which scope, also where no other token comes.
  const refused = await readAnswer(answer).catch((
    /** @type {unknown} */ said,
  ) => said);
  const next = await otherToken(tokenOf, token);
  if (next === null) throw refused;
  return await send(next);
}

/**
 * Another token than the one that lacked a scope; null where there is none. The
 * same may do no more than before: once 403, it is 403 again.
 *
 * @param {NonNullable<ClientOptions["token"]>} tokenOf
 * @param {string} token
 */
async function otherToken(tokenOf, token) {
  try {
    const next = await tokenOf(token);
    return next === token ? null : next;
  } catch {
    return null;
  }
}

/**
 * Whether the user has not allowed it to this token (RFC 6750 §3.1).
 *
 * @param {Response} answer
 */
function isScopeMissing({ status, headers }) {
  const challenge = headers.get("www-authenticate") ?? "";
  return status === 403 && challenge.includes('error="insufficient_scope"');
}

/** A time limit that begins anew whenever something came. */
class Patience {
  #controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {number} limitMs */
  constructor(limitMs) {
    this.limitMs = limitMs;
    this.signal = this.#controller.signal;
    this.renew();
  }

  renew() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), this.limitMs);
  }

  end() {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

/**
 * @param {string} name
 * @returns {Operation}
 */
function operationOf(name) {
  const found = /** @type {Record<string, Operation>} */ (OPERATIONS)[name];
  if (found === undefined) {
    throw new TypeError(`No operation is called ${name}`);
  }
  return found;
}

/**
 * @param {ClientOptions} options
 * @param {Operation} operation
 * @param {{ input: Input, accept: string, token: string | undefined }} asked
 */
function requestOf({ baseUrl, authUrl, userAgent }, operation, asked) {
  const { input, accept, token } = asked;
  const host = operation.host === "auth" ? authUrl : baseUrl;
  if (host === undefined) throw new TypeError("The client needs authUrl");
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const part = input.path?.[name];
    if (!part) throw new TypeError(`path.${name} is missing`);
    // In an address these two lead elsewhere, however they are encoded.
    if (part === "." || part === "..") {
      throw new TypeError(`path.${name} is no name: "${part}"`);
    }
    return encodeURIComponent(part);
  });
  const url = new URL(host + path);
  for (const name of operation.query) {
    const value = input.query?.[name];
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers({ ...input.headers, accept });
  if (userAgent !== undefined) headers.set("user-agent", userAgent);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (input.body === undefined) {
    return { url, method: operation.method, headers };
  }
  headers.set("content-type", "application/json");
  const body = JSON.stringify(input.body);
  return { url, method: operation.method, headers, body };
}
