import pixelmatch from "pixelmatch";
import { dotsOf, type Picture } from "./picture.ts";

/**
 * How far a dot may be from the kept one, in pixelmatch's measure: 26 of 256
 * shades. Between two builds of Debian's Chromium, six versions apart, no dot of
 * a page is further than 19 from the other; a letter that goes is 40 and more.
 */
export const THRESHOLD = 0.1;
/** Dots that may be further away. A button of one word takes 60. */
export const DOTS_MAX = 3;

/** Where a page no longer looks as it was kept. */
export interface Difference {
  /** How many dots differ. */
  dots: number;
  /** The first of them, in dots from the upper left. */
  left: number;
  top: number;
}

/** What differs between two pictures of one width; null where nothing does. */
export function differenceOf(kept: Picture, seen: Picture): Difference | null {
  const { width } = kept;
  const rows = Math.min(kept.height, seen.height);
  const before = dotsOf(kept.greys.subarray(0, rows * width));
  const now = dotsOf(seen.greys.subarray(0, rows * width));
  const marks = new Uint8Array(before.length);
  const found = pixelmatch(before, now, marks, width, rows, {
    threshold: THRESHOLD,
    // Soft edges of letters are as good as others where a letter is a dot.
    includeAA: true,
    diffMask: true,
  });
  // A page that ends a pixel later may take a row more.
  const rowsMore = Math.abs(kept.height - seen.height);
  if (found <= DOTS_MAX && rowsMore <= 1) return null;
  const marked = marks.findIndex((value) => value > 0);
  const first = marked < 0 ? rows * width : marked >> 2;
  return {
    dots: found + rowsMore * width,
    left: first % width,
    top: Math.floor(first / width),
  };
}
