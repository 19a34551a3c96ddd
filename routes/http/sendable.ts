/** What no header can hold: over HTTP/1.1 Deno ends the process over it. */
// deno-lint-ignore no-control-regex -- they are what is looked for
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f\u0100-\uffff]/;

/**
 * A header's value as it is. It is looked at where an answer is made: to look at
 * the headers of one that is made takes as long as making it.
 *
 * @throws {Error} naming the header that could not be sent
 */
export function sendable(name: string, value: string): string {
  if (!UNSENDABLE.test(value)) return value;
  throw new Error(`Cannot send ${name}: it has a character no header may`);
}

/** The same of all headers of an answer. */
export function allSendable<H extends Readonly<Record<string, string>>>(
  headers: H,
): H {
  for (const name in headers) sendable(name, headers[name] ?? "");
  return headers;
}

/** A text as an address in a header may hold it, what is encoded left as it is. */
export function asciiOf(text: string): string {
  return text.toWellFormed()
    .replace(/[^!-~]+/g, (others) => encodeURIComponent(others));
}
