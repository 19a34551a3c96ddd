import { entryOf, type Rows } from "./rows.ts";
import { type Bytes, frameOf, Message, NOTHING } from "./wire.ts";

interface Watcher {
  rows: Rows;
  keys: ReadonlySet<string>;
  /** True for a change, false for a sign of life. */
  wake(isChange: boolean): void;
}

/** A character a byte: each text is of one key. */
const BYTEWISE = new TextDecoder("latin1");
const textOf = (key: Bytes) => BYTEWISE.decode(key);

/** Without a change a watch says every so often that it is alive. */
const PING_MS = 5_000;

/** The watches that are open. */
export class Watches {
  readonly #watchers = new Set<Watcher>();
  readonly #isSilent: () => boolean;
  #isOver = false;

  /** While it is silent, changes are not pushed. */
  constructor(isSilent: () => boolean) {
    this.#isSilent = isSilent;
  }

  /** How many there are. */
  get size(): number {
    return this.#watchers.size;
  }

  /** Wakes those who watch one of these keys. */
  push(rows: Rows, keys: readonly Bytes[]): void {
    if (this.#watchers.size === 0 || keys.length === 0) return;
    const texts = keys.map(textOf);
    for (const watcher of this.#watchers) {
      const concerns = watcher.rows === rows &&
        texts.some((text) => watcher.keys.has(text));
      if (concerns) watcher.wake(true);
    }
  }

  /** Ends them all. */
  end(): void {
    this.#isOver = true;
    for (const watcher of this.#watchers) watcher.wake(false);
  }

  /** The frames of one watch: the rows at once, and after each change. */
  async *follow(rows: Rows, keys: readonly Bytes[]): AsyncGenerator<Bytes> {
    let woken = Promise.withResolvers<boolean>();
    const watcher: Watcher = {
      rows,
      keys: new Set(keys.map(textOf)),
      wake: (isChange) => woken.resolve(isChange),
    };
    this.#watchers.add(watcher);
    try {
      yield frameOf(watchedRows(rows, keys));
      for (;;) {
        const timer = setTimeout(() => watcher.wake(false), PING_MS);
        const isChange = await woken.promise;
        clearTimeout(timer);
        if (this.#isOver) return;
        woken = Promise.withResolvers<boolean>();
        const isPushed = isChange && !this.#isSilent();
        yield frameOf(isPushed ? watchedRows(rows, keys) : NOTHING);
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }
}

function watchedRows(rows: Rows, keys: readonly Bytes[]): Bytes {
  const output = new Message().number(1, 1);
  for (const key of keys) {
    const row = rows.find(key);
    const entry = new Message().number(1, 1);
    if (row !== null) entry.always(2, entryOf(row));
    output.always(2, entry.finish());
  }
  return output.finish();
}
