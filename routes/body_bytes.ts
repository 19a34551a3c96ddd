/**
 * Reads a body. What counts is the bytes that arrive, never the length that was
 * announced.
 *
 * @returns `too_long` for more than `max` bytes, `cut_off` for a body that does
 * not arrive whole
 */
export async function bodyBytes(
  request: Request,
  max: number,
): Promise<Uint8Array | "too_long" | "cut_off"> {
  const bytes = new Uint8Array(max);
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      if (length + chunk.byteLength > max) return "too_long";
      bytes.set(chunk, length);
      length += chunk.byteLength;
    }
  } catch {
    // The caller has hung up, or sent chunks that are none.
    return "cut_off";
  }
  return bytes.subarray(0, length);
}

/** The text of a body; null when it is no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
