import { startTimer } from "../../adapters/time/system_time.ts";
import type { StartTimer } from "../../domain/ports.ts";

/** Bytes of one piece. */
export const PIECE_BYTES = 16_384;
/** How long a piece may wait to be taken, ms. */
export const STALLED_MS = 30_000;

/**
 * A body that is sent piece by piece as it is taken. A whole one would be copied
 * for each answer, and nobody is told when its reader has it. Who takes no piece
 * for half a minute is given no other.
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
