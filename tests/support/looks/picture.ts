import { Buffer } from "node:buffer";
import { PNG } from "pngjs";

/** A picture in grey, row after row, as small as it is compared. */
export interface Picture {
  width: number;
  height: number;
  /** How light each dot is, in whole steps up to {@linkcode LIGHTEST}. */
  greys: Uint8Array;
}

/** Shades are kept in so many steps fewer, which is all that is compared. */
const STEP = 8;
/** White on a page; what is lighter is no page (see `sheet.ts`). */
export const LIGHTEST = 248;

/** Reads a PNG file of any colours. */
export function readPicture(file: Uint8Array): Picture {
  const { width, height, data } = PNG.sync.read(Buffer.from(file));
  const greys = new Uint8Array(width * height);
  for (let at = 0; at < greys.length; at++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
    const light = 0.299 * red + 0.587 * green + 0.114 * blue;
    greys[at] = Math.min(LIGHTEST, Math.round(light / STEP) * STEP);
  }
  return { width, height, greys };
}

/** The same dots as a comparison and a PNG take them: four bytes each. */
export function dotsOf(greys: Uint8Array): Uint8Array {
  const dots = new Uint8Array(greys.length * 4);
  greys.forEach((grey, at) => dots.set([grey, grey, grey, 255], at * 4));
  return dots;
}
