/** Bytes of a piece; an object of a bucket may be far larger. */
const PIECE_BYTES = 8 * 1_024 * 1_024;

/** Cuts a stream into pieces of one size, the last one shorter. */
export async function* piecesOf(
  stream: ReadableStream<Uint8Array>,
  size: number = PIECE_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let piece = new Uint8Array(size);
  let length = 0;
  for await (let bytes of stream) {
    while (bytes.length > 0) {
      const part = bytes.subarray(0, size - length);
      piece.set(part, length);
      length += part.length;
      bytes = bytes.subarray(part.length);
      if (length < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      length = 0;
    }
  }
  if (length > 0) yield piece.slice(0, length);
}
