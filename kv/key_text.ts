/** A key as text, different for different keys. */
export function keyText(key: Deno.KvKey): string {
  let text = "";
  for (const part of key) {
    if (typeof part !== "string") return `?${JSON.stringify(key)}`;
    text += `${part.length}:${part}`;
  }
  return text;
}
