import { startTimer } from "../../adapters/time/system_time.ts";
import type { StartTimer } from "../../domain/ports.ts";

/** Texts of so many characters are sent in pieces. */
export const LARGE_FROM = 16_384;
/** Bytes of one piece. */
export const PIECE_BYTES = 16_384;
/** How long a piece may wait to be taken, ms. */
export const STALLED_MS = 30_000;
/** Large texts whose bytes are kept: there are about twenty. */
const REMEMBERED_MAX = 64;

/** By the tag of the text, the one used longest ago first. */
const remembered = new Map<string, Uint8Array<ArrayBuffer>>();

/** The bytes of a text, the same for each answer that has this tag. */
export function sharedBytes(
  text: string,
  etag: string,
): Uint8Array<ArrayBuffer> {
  const bytes = remembered.get(etag) ?? new TextEncoder().encode(text);
  remembered.delete(etag);
  remembered.set(etag, bytes);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) {
    remembered.delete(oldest);
  }
  return bytes;
}

/**
 * A body whose bytes other answers share, sent piece by piece as they are taken.
 * A whole body is copied for each answer, and kept until its reader has it: over
 * HTTP/2 one connection asks two hundred times and reads nothing. Who takes no
 * piece for half a minute is given no other.
 */
export function largeBody(
  bytes: Uint8Array<ArrayBuffer>,
  timer: StartTimer = startTimer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let callOff = () => {};
  return new ReadableStream({
    pull(controller) {
      callOff();
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      controller.enqueue(piece);
      if (at >= bytes.length) return controller.close();
      const stalled = new Error("The answer is not taken");
      callOff = timer(() => controller.error(stalled), STALLED_MS);
    },
    cancel: () => callOff(),
  }, { highWaterMark: 0 });
}
