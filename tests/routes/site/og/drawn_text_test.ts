import { assert, assertEquals } from "@std/assert";
import arimo from "@expo-google-fonts/arimo/600SemiBold/Arimo_600SemiBold.ttf" with {
  type: "bytes",
};
import familjen from "@expo-google-fonts/familjen-grotesk/600SemiBold/FamiljenGrotesk_600SemiBold.ttf" with {
  type: "bytes",
};
import fontkit from "@pdf-lib/fontkit";
import {
  inOneLine,
  isDrawable,
  linesOf,
  widthOf,
} from "../../../../routes/site/og/drawn_text.ts";

/** What is read of a font. */
interface Face {
  unitsPerEm: number;
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): { advanceWidth: number };
}

// The library's types leave `create` at less than it answers.
const FACES = [familjen, arimo].map((bytes) =>
  fontkit.create(bytes) as unknown as Face
);
const CODES = Array.from({ length: 0x3000 }, (_, code) => code);

function widthIn(face: Face, code: number): number {
  if (!face.hasGlyphForCodePoint(code)) return 0;
  return face.glyphForCodePoint(code).advanceWidth / face.unitsPerEm;
}

Deno.test("isDrawable() takes no letter that the face lacks", () => {
  const lacking = CODES.filter((code) =>
    isDrawable(String.fromCodePoint(code)) &&
    FACES.every((face) => !face.hasGlyphForCodePoint(code))
  );
  // Two units of measure are other letters once they are composed.
  const composed = lacking.filter((code) => {
    const letter = String.fromCodePoint(code);
    return letter.normalize("NFC") === letter;
  });
  assertEquals(composed.map((code) => code.toString(16)), []);
});

Deno.test("the second face has all letters of a text that the first can't draw", () => {
  const lacking = CODES.map((code) => String.fromCodePoint(code))
    .filter((letter) => letter === letter.normalize("NFC"))
    .filter(isDrawable).filter((letter) =>
      FACES[1]?.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) !== true
    );
  assertEquals(lacking, []);
});

Deno.test("isDrawable() takes the languages of the Union, and no other script", () => {
  for (
    const text of [
      "Atelier Brume SARL – “L’œuvre” à 5 €",
      "Größe, Straße, Äpfel",
      "Świeże pączki, źdźbło",
      "Žluťoučký kůň, Ľubľana, ťava",
      "Árvíztűrő tükörfúrógép",
      "Ștefan și țară",
      "Għandek ħobż",
      "Ķīmija, ēdiens, Šiauliai, ąžuolas",
      "Ελληνική Δημοκρατία, Ώρα, ΐ ΰ",
      "Щъркел Жълт, Ґанок, їжак, Љубљана, №7",
      "e\u0301te\u0301",
      "",
    ]
  ) assert(isDrawable(text), text);
  for (
    const text of [
      "مرحبا",
      "日本",
      "한국",
      "א",
      "🎉",
      "a\u0301\u0302",
    ]
  ) assert(!isDrawable(text), text);
});

Deno.test("widthOf() says of no letter that it is narrower than it is", () => {
  const wrong = CODES.map((code) => String.fromCodePoint(code))
    .filter(isDrawable).filter((letter) => {
      const composed = letter.normalize("NFC").codePointAt(0) ?? 0;
      return FACES.some((face) => widthOf(letter) < widthIn(face, composed));
    });
  assertEquals(wrong, []);
});

Deno.test("linesOf() breaks between words, and within a word that no line has room for", () => {
  assertEquals(linesOf("one two three", 100), ["one two three"]);
  const lines = linesOf("Learn to throw a pot in one Saturday", 9);
  assertEquals(lines.join(" "), "Learn to throw a pot in one Saturday");
  for (const text of ["W".repeat(60), "a bb ccc ".repeat(20), ""]) {
    const lines = linesOf(text, 7);
    assert(lines.every((line) => widthOf(line) <= 7));
    assertEquals(
      lines.join("").replaceAll(" ", ""),
      text.replaceAll(" ", ""),
    );
  }
});

Deno.test("inOneLine() keeps what has room, and shortens the rest", () => {
  assertEquals(inOneLine("From Spotlight", 20), "From Spotlight");
  const short = inOneLine("M".repeat(80), 20);
  assert(short.endsWith("M …") && widthOf(short) <= 20);
});
