/** Deno KV's tags, with which each part of a key begins. */
const BYTES = "\x01";
const TEXT = "\x02";
const ZERO = 0x14;
const FLOAT = "\x21";
const FALSE = "\x26";
const TRUE = "\x27";

const SIGN = 1n << 63n;
const ENCODER = new TextEncoder();

/**
 * A key as Deno KV encodes it, a character a byte: the texts of keys sort as the
 * keys do, and a key's text begins with that of every prefix.
 */
export function orderedText(key: Deno.KvKey): string {
  let text = "";
  for (const part of key) text += encoded(part);
  return text;
}

function encoded(part: Deno.KvKeyPart): string {
  switch (typeof part) {
    case "string":
      return `${TEXT}${escaped(utf8(part))}\0`;
    case "number":
      return FLOAT + ofFloat(part);
    case "bigint":
      return ofInteger(part);
    case "boolean":
      return part ? TRUE : FALSE;
    case "object":
      return `${BYTES}${escaped(bytewise(part))}\0`;
    default:
      throw new TypeError("Only a commit knows what stands for its version");
  }
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

function utf8(text: string): string {
  return BEYOND_ASCII.test(text) ? bytewise(ENCODER.encode(text)) : text;
}

/** A zero within a part is told from its end. */
function escaped(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\0\xff") : text;
}

/** A character a byte. */
export function bytewise(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Floats are encoded so that their bytes sort as their values do. */
function ofFloat(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  view.setBigUint64(0, bits & SIGN ? BigInt.asUintN(64, ~bits) : bits | SIGN);
  return bytewise(new Uint8Array(view.buffer));
}

/** As many bytes as it needs, and the tag says how many. */
function ofInteger(value: bigint): string {
  const size = value < 0n ? -value : value;
  let left = size;
  let text = "";
  for (; left > 0n; left >>= 8n) {
    const byte = Number(left & 0xffn);
    text = String.fromCharCode(value < 0n ? byte ^ 0xff : byte) + text;
  }
  const length = text.length;
  return String.fromCharCode(value < 0n ? ZERO - length : ZERO + length) + text;
}
