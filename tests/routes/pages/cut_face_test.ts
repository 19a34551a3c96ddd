import { assertEquals } from "@std/assert";
import arimo from "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf" with {
  type: "bytes",
};
import fontkit from "@pdf-lib/fontkit";
import { cutFace } from "../../../routes/pages/cut_face.ts";
import { printable, widthOf } from "../../../routes/pages/print_face.ts";

/** What is read of a font by a reader that is not ours. */
interface Face {
  unitsPerEm: number;
  numGlyphs: number;
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): Glyph;
  getGlyph(nth: number): Glyph;
}

interface Glyph {
  advanceWidth: number;
  path: { toSVG(): string };
}

// The library's types leave `create` at less than it answers.
const faceIn = (bytes: Uint8Array) => fontkit.create(bytes) as unknown as Face;
const WHOLE = faceIn(arimo);

/** Latin, Greek and Cyrillic letters, and the signs among them. */
const LETTERS = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x386, 0x3ce],
  [0x400, 0x52f],
  [
    0x1e00,
    0x1fff,
  ],
  [0x2010, 0x2027],
  [0x20a0, 0x20be],
]
  .flatMap(([from = 0, to = 0]) =>
    Array.from(
      { length: to - from + 1 },
      (_, at) => String.fromCharCode(from + at),
    )
  ).filter((letter) =>
    letter === letter.normalize("NFC") && /[^\p{C}]/u.test(letter)
  );

Deno.test("printable() leaves every letter of Europe as it is, in the width that the face says", () => {
  assertEquals(printable(LETTERS.join("")), LETTERS.join(""));
  for (const letter of LETTERS) {
    const { advanceWidth } = WHOLE.glyphForCodePoint(letter.charCodeAt(0));
    assertEquals(widthOf(letter), advanceWidth / WHOLE.unitsPerEm, letter);
  }
});

Deno.test("printable() leaves no letter that the face lacks", () => {
  const lacking = Array.from({ length: 0xffff }, (_, code) => code)
    .filter((code) => !WHOLE.hasGlyphForCodePoint(code))
    .map((code) => String.fromCharCode(code))
    .filter((letter) => printable(letter) === letter);
  assertEquals(lacking, []);
});

Deno.test("cutFace() has the shapes and widths of the letters that it was asked for, in their order", () => {
  const face = faceIn(cutFace(LETTERS));
  for (const [at, letter] of LETTERS.entries()) {
    const glyph = face.getGlyph(at + 1);
    const whole = WHOLE.glyphForCodePoint(letter.charCodeAt(0));
    assertEquals(glyph.path.toSVG(), whole.path.toSVG(), letter);
    assertEquals(glyph.advanceWidth, whole.advanceWidth, letter);
  }
  const few = cutFace(["Ł", "Ł", "ő"]);
  // The last is put together of an o and a mark.
  assertEquals(faceIn(few).numGlyphs, 6);
  assertEquals(cutFace(["Ł", "Ł", "ő"]), few);
});
