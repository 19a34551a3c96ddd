/**
 * What a server lists is the same for everybody, and is answered as the library
 * answered the first who asked for it: to list all tools takes it as long as five
 * calls of one. Decision 0170 says why.
 *
 * @module
 */
import { respondShared, SharedText } from "../http/respond.ts";
import { plainMessage, type Versions } from "./plain_message.ts";
import type { Message } from "./read_message.ts";

const LISTS: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

const NOTHING: ReadonlySet<string> = new Set();

const JSON_TYPE = { headers: { "content-type": "application/json" } };

/** Has the library answer, and tells the text of an answer in JSON. */
export type ByLibrary = (told?: (text: string) => void) => Promise<Response>;

/** The lists of one server. */
export class DirectLists {
  readonly #versions: Versions;
  /** How answers begin, by revision and list. */
  readonly #begins = new Map<string, SharedText>();

  constructor(versions: Versions) {
    this.#versions = versions;
  }

  /** Answers a request; what is no list, or out of the ordinary, by the library. */
  async answer(
    request: Request,
    message: Message,
    byLibrary: ByLibrary,
  ): Promise<Response> {
    const { method } = message;
    const asked = method !== null && LISTS.has(method)
      ? plainMessage(request, message, this.#versions, NOTHING)
      : null;
    if (asked === null) return await byLibrary();
    const key = `${asked.version} ${method}`;
    const ending = `${JSON.stringify(asked.id)}}`;
    const known = this.#begins.get(key);
    if (known !== undefined) return respondShared(known, ending, JSON_TYPE);
    return await byLibrary((text) => this.#remember(key, ending, text));
  }

  #remember(key: string, ending: string, text: string): void {
    const isList = text.startsWith('{"result":') &&
      text.endsWith(`},"jsonrpc":"2.0","id":${ending}`);
    if (!isList) return;
    this.#begins.set(key, new SharedText(text.slice(0, -ending.length)));
  }
}
