/** A key as text, different for different keys, of whatever parts. */
export function keyText(key: Deno.KvKey): string {
  let text = "";
  for (const part of key) {
    text += typeof part === "string" ? `${part.length}:${part}` : other(part);
  }
  return text;
}

/** Begins with a letter, as no string does, and ends where it says. */
function other(part: Exclude<Deno.KvKeyPart, string>): string {
  if (Object.is(part, -0)) return "n-0;";
  if (typeof part === "number") return `n${part};`;
  if (typeof part === "bigint") return `i${part};`;
  // The bytes of an array, with commas between them.
  return typeof part === "boolean" ? `b${part};` : `u${String(part)};`;
}
