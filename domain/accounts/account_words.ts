/**
 * The words that operators find an account by: those of its company's name, and
 * its VAT id.
 *
 * @module
 */
import type { Account } from "./account.ts";
import { wordsOf } from "./same_company_name.ts";

/** Words of a name that are kept; hardly any has as many. */
const WORDS_MAX = 12;
/** Longest word that is kept, in UTF-16 units. */
const WORD_MAX = 40;
/** A VAT id as people write it, once what stands between is left out. */
const VAT_ID = /^[a-z]{2}[a-z0-9]{2,13}$/;
/** A VAT id has digits, which tells it from words that are written together. */
const DIGIT = /\d/;

/** The words of an account, each once; none before it has a company. */
export function accountWords({ company }: Account): string[] {
  if (company === null) return [];
  const words = kept(wordsOf(company.name));
  const vatId = company.vatId === null ? [] : kept(wordsOf(company.vatId));
  return [...new Set([...words, ...vatId])];
}

/** What a text asks for: a VAT id as one word, else the words of a name. */
export function soughtWords(text: string): string[] {
  const words = wordsOf(text);
  const together = words.join("");
  const isVatId = VAT_ID.test(together) && DIGIT.test(together);
  return kept(isVatId ? [together] : words);
}

/** Whether each of the words begins one of the account's. */
export function hasWords(account: Account, words: readonly string[]): boolean {
  const own = accountWords(account);
  return words.every((word) => own.some((each) => each.startsWith(word)));
}

/** Cut without leaving half a character, which the store would not take. */
function kept(words: readonly string[]): string[] {
  return words.slice(0, WORDS_MAX)
    .map((word) => word.slice(0, WORD_MAX).toWellFormed())
    .map((word) => word.replace(/\ufffd$/, ""))
    .filter((word) => word !== "");
}
