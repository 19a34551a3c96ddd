import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseQuery, QUERY_WORDS_MAX } from "../../../adapters/search/query.ts";

const wordsIn = (query: string) => parseQuery(query).map(({ word }) => word);

Deno.test("parseQuery() leaves out stop words, unless there is nothing else", () => {
  assertEquals(wordsIn("what is the best of the lamps"), ["lamps"]);
  assertEquals(wordsIn("to be or not to be"), ["to", "be", "or", "not"]);
});

Deno.test("parseQuery() leaves out repeats, by their stems", () => {
  assertEquals(wordsIn("bid bids BID bidding"), ["bidding"]);
});

Deno.test("parseQuery() leaves out single letters, unless there is nothing else", () => {
  assertEquals(wordsIn("x lamps y"), ["lamps"]);
  assertEquals(wordsIn("C++"), ["c"]);
  assertEquals(wordsIn("猫 x 5"), ["猫", "5"]);
  assertEquals(parseQuery([..."bcdfghjklmnpqrvwxyz"].join(" ")).length, 1);
});

Deno.test("parseQuery() reads days, and what they are made of no more", () => {
  assertEquals(wordsIn("soap of 5 January 2026"), ["@2026-01-05", "soap"]);
});

Deno.test("parseQuery() leaves out that ads of the past are meant, as every one is", () => {
  assertEquals(wordsIn("earlier bicycle ads"), ["bicycle"]);
  assertEquals(wordsIn("earlier ads"), ["earlier", "ads"]);
});

Deno.test("parseQuery() knows what a question asks for", () => {
  assertEquals(wordsIn("how long does a token last"), ["lifetime", "token"]);
  assertEquals(wordsIn("how much is a report"), ["price", "report"]);
  assertEquals(wordsIn("why can't I bid"), ["reason", "bid"]);
});

Deno.test("parseQuery() knows phrases that mean another word than theirs", () => {
  assertEquals(wordsIn("was it turned down?"), ["rejected"]);
  assertEquals(wordsIn("can I take back my bid"), ["withdraw", "bid"]);
  assertEquals(wordsIn("I want my money back"), ["refund"]);
});

Deno.test("parseQuery() leaves out how a question ends, unless there is nothing else", () => {
  assertEquals(wordsIn("my ad was rejected, what now"), ["rejected"]);
  assertEquals(wordsIn("rejected. Now what?"), ["rejected"]);
  assertEquals(wordsIn("what is shown now"), ["shown", "now"]);
  assertEquals(wordsIn("What now?"), ["now"]);
});

Deno.test("parseQuery() finds no word in marks and pictures", () => {
  for (const query of ["", " ", "!?", "🙂🙂", "\u200b", "\ud800", "\u00a0"]) {
    assertEquals(parseQuery(query), [], JSON.stringify(query));
  }
});

Deno.test("parseQuery() takes words that objects have anyway", () => {
  assertEquals(wordsIn("__proto__ constructor"), ["proto", "constructor"]);
});

Deno.test("parseQuery() leaves few words of any query", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 1_000 }),
    fc.array(fc.constantFrom(..."abcdefghij ".split("")), { maxLength: 1_000 })
      .map((letters) => letters.join("")),
    fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 300 })
      .map((words) => words.join(" ")),
  );
  fc.assert(fc.property(hostile, (query) => {
    const words = parseQuery(query);
    assert(words.length <= QUERY_WORDS_MAX);
    assert(words.every(({ term }) => term.length > 0 && term.length <= 40));
    assertEquals(new Set(words.map(({ term }) => term)).size, words.length);
  }));
});
