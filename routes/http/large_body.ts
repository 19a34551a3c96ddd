import { startTimer } from "../../adapters/time/system_time.ts";
import type { StartTimer } from "../../domain/ports.ts";

/** Bytes that are handed over at a time. */
export type Piece = Uint8Array<ArrayBuffer>;

/**
 * Bytes of one piece, and characters of one of a text. V8 hashes a string of more
 * than 16,383 by its length alone, so that any two longer ones collide in a map.
 */
export const PIECE_BYTES = 16_000;
/** Pieces that are handed over at once: asking for each by itself takes longer. */
export const PIECES_AT_ONCE = 4;
/** How long they may wait to be taken, ms. */
export const STALLED_MS = 30_000;

/** Bytes in pieces, without a copy. */
export function piecesOf(bytes: Piece): Piece[] {
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, nth) => {
    const from = nth * PIECE_BYTES;
    return bytes.subarray(from, from + PIECE_BYTES);
  });
}

/**
 * A body that is sent a few pieces at a time, as they are taken. A whole one
 * would be copied for each answer, and nobody is told when its reader has it. Who
 * takes none for half a minute is given no other.
 */
export function largeBody(
  pieces: readonly Piece[],
  timer: StartTimer = startTimer,
): ReadableStream<Piece> {
  let next = 0;
  let callOff = () => {};
  return new ReadableStream({
    pull(controller) {
      callOff();
      // The last one goes by itself: who asks for it has taken the others.
      const count = Math.min(PIECES_AT_ONCE, pieces.length - 1 - next) || 1;
      const some = pieces.slice(next, next += count);
      some.forEach((piece) => controller.enqueue(piece));
      if (next >= pieces.length) return controller.close();
      const stalled = new Error("The answer is not taken");
      callOff = timer(() => controller.error(stalled), STALLED_MS);
    },
    cancel: () => callOff(),
  }, { highWaterMark: 0 });
}
