import { timingSafeEqual } from "node:crypto";

/** Whether two texts are the same; the time taken does not tell how much is. */
export function isSameText(a: string, b: string): boolean {
  const encoder = new TextEncoder();
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
