import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";
import type { Piece } from "./large_body.ts";
import { rangesOf } from "./preferred_type.ts";

/** How a body may be compressed (RFC 9110 §8.4.1). */
export type Encoding = "br" | "gzip";

/** Shorter texts fit into a packet or two as they are. */
export const COMPRESSED_FROM = 1_024;

/** Of 11: the last two take five times as long and save a twentieth. */
const BROTLI_QUALITY = 9;

/**
 * The encoding that a request likes best (RFC 9110 §12.5.3), the first offered
 * of those it likes alike; null where it takes none.
 *
 * @param accept the header Accept-Encoding; null when it was not sent
 */
export function preferredEncoding(
  accept: string | null,
  offered: readonly Encoding[],
): Encoding | null {
  const ranges = rangesOf(accept);
  let best: Encoding | null = null;
  let weight = 0;
  for (const encoding of offered) {
    const range = ranges.find((each) => each.range === encoding) ??
      ranges.find((each) => each.range === "*");
    if (range === undefined || range.weight <= weight) continue;
    [best, weight] = [encoding, range.weight];
  }
  return best;
}

/** Bytes in an encoding, made by another thread. */
export function compress(bytes: Piece, encoding: Encoding): Promise<Piece> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, made: Uint8Array) =>
      error === null ? resolve(new Uint8Array(made)) : reject(error);
    if (encoding === "gzip") gzip(bytes, done);
    else {
      const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
      brotliCompress(bytes, { params }, done);
    }
  });
}

/** What is compressed while it is waited for. */
export function gzipped(content: string | Uint8Array): Piece {
  return new Uint8Array(gzipSync(content));
}
