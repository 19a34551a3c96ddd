/**
 * Writes text the way it is compared: without case, accents and the like.
 *
 * @module
 */

/**
 * Accents, Hebrew points and Arabic vowel signs: what readers leave out when
 * they type. Marks that make another letter, as in Hindi or Japanese, stay.
 */
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  "ß": "ss",
  "ø": "o",
  "ł": "l",
  "œ": "oe",
  "æ": "ae",
  "đ": "d",
  "ð": "d",
  "þ": "th",
  "ħ": "h",
  "ı": "i",
  "ς": "σ",
  "ى": "ي",
  "ة": "ه",
  "€": " eur ",
  "%": " percent ",
};
const LETTERS_SHAPE = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** The text in lower case and without accents: "Żółty" becomes "zolty". */
export function fold(text: string): string {
  return text.normalize("NFKD").toLowerCase().replace(ACCENTS, "")
    .replace(LETTERS_SHAPE, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
}

/** Greek and Cyrillic letters, folded, as they are written in Latin ones. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r " +
    "σ s τ t υ y φ f χ ch ψ ps ω o " +
    "а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s " +
    "т t у u ф f х kh ц ts ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya " +
    "і i ї i є ye ґ g ј j љ lj њ nj ћ c ђ dj џ dz"
  ).split(" ").reduce<[string, string][]>((pairs, text, at, all) => {
    if (at % 2 === 0) pairs.push([text, (all[at + 1] ?? "").replace("_", "")]);
    return pairs;
  }, []),
);

/**
 * A folded Greek or Cyrillic word in Latin letters, as people without such a
 * keyboard type it; null for a word of other letters.
 */
export function inLatinLetters(word: string): string | null {
  if (!/^[\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word)) return null;
  return [...word.replaceAll("ου", "ou")]
    .map((letter) => LATIN[letter] ?? letter).join("");
}
