/**
 * Whether two spellings name one company. Registers write in capitals, without
 * accents and with their own punctuation; legal forms come before or behind, in
 * full or short. Whatever this does not equate a person compares.
 *
 * @module
 */

/** Longest name that is compared; a register's may be longer than ours. */
export const NAME_MAX = 300;
/** Words of one legal form, as people space it: "Sp. z o. o." has four. */
const FORM_WORDS_MAX = 5;

/** Drawn symbols are read as letters, as in 🅽🅸🅺🅴, so they are never left out. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{So}]+/u;

/** Letters that don't come apart into a base letter and marks. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ς: "σ",
};

/** Legal forms of the member states, without spaces, dots and accents. */
const FORMS: ReadonlySet<string> = new Set(
  ("gmbh ggmbh mbh ag kg kgaa ohg ug ughaftungsbeschrankt ek ekfr ekfm eg se " +
    "gbr partg partgmbb gmbhcokg gmbhcokgaa gmbhundcokg agcokg ugcokg seco " +
    "secokgaa ges gesmbh og keg " +
    "sarl sarlu eurl sa sas sasu snc scs sca scop sprl srl bv bvba nv vof cv " +
    "cvba asbl vzw scrl sc spa srls sapa sas scarl scrl coop " +
    "sl slu slne sau sll slp sociedadlimitada sociedadanonima " +
    "lda unipessoallda limitada " +
    "spzoo spolkazoo spolkazograniczonaodpowiedzialnoscia spj spk spp ska " +
    "spzoospk sro spolsro as vos ks zrt nyrt kft bt kkt doo jdoo dd " +
    "uab ab ib vsi mb sia as iks ik ou oy oyj ab abp ky hb kb aps is ks ivs " +
    "ltd limited plc llp dac clg ulc uc " +
    "ood eood ad ead eood et " +
    "οοδ εοοδ αε επε οε εε ικε μικε ανωνυμηεταιρεια αβεε αεβε " +
    "оод еоод ад еад ет сд " +
    "scaa srld pfa ii").split(" "),
);

/**
 * Whether a company's name is one of those that the register has for it, legal
 * forms and spelling apart. Some registers give several in one text, apart by
 * two bars; of a company there is one name, which is compared as a whole.
 */
export function isSameCompanyName(registered: string, name: string): boolean {
  const wanted = bareName(name.slice(0, NAME_MAX));
  return wanted !== "" && !hasNameSeparator(name) &&
    registered.slice(0, NAME_MAX).split("||")
      .some((each) => bareName(each) === wanted);
}

/**
 * Whether a text reads as several names: two bars in a row, or a character that
 * looks like them.
 */
export function hasNameSeparator(name: string): boolean {
  return SEPARATOR.test(name.slice(0, NAME_MAX));
}

/** Bars of several alphabets and drawings, and those that are double. */
const SEPARATOR =
  /[|¦ǀ׀।∣│┃┆┇┊┋╎╏❘❙❚⎮⏐｜￨]\s*[|¦ǀ׀।∣│┃┆┇┊┋╎╏❘❙❚⎮⏐｜￨]|[‖ǁ∥║॥⫴⫼⦀]/u;

/** The letters and digits of a name without its legal forms. */
function bareName(name: string): string {
  const words = wordsOf(name);
  const end = words.length - formAtEnd(words);
  const start = formAtStart(words.slice(0, end));
  return words.slice(start, end).join("");
}

/** The words of a name, without capitals, accents and punctuation. */
export function wordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const spelled = [...plain].map((letter) => LETTERS[letter] ?? letter).join(
    "",
  );
  return spelled.replace(/['’`´.]/g, "").split(BETWEEN_WORDS)
    .filter((word) => word !== "");
}

/** How many of the last words are a legal form; never all of them. */
function formAtEnd(words: readonly string[]): number {
  return longestForm(words, (count) => words.slice(-count));
}

/** How many of the first words are one; never all of them. */
function formAtStart(words: readonly string[]): number {
  return longestForm(words, (count) => words.slice(0, count));
}

function longestForm(
  words: readonly string[],
  part: (count: number) => readonly string[],
): number {
  const most = Math.min(FORM_WORDS_MAX, words.length - 1);
  for (let count = most; count > 0; count--) {
    if (FORMS.has(part(count).join(""))) return count;
  }
  return 0;
}
