import { type Commit, MUTATION, type Range } from "./requests.ts";
import { hex } from "./wire.ts";

/**
 * The parts of an encoded key with slashes between them, for people who read a
 * trace; what is no key of Deno KV ends in `…`.
 */
export function keyText(key: Uint8Array): string {
  const parts: string[] = [];
  const reader = new PartReader(key);
  while (!reader.isOver) {
    const part = reader.next();
    parts.push(part ?? "…");
    if (part === null) break;
  }
  return parts.join("/");
}

/** The tags of Deno KV's encoding, with which each part begins. */
const BYTES = 0x01;
const TEXT = 0x02;
const ZERO = 0x14;
const MAX_INTEGER_BYTES = 8;
const FLOAT = 0x21;
const FALSE = 0x26;
const TRUE = 0x27;

const DECODER = new TextDecoder();

class PartReader {
  readonly #key: Uint8Array;
  #at = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  get isOver(): boolean {
    return this.#at >= this.#key.length;
  }

  next(): string | null {
    const tag = this.#byte();
    const length = tag - ZERO;
    switch (tag) {
      case TEXT:
        return DECODER.decode(this.#escaped());
      case BYTES:
        return `0x${hex(this.#escaped())}`;
      case FLOAT:
        return `${floatOf(this.#big(8, 0))}`;
      case FALSE:
        return "false";
      case TRUE:
        return "true";
    }
    if (Math.abs(length) > MAX_INTEGER_BYTES) return null;
    return length < 0
      ? `-${this.#big(-length, 0xff)}`
      : `${this.#big(length, 0)}`;
  }

  #byte(): number {
    return this.#key[this.#at++] ?? 0;
  }

  /** Up to a 0 that no 0xff follows. */
  #escaped(): Uint8Array {
    const end = this.#key.indexOf(0, this.#at);
    if (end !== -1 && this.#key[end + 1] !== 0xff) {
      const bytes = this.#key.subarray(this.#at, end);
      this.#at = end + 1;
      return bytes;
    }
    const bytes: number[] = [];
    while (!this.isOver) {
      const byte = this.#byte();
      if (byte === 0 && this.#key[this.#at] !== 0xff) break;
      if (byte === 0) this.#at += 1;
      bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }

  #big(length: number, flip: number): bigint {
    let value = 0n;
    for (let left = length; left > 0; left--) {
      value = value << 8n | BigInt(this.#byte() ^ flip);
    }
    return value;
  }
}

/** Floats are encoded so that their bytes sort as their values do. */
function floatOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  const sign = 1n << 63n;
  view.setBigUint64(0, bits & sign ? bits ^ sign : BigInt.asUintN(64, ~bits));
  return view.getFloat64(0);
}

/** Whether a range has room for one key alone: it ends right after it. */
export function isOneKey({ start, end }: Range): boolean {
  return end.length === start.length + 1 && end.at(-1) === 0;
}

/** What a range reads: a key, or where it starts and how much it wants. */
export function rangeText(range: Range): string {
  const { start, limit, reverse } = range;
  const text = keyText(start);
  return isOneKey(range)
    ? text
    : `${text}…×${limit}${reverse ? " reverse" : ""}`;
}

const SIGNS = new Map<number, string>([
  [MUTATION.set, "="],
  [MUTATION.delete, "-"],
]);
const TEXTS_MAX = 60;

/** The keys of a commit: `?` is checked, `=` set, `-` deleted, `+` summed. */
export function commitTexts({ checks, mutations }: Commit): string[] {
  const texts = [
    ...checks.map(({ key }) => `?${keyText(key)}`),
    ...mutations.map(({ kind, key }) =>
      `${SIGNS.get(kind) ?? "+"}${keyText(key)}`
    ),
  ];
  return texts.slice(0, TEXTS_MAX);
}
