import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fold, inLatinLetters } from "../../../adapters/search/fold.ts";
import { termsOf } from "../../../adapters/search/terms.ts";
import { compoundsOf, wordsOf } from "../../../adapters/search/words.ts";

Deno.test("wordsOf() reads words of every script, without case and accents", () => {
  for (
    const [text, words] of [
      ["Żółty Tramwaj sp. z o.o.", ["zolty", "tramwaj", "sp", "z", "o", "o"]],
      ["München, Straße, smørrebrød", ["munchen", "strasse", "smorrebrod"]],
      ["CAFÉ cafe\u0301 ﬁne Ⅳ", ["cafe", "cafe", "fine", "iv"]],
      ["Ελαιόλαδος ΕΛΙΑ", ["ελαιολαδοσ", "ελια"]],
      ["Привет, ёлка", ["привет", "елка"]],
      ["שָׁלוֹם", ["שלום"]],
      ["مُحَمَّد", ["محمد"]],
      ["हिन्दी", ["हिन्दी"]],
      ["한국어", ["한국어"]],
      ["日本語 テ", ["日本", "本語", "テ"]],
      ["ガ行", ["ガ行"]],
      ["สวัสดีครับ", ["สวัสดี", "ครับ"]],
    ] as const
  ) assertEquals(wordsOf(text), [...words], text);
});

Deno.test("wordsOf() takes names and numbers apart where people would", () => {
  for (
    const [text, words] of [
      ["Manolo's van, users’ consent", ["manolo", "van", "users", "consent"]],
      ["2,500 metres for €1.50", ["2500", "metres", "for", "eur", "1", "50"]],
      ["10 %", ["10", "percent"]],
      ["bidCount includeHouseAds", ["bid", "count", "include", "house", "ads"]],
      ["C++ AT&T e-mail", ["c", "at", "t", "e", "mail"]],
      ["", []],
      ["🙂 \u200b \ud800 —", []],
    ] as const
  ) assertEquals(wordsOf(text), [...words], text);
});

Deno.test("compoundsOf() finds what marks join", () => {
  assertEquals(
    compoundsOf(
      "Your e-mail, bids:write and agent.mandate-exceeded. Twice: no",
    ),
    ["email", "bidswrite", "agentmandateexceeded"],
  );
});

Deno.test("inLatinLetters() writes Greek and Cyrillic as people type them", () => {
  for (
    const [word, latin] of [
      ["Ελαιόλαδο", "elaiolado"],
      ["Κτήμα", "ktima"],
      ["σαπούνι", "sapouni"],
      ["Щука", "shchuka"],
      ["cafe", null],
      ["日本", null],
    ] as const
  ) assertEquals(inLatinLetters(fold(word)), latin, word);
});

Deno.test("termsOf() brings the forms of a word together", () => {
  for (
    const forms of [
      ["advertise", "advertiser", "advertising", "advertisement"],
      ["withdraw", "withdrawn", "withdraws", "WITHDREW"],
      ["erase", "erased", "erasing"],
    ]
  ) assertEquals(new Set(forms.flatMap(termsOf)).size, 1, forms.join());
});

Deno.test("termsOf() takes any text, and makes no empty term of it", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assertEquals(termsOf(text).includes(""), false);
  }));
});
