/**
 * Protocol buffers, as much of them as the messages of KV Connect need.
 *
 * @module
 */

/** Bytes of a message, a key or a value. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** No bytes at all. */
export const NOTHING: Bytes = new Uint8Array(0);

/** The request is wrong: answered 400 with this sentence, as denokv does. */
export class Misuse extends Error {
  override readonly name = "Misuse";
}

/** One field of a message, with the value that its type has. */
export interface Field {
  no: number;
  varint: bigint;
  bytes: Bytes;
}

/** The fields of a message in their order; proto3 has no groups. */
export function* fieldsOf(message: Bytes): Generator<Field> {
  const reader = new Reader(message);
  while (!reader.isOver) {
    const tag = Number(reader.varint());
    yield { no: tag >>> 3, ...readValue(reader, tag & 7) };
  }
}

function readValue(reader: Reader, type: number): Omit<Field, "no"> {
  switch (type) {
    case 0:
      return { varint: reader.varint(), bytes: NOTHING };
    case 1:
      return { varint: 0n, bytes: reader.take(8) };
    case 2:
      return { varint: 0n, bytes: reader.take(Number(reader.varint())) };
    case 5:
      return { varint: 0n, bytes: reader.take(4) };
    default:
      throw new Misuse(BAD_PROTO);
  }
}

const BAD_PROTO = "Request protobuf is invalid.";

class Reader {
  readonly #message: Bytes;
  #at = 0;

  constructor(message: Bytes) {
    this.#message = message;
  }

  get isOver(): boolean {
    return this.#at >= this.#message.length;
  }

  varint(): bigint {
    const first = this.#message[this.#at] ?? 0x80;
    if (first < 0x80) {
      this.#at += 1;
      return BigInt(first);
    }
    let value = 0n;
    for (let shift = 0n; shift <= 63n; shift += 7n) {
      const byte = this.#message[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new Misuse(BAD_PROTO);
  }

  take(length: number): Bytes {
    const end = this.#at + length;
    if (length < 0 || end > this.#message.length) throw new Misuse(BAD_PROTO);
    const bytes = this.#message.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

/** Puts a message together, field by field. */
export class Message {
  readonly #parts: (Bytes | number)[] = [];
  #length = 0;

  /** A number; 0 is left out, as proto3 does. */
  number(no: number, value: number): this {
    return value === 0 ? this : this.#varint(no << 3).#varint(value);
  }

  /** Bytes; none are left out, as proto3 does. */
  bytes(no: number, value: Bytes): this {
    return value.length > 0 ? this.always(no, value) : this;
  }

  /** Bytes even where there are none, as a member of a list needs. */
  always(no: number, value: Bytes): this {
    this.#varint(no << 3 | 2).#varint(value.length).#parts.push(value);
    this.#length += value.length;
    return this;
  }

  /** The message. */
  finish(): Bytes {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === "number") all[at++] = part;
      else {
        all.set(part, at);
        at += part.length;
      }
    }
    return all;
  }

  #varint(value: number): this {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) {
      this.#byte(rest % 128 | 0x80);
    }
    return this.#byte(rest);
  }

  #byte(byte: number): this {
    this.#parts.push(byte);
    this.#length += 1;
    return this;
  }
}

/** The parts one after the other. */
export function joined(parts: readonly Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The length of a message before it, as the frames of a watch are written. */
export function frameOf(message: Bytes): Bytes {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, message.length, true);
  return joined([length, message]);
}

/** Bytes as hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
