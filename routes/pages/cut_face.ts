/**
 * Cuts out of the face of printed pages what a page needs of it, so that a page
 * is some 20 KB and not 300.
 *
 * @module
 */
import { joinedBytes } from "../../domain/joined_bytes.ts";
import { glyphOf, tableOf } from "./print_face.ts";

const SHAPES = tableOf("glyf");
/** Where each shape begins, in four bytes; the last is where they end. */
const PLACES = tableOf("loca");
const METRICS = tableOf("hmtx");

/** The face as a file, with each of these letters as glyph 1, 2 and so on. */
export function cutFace(letters: readonly string[]): Uint8Array<ArrayBuffer> {
  const glyphs = [0, ...letters.map(glyphOf)];
  const shapes: Uint8Array<ArrayBuffer>[] = [];
  // What a letter is put together of comes after all letters, and may be put
  // together itself.
  for (let nth = 0; nth < glyphs.length; nth++) {
    shapes.push(shapeOf(glyphs, nth));
  }
  return fileOf([
    ["glyf", joinedBytes(shapes)],
    ["head", withNumber("head", 50, 1)],
    ["hhea", withNumber("hhea", 34, glyphs.length)],
    ["hmtx", joinedBytes(glyphs.map(metricsOf))],
    ["loca", placesOf(shapes)],
    ["maxp", withNumber("maxp", 4, glyphs.length)],
  ]);
}

/** A glyph's shape, whose parts are named by their places among `glyphs`. */
function shapeOf(glyphs: number[], nth: number): Uint8Array<ArrayBuffer> {
  const glyph = glyphs[nth] ?? 0;
  const begin = PLACES.getUint32(4 * glyph);
  const shape = bytesOf(SHAPES, begin, PLACES.getUint32(4 * glyph + 4));
  const view = new DataView(shape.buffer);
  for (const at of partsOf(view)) {
    const part = view.getUint16(at);
    const known = glyphs.indexOf(part);
    view.setUint16(at, known === -1 ? glyphs.push(part) - 1 : known);
  }
  return shape;
}

/** Where a shape names the glyphs that it is put together of. */
function partsOf(shape: DataView): number[] {
  if (shape.byteLength === 0 || shape.getInt16(0) >= 0) return [];
  const places: number[] = [];
  let flags = MORE_PARTS;
  for (let at = 10; flags & MORE_PARTS;) {
    flags = shape.getUint16(at);
    places.push(at + 2);
    at += 4 + (flags & WORDS ? 4 : 2) + scaleLength(flags);
  }
  return places;
}

const WORDS = 0x1;
const MORE_PARTS = 0x20;

function scaleLength(flags: number): number {
  if (flags & 0x8) return 2;
  if (flags & 0x40) return 4;
  return flags & 0x80 ? 8 : 0;
}

function metricsOf(glyph: number): Uint8Array<ArrayBuffer> {
  return bytesOf(METRICS, 4 * glyph, 4 * glyph + 4);
}

/** Where each shape begins, and where the last ends. */
function placesOf(
  shapes: readonly Uint8Array<ArrayBuffer>[],
): Uint8Array<ArrayBuffer> {
  const places = new DataView(new ArrayBuffer(4 * shapes.length + 4));
  let place = 0;
  for (const [nth, { byteLength }] of shapes.entries()) {
    place += byteLength;
    places.setUint32(4 * nth + 4, place);
  }
  return new Uint8Array(places.buffer);
}

/** A table of the whole face's with one of its numbers changed. */
function withNumber(
  name: string,
  at: number,
  number: number,
): Uint8Array<ArrayBuffer> {
  const table = tableOf(name);
  const copy = bytesOf(table, 0, table.byteLength);
  new DataView(copy.buffer).setUint16(at, number);
  return copy;
}

/** A file of these tables, which are in the order of their names. */
function fileOf(
  tables: readonly [name: string, bytes: Uint8Array<ArrayBuffer>][],
): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(12 + 16 * tables.length));
  const step = 2 ** Math.floor(Math.log2(tables.length));
  head.setUint32(0, 0x1_0000);
  head.setUint16(4, tables.length);
  head.setUint16(6, 16 * step);
  head.setUint16(8, Math.log2(step));
  head.setUint16(10, 16 * (tables.length - step));
  let place = head.byteLength;
  const padded = tables.map(([name, bytes], nth) => {
    const row = 12 + 16 * nth;
    const whole = joinedBytes([bytes, new Uint8Array(-bytes.byteLength & 3)]);
    for (let at = 0; at < 4; at++) head.setUint8(row + at, name.charCodeAt(at));
    head.setUint32(row + 4, sumOf(whole));
    head.setUint32(row + 8, place);
    head.setUint32(row + 12, bytes.byteLength);
    place += whole.byteLength;
    return whole;
  });
  return joinedBytes([new Uint8Array(head.buffer), ...padded]);
}

/** The sum by which a reader may know a damaged table. */
function sumOf(table: Uint8Array<ArrayBuffer>): number {
  const words = new DataView(table.buffer);
  let sum = 0;
  for (let at = 0; at < table.byteLength; at += 4) {
    sum = (sum + words.getUint32(at)) >>> 0;
  }
  return sum;
}

function bytesOf(
  { buffer, byteOffset }: DataView,
  begin: number,
  end: number,
): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(buffer as ArrayBuffer);
  return all.slice(byteOffset + begin, byteOffset + end);
}
