import type { BucketLevel } from "./bucket_level.ts";

/** Two f64: thousandths of a token, then epoch milliseconds. */
export const BUCKET_ROW_BYTES = 16;

/** Packs a level into the 16 bytes that are stored, little-endian. */
export function packLevel(level: BucketLevel): Uint8Array {
  const bytes = new Uint8Array(BUCKET_ROW_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, level.milliTokens, true);
  view.setFloat64(8, level.atMs, true);
  return bytes;
}

/** The level in a stored row; `null` when the row is none of ours. */
export function unpackLevel(row: unknown): BucketLevel | null {
  if (!(row instanceof Uint8Array) || row.byteLength !== BUCKET_ROW_BYTES) {
    return null;
  }
  const view = new DataView(row.buffer, row.byteOffset, BUCKET_ROW_BYTES);
  const milliTokens = view.getFloat64(0, true);
  const atMs = view.getFloat64(8, true);
  if (!(milliTokens >= 0) || !Number.isFinite(milliTokens)) return null;
  return Number.isFinite(atMs) ? { milliTokens, atMs } : null;
}
