/**
 * Text in the letters a PDF's standard fonts have (Windows-1252).
 *
 * @module
 */

/** The letters of Windows-1252 beyond Latin-1. */
const EXTRAS = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/** Letters that no decomposition brings down to a base letter. */
const STAND_INS: Record<string, string> = {
  ...pairs("ŁłĐđĦħŦŧıĸŊŋ", "LlDdHhTtikNn"),
  ...pairs("ΑΒΓΔΕΖΗΙΚΛΜΝΞΟΠΡΣΤΥΩ", "AVGDEZIIKLMNXOPRSTYO"),
  ...pairs("αβγδεζηικλμνξοπρστυως", "avgdeziiklmnxoprstyos"),
  Θ: "Th",
  θ: "th",
  Φ: "F",
  φ: "f",
  Χ: "Ch",
  χ: "ch",
  Ψ: "Ps",
  ψ: "ps",
  ...pairs("АБВГДЕЗИЙКЛМНОПРСТУФЫЭІ", "ABVGDEZIJKLMNOPRSTUFYEI"),
  ...pairs("абвгдезийклмнопрстуфыэі", "abvgdezijklmnoprstufyei"),
  Ж: "Zh",
  ж: "zh",
  Х: "Kh",
  х: "kh",
  Ц: "Ts",
  ц: "ts",
  Ч: "Ch",
  ч: "ch",
  Ш: "Sh",
  ш: "sh",
  Щ: "Sht",
  щ: "sht",
  Ъ: "",
  ъ: "",
  Ь: "",
  ь: "",
  Ю: "Yu",
  ю: "yu",
  Я: "Ya",
  я: "ya",
};

/**
 * Replaces every letter the fonts do not have: by its base letter, by its
 * usual transcription, or else by a question mark. `Łódź` becomes `Lódz`.
 */
export function toWinAnsi(text: string): string {
  let result = "";
  for (const letter of text.normalize("NFC")) result += replace(letter);
  return result;
}

function replace(letter: string): string {
  if (isWinAnsi(letter)) return letter;
  if (/\s/.test(letter)) return " ";
  const known = STAND_INS[letter];
  if (known !== undefined) return known;
  const base = letter.normalize("NFKD").replace(/\p{M}/gu, "");
  if (base === letter) return /\p{C}|\p{M}/u.test(letter) ? "" : "?";
  return [...base].map(replace).join("");
}

function isWinAnsi(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const isAscii = code >= 0x20 && code <= 0x7e;
  const isLatin1 = code >= 0xa0 && code <= 0xff;
  return isAscii || isLatin1 || EXTRAS.includes(letter);
}

function pairs(from: string, to: string): Record<string, string> {
  const letters = [...to];
  return Object.fromEntries(
    [...from].map((letter, at) => [letter, letters[at] ?? "?"]),
  );
}
