import { startTimer } from "../../adapters/time/system_time.ts";
import type { StartTimer } from "../../domain/ports.ts";

/** Bytes that are handed over at a time. */
export type Piece = Uint8Array<ArrayBuffer>;

/** Bytes of one piece, and characters of one of a text. */
export const PIECE_BYTES = 16_384;
/** How long a piece may wait to be taken, ms. */
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
 * A body that is sent piece by piece as it is taken. A whole one would be copied
 * for each answer, and nobody is told when its reader has it. Who takes no piece
 * for half a minute is given no other.
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
      const piece = pieces[next++];
      if (piece !== undefined) controller.enqueue(piece);
      if (next >= pieces.length) return controller.close();
      const stalled = new Error("The answer is not taken");
      callOff = timer(() => controller.error(stalled), STALLED_MS);
    },
    cancel: () => callOff(),
  }, { highWaterMark: 0 });
}
