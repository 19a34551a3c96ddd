import { crc32, deflate } from "node:zlib";

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** Colours as they come: eight bits each of red, green, blue and opacity. */
export interface Pixels {
  width: number;
  height: number;
  /** Four bytes a pixel, row by row. */
  rgba: Uint8Array;
}

/**
 * An opaque picture as PNG (ISO/IEC 15948), deflated by another thread. Rows
 * are not filtered: for flat colours that would gain nothing.
 */
export async function pngOf(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = pixels;
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  // Eight bits of each colour, and no opacity.
  head.setUint8(8, 8);
  head.setUint8(9, 2);
  const chunks = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", new Uint8Array(head.buffer)),
    chunk("IDAT", await deflated(rowsOf(pixels))),
    chunk("IEND", new Uint8Array(0)),
  ];
  return await new Blob(chunks).bytes();
}

/** Three bytes a pixel, and before each row which filter it has: none. */
function rowsOf({ width, height, rgba }: Pixels): Uint8Array {
  const rows = new Uint8Array(height * (1 + 3 * width));
  let to = 0;
  for (let from = 0; from < rgba.length; from += 4) {
    if (from % (4 * width) === 0) to++;
    rows[to++] = rgba[from] ?? 0;
    rows[to++] = rgba[from + 1] ?? 0;
    rows[to++] = rgba[from + 2] ?? 0;
  }
  return rows;
}

function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) =>
    deflate(
      bytes,
      (error, made) => error === null ? resolve(made) : reject(error),
    )
  );
}

function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
