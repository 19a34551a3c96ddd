import { assert, assertEquals } from "@std/assert";
import { inflateSync } from "node:zlib";
import { drawPng } from "../../../adapters/images/draw_png.ts";
import { pngOf } from "../../../adapters/images/png.ts";

/** The chunks of a PNG by their names. */
function chunksOf(png: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const name = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    chunks.set(name, png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return chunks;
}

/** The rows of an opaque PNG without filters, each as its bytes. */
function rowsOf(png: Uint8Array, width: number): number[][] {
  const bytes = inflateSync(chunksOf(png).get("IDAT") ?? new Uint8Array());
  const row = 1 + 3 * width;
  return Array.from(
    { length: bytes.length / row },
    (_, nth) => [...bytes.subarray(nth * row, (nth + 1) * row)],
  );
}

Deno.test("pngOf() writes size and colours as PNG has them, without opacity", async () => {
  const rgba = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255);
  const png = await pngOf({ width: 1, height: 3, rgba });
  assertEquals([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = chunksOf(png);
  assertEquals([...chunks.keys()], ["IHDR", "IDAT", "IEND"]);
  assertEquals(
    [...chunks.get("IHDR") ?? []],
    [0, 0, 0, 1, 0, 0, 0, 3, 8, 2, 0, 0, 0],
  );
  assertEquals(rowsOf(png, 1), [[0, 1, 2, 3], [0, 4, 5, 6], [0, 7, 8, 9]]);
});

/** A picture of 40 × 20 with this in it. */
function svg(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">` +
    `<rect width="40" height="20" fill="#14110c"/>${inside}</svg>`;
}

const letter = (text: string) =>
  `<text x="2" y="16" font-family="Familjen Grotesk" font-size="16" ` +
  `fill="#fffdf8">${text}</text>`;

Deno.test("drawPng() draws shapes, and text of Latin, Greek and Cyrillic, with the faces that it brings", async () => {
  const blank = rowsOf(await drawPng(svg("")), 40);
  assertEquals(blank.length, 20);
  assertEquals(blank[0]?.slice(0, 4), [0, 0x14, 0x11, 0x0c]);
  const seen = new Set([JSON.stringify(blank)]);
  for (const text of ["L", "Ł", "ő", "Ệ", "€", "Ψ", "Ж", "щ"]) {
    const drawn = JSON.stringify(rowsOf(await drawPng(svg(letter(text))), 40));
    assert(!seen.has(drawn), `${text} looks like another or is not there`);
    seen.add(drawn);
  }
});

Deno.test("drawPng() fetches nothing that a picture names", async () => {
  const asked: string[] = [];
  using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${server.addr.port}/x.png`;
  server.accept().then(() => asked.push(url), () => {});
  const image = `<image href="${url}" width="40" height="20"/>`;
  assertEquals(await drawPng(svg(image)), await drawPng(svg("")));
  assertEquals(asked, []);
});
