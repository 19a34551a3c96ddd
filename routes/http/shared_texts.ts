import { SharedText } from "./respond.ts";

/** Texts that are kept, of some 10 KB each, and as much again compressed. */
const TEXTS_MAX = 256;

/**
 * Texts that everybody is sent alike, each made once for a state of what they
 * tell: all are forgotten with that state, and of too many those that were
 * asked for longest ago.
 */
export class SharedTexts {
  readonly #max: number;
  readonly #texts = new Map<string, SharedText>();
  #state: object | null = null;

  constructor(max: number = TEXTS_MAX) {
    this.#max = max;
  }

  /**
   * The text of a key.
   *
   * @param state never changed once made; another object is another state
   * @param key names all else that the text depends on
   */
  of(state: object, key: string, make: () => string): SharedText {
    if (state !== this.#state) this.#texts.clear();
    this.#state = state;
    const text = this.#texts.get(key) ?? new SharedText(make());
    this.#texts.delete(key);
    this.#texts.set(key, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > this.#max && oldest !== undefined) {
      this.#texts.delete(oldest);
    }
    return text;
  }
}
