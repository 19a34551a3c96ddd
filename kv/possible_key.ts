/** Longest key the store takes, bytes as encoded. */
export const MAX_KEY_BYTES = 2_048;

/** Bytes of a number as encoded, type byte included. */
const NUMBER_BYTES = 9;

/**
 * Whether a record can lie under the key. Ids arrive in paths and tokens: one
 * too long for the store, or no well-formed text (which the store would quietly
 * change into another key), names nothing, and is not worth a question.
 */
export function isPossibleKey(key: Deno.KvKey): boolean {
  const isText = key.every((part) =>
    typeof part !== "string" || part.isWellFormed()
  );
  return isText && key.length > 0 && keyBytes(key) <= MAX_KEY_BYTES;
}

/** Bytes of a key as encoded. */
export function keyBytes(key: Deno.KvKey): number {
  return key.reduce<number>((sum, part) => sum + encodedBytes(part), 0);
}

function encodedBytes(part: Deno.KvKeyPart): number {
  if (typeof part === "string") return textBytes(part);
  if (typeof part === "number") return NUMBER_BYTES;
  if (typeof part === "boolean") return 1;
  // No key of ours has bytes, big integers or symbols.
  return Infinity;
}

/** A byte a character. */
// deno-lint-ignore no-control-regex
const PLAIN = /^[\x01-\x7f]*$/;

function textBytes(text: string): number {
  // Too long whatever the characters are: do not go through megabytes.
  if (text.length > MAX_KEY_BYTES) return text.length;
  if (PLAIN.test(text)) return text.length + 2;
  let bytes = 2;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code === 0 || (code >= 0x80 && code < 0x800)
      ? 2
      : code < 0x80
      ? 1
      : code < 0x1_0000
      ? 3
      : 4;
  }
  return bytes;
}
