/** A body that is being read. */
export interface Pieces {
  /** The next piece, to be used before another is asked for; null at the end. */
  next(): Promise<Uint8Array | null>;
  /**
   * Whether they are so small, or so many, that they cost more than they bring:
   * each is a turn of the one thread, about 10 µs, also for a byte.
   */
  areCrumbs(): boolean;
  /**
   * Bytes that the server keeps besides what was read: the request itself, and
   * what it may have taken of the socket beyond that.
   */
  aheadBytes(): number;
  /** Reads no further. */
  cancel(): Promise<void>;
}

/** A body that can be read once. */
export type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Bytes asked for at a time. */
const PIECE_BYTES = 2_048;
/**
 * The same of chunks over HTTP/1.1. The server finds that the line of a chunk or
 * the trailers are too long (64 KiB) only where so much is asked for, and else
 * keeps all that comes of them.
 */
const CHUNKED_PIECE_BYTES = 66_000;
/** What a request in flight takes, as measured over HTTP/2. */
export const REQUEST_COST = 24_576;
/** Pieces that may be as small as they like. */
const SMALL_PIECES_MAX = 32;
/** Bytes that the others have at least, on the average. */
const ORDINARY_PIECE_BYTES = 512;

/**
 * Reads a stream into one buffer of its own: the server's have 64 KiB, also for a
 * body of which two bytes have come. Bodies that no server has read have no such
 * reader.
 */
export function piecesOf(body: ByteStream, isChunked: boolean): Pieces {
  const size = isChunked ? CHUNKED_PIECE_BYTES : PIECE_BYTES;
  const { next, cancel } = readerOf(body, size);
  let count = 0;
  let bytes = 0;
  return {
    async next() {
      const piece = await next();
      count++;
      bytes += piece?.byteLength ?? 0;
      return piece;
    },
    areCrumbs: () => count > SMALL_PIECES_MAX + bytes / ORDINARY_PIECE_BYTES,
    // Each time it is asked it takes so much, and hands over one chunk of it.
    aheadBytes: () =>
      REQUEST_COST + (isChunked ? (count + 1) * size - bytes : 0),
    cancel,
  };
}

function readerOf(
  body: ByteStream,
  size: number,
): Pick<Pieces, "next" | "cancel"> {
  const reader = byteReader(body);
  if (reader === null) {
    const others = body.getReader();
    return {
      next: async () => (await others.read()).value ?? null,
      cancel: () => others.cancel(),
    };
  }
  let buffer = new Uint8Array(size);
  return {
    async next() {
      const { done, value } = await reader.read(buffer);
      if (done) return null;
      buffer = new Uint8Array(value.buffer);
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

function byteReader(body: ByteStream): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}
