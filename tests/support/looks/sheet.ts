/**
 * A sheet: the pictures of one page side by side in one file, so that whoever
 * reviews a change sees at once what it does to the page.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";
import { dotsOf, type Picture } from "./picture.ts";

/** What stands below a picture that is lower than its neighbours. */
const BELOW = 255;

/** The sheet of pictures, as the bytes of a PNG file in grey. */
export function sheetOf(pictures: readonly Picture[]): Uint8Array {
  const width = pictures.reduce((sum, picture) => sum + picture.width, 0);
  const height = Math.max(...pictures.map((picture) => picture.height));
  const greys = new Uint8Array(width * height).fill(BELOW);
  let left = 0;
  for (const picture of pictures) {
    for (let row = 0; row < picture.height; row++) {
      const from = row * picture.width;
      const dots = picture.greys.subarray(from, from + picture.width);
      greys.set(dots, row * width + left);
    }
    left += picture.width;
  }
  const png = new PNG({ width, height });
  png.data = Buffer.from(dotsOf(greys));
  return PNG.sync.write(png, { colorType: 0, deflateLevel: 9 });
}

/** The pictures of a sheet, whose widths are known. */
export function picturesOf(
  sheet: Uint8Array,
  widths: readonly number[],
): Picture[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(sheet));
  let left = 0;
  return widths.map((own) => {
    const rows: number[] = [];
    for (let row = 0; row < height; row++) {
      const first = (row * width + left) * 4;
      if (data[first] === BELOW) break;
      for (let at = 0; at < own; at++) rows.push(data[first + at * 4] ?? 0);
    }
    left += own;
    const greys = Uint8Array.from(rows);
    return { width: own, height: greys.length / own, greys };
  });
}
