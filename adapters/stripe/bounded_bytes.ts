/** Bytes of an answer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Reads a body that has no more bytes than that; null for a longer one. */
export async function boundedBytes(
  body: ReadableStream<Bytes>,
  maxBytes: number,
): Promise<Bytes | null> {
  const chunks: Bytes[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the body.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}
