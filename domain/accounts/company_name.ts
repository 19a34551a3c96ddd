/**
 * Whether a name is a company's, which may stay where a person's has to go. Only
 * a legal form says so, and short ones are names and initials as well, as in Anna
 * Ek, Eva Vos and S. A. Jensen: in doubt it is a person's. The forms of sole traders
 * and of partnerships without a register (e.K., ЕТ, PFA, EI, GbR) stand in no list,
 * since the name in front of them is a person's by law (decision 0052).
 *
 * @module
 */
import { NAME_MAX, wordsOf } from "./same_company_name.ts";

/** Words of one form, as people space it: "Sp. z o. o. sp. k." has six. */
const FORM_WORDS_MAX = 6;

/** Forms that nobody is called, as `wordsOf()` reads them, in one. */
const CLEAR: ReadonlySet<string> = new Set(
  ("gmbh ggmbh mbh gesmbh ughaftungsbeschrankt kgaa gmbhcokg gmbhundcokg " +
    "gmbhcokgaa agcokg ugcokg partg partgmbb " +
    "sarl sarlu eurl sasu sprl bvba cvba asbl vzw scrl srl srls sapa scarl " +
    "lda unipessoallda limitada sociedadlimitada sociedadanonima " +
    "spzoo spzoospk spolkazoo spolkazograniczonaodpowiedzialnoscia " +
    "sro spolsro zrt nyrt kft jdoo eood uab oyj abp aps " +
    "ltd limited plc llp llc dac clg inc " +
    "αε αβεε αεβε επε ικε μικε ανωνυμηεταιρεια " +
    "оод еоод еад").split(" "),
);

/** Those of them that are also written in front, and never with dots there. */
const IN_FRONT: ReadonlySet<string> = new Set(
  "gmbh ggmbh sarl sarlu eurl sasu sprl bvba uab eood еоод".split(" "),
);

/** Short forms as they are written, dots at the end apart, by their countries. */
const WRITTEN: readonly (readonly [of: string, forms: string])[] = [
  ["AT CH DE LI", "AG KG OHG OG UG eG e.G"],
  ["BE NL", "BV B.V NV N.V CV C.V VOF V.O.F"],
  ["BE CH ES FR GR LU PL PT RO", "SA S.A"],
  ["BE FR IT LU RO", "SNC S.N.C SCS S.C.S SCA S.C.A"],
  ["FR LU", "SAS S.A.S"],
  ["IT", "SpA SPA S.p.A S.P.A SAS S.A.S S.a.s"],
  ["ES", "SL S.L SLU S.L.U SAU S.A.U SLL S.L.L SLP S.L.P"],
  ["PL", "sp.j sp.k S.K.A"],
  ["CZ SK", "a.s v.o.s k.s"],
  ["HU", "Bt Kkt"],
  ["BA HR ME RS SI", "d.o.o doo d.d"],
  ["BG", "AD АД"],
  ["EE", "OÜ OU AS"],
  ["LV", "SIA AS"],
  ["LT", "AB MB VšĮ"],
  ["NO", "AS ASA"],
  ["DK", "A/S K/S P/S"],
  ["FI SE", "AB Ab Oy OY HB KB"],
];
/** A European company is of any member state. */
const ANYWHERE = ["SE"];

/** Whoever writes everything in capitals writes these names so, too. */
const ALSO_NAMES: ReadonlySet<string> = new Set(
  ["SA", "AS", "SAS", "SPA", "SAU", "SIA", "AB", "OU", "OÜ", "OY", "SE", "AD"],
);

/** The last word, or letters with dots that stand for words: "a. s.", "sp. k." */
const LAST_WORD =
  /(?:^|[\s,"“”„»«])((?:(?:sp|\p{L})\.\s*)+\p{L}\.?|[^\s,"“”„»«]+)$/u;

/**
 * Whether a name is known to be a company's.
 *
 * @param country the company's, ISO 3166-1 alpha-2, whose short forms count; null
 *   where it is not known any more: those of all countries
 */
export function isCompanyName(name: string, country: string | null): boolean {
  const text = name.slice(0, NAME_MAX).normalize("NFC").trim();
  return hasClearForm(text) || hasWrittenForm(text, country);
}

function hasClearForm(text: string): boolean {
  const words = wordsOf(text);
  if (words.length < 2) return false;
  // Dots in front are those of initials.
  const [front = ""] = text.split(/\s/, 1);
  if (!front.includes(".") && IN_FRONT.has(wordsOf(front).join(""))) {
    return true;
  }
  const most = Math.min(FORM_WORDS_MAX, words.length - 1);
  for (let count = most; count > 0; count--) {
    if (CLEAR.has(words.slice(-count).join(""))) return true;
  }
  return false;
}

function hasWrittenForm(text: string, country: string | null): boolean {
  const end = LAST_WORD.exec(text)?.[1] ?? "";
  const before = text.slice(0, text.length - end.length);
  const form = end.replace(/\s/g, "").replace(/\.$/, "");
  // An account is of a company, whose name is more than its form.
  if (wordsOf(before).length === 0) return false;
  if (ALSO_NAMES.has(form) && !/\p{Ll}/u.test(before)) return false;
  return ANYWHERE.includes(form) ||
    WRITTEN.some(([of, forms]) =>
      (country === null || of.split(" ").includes(country)) &&
      forms.split(" ").includes(form)
    );
}
