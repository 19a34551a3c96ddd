// @ts-check
import { NotReached, Refused } from "./errors.js";

/** Longest answer that is read. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Asks; a redirect is no answer, since it could lead a token elsewhere.
 *
 * @param {URL} url
 * @param {RequestInit & { signal: AbortSignal }} init
 * @param {typeof fetch} [ask]
 */
export async function answerTo(url, init, ask = fetch) {
  try {
    return await ask(url, { ...init, redirect: "error" });
  } catch (thrown) {
    throw notReached(thrown, url);
  }
}

/**
 * What an answer holds: JSON, a text, or bytes.
 *
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function readAnswer(answer) {
  const type = answer.headers.get("content-type") ?? "";
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(type);
  const bytes = await bytesOf(answer);
  const text = () => new TextDecoder().decode(bytes);
  if (!answer.ok) {
    throw new Refused(answer, isJson && bytes.length > 0 ? json(text()) : null);
  }
  if (isJson) return json(text());
  return type.startsWith("text/") ? text() : bytes;
}

/** @param {Response} answer */
async function bytesOf(answer) {
  const parts = [];
  let length = 0;
  try {
    for await (const part of answer.body ?? []) {
      length += part.length;
      if (length > ANSWER_MAX_BYTES) throw new Error("the answer is too long");
      parts.push(part);
    }
  } catch (thrown) {
    throw notReached(thrown);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {string} text */
function json(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotReached("The service's answer is not JSON", { cause });
  }
}

/**
 * What stopped a request, as the error that says so.
 *
 * @param {unknown} thrown
 * @param {URL} [url]
 */
export function notReached(thrown, url) {
  if (thrown instanceof NotReached || thrown instanceof Refused) return thrown;
  const name = thrown instanceof Error ? thrown.name : "";
  const isLate = name === "TimeoutError" || name === "AbortError";
  const where = url === undefined ? "the service" : url.origin;
  const what = isLate
    ? `${where} did not answer in time`
    : `Cannot reach ${where}`;
  return new NotReached(what, { cause: thrown });
}
