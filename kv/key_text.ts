const texts = new WeakMap<Deno.KvKey, string>();

/** A key as text, different for different keys; remembered with the key. */
export function keyText(key: Deno.KvKey): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  texts.set(key, text);
  return text;
}
