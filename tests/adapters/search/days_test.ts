import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { dayOf } from "../../../domain/day.ts";
import { daysIn, dayTerms } from "../../../adapters/search/days.ts";

const termsIn = (text: string) => daysIn(text).map(({ term }) => term);

Deno.test("daysIn() reads a day however it is written", () => {
  for (
    const text of [
      "2026-01-05",
      "2026/1/5",
      "20260105",
      "05.01.2026",
      "5. 1. 2026",
      "5 January 2026",
      "5th of January 2026",
      "Jan 5, 2026",
      "january 5th 2026",
      "the ad of 5. JAN. 2026, please",
    ]
  ) assertEquals(termsIn(text), ["@2026-01-05"], text);
});

Deno.test("daysIn() reads months, and days of any year", () => {
  assertEquals(termsIn("January 2026"), ["@2026-01"]);
  assertEquals(termsIn("2026-01"), ["@2026-01"]);
  assertEquals(termsIn("29 February"), ["@02-29"]);
  assertEquals(termsIn("March 3rd"), ["@03-03"]);
  assertEquals(termsIn("from 2026-01-05 to 2 May 2026"), [
    "@2026-01-05",
    "@2026-05-02",
  ]);
});

Deno.test("daysIn() reads a month that is named alone as that of any year", () => {
  assertEquals(termsIn("what was advertised in September?"), ["@09"]);
  assertEquals(termsIn("ads of sept."), ["@09"]);
  assertEquals(termsIn("June and July"), ["@06", "@07"]);
});

Deno.test("daysIn() reads a day between slashes both ways, where both are days", () => {
  assertEquals(termsIn("9/11/2026"), ["@2026-11-09", "@2026-09-11"]);
  assertEquals(termsIn("on 13/11/2026, please"), ["@2026-11-13"]);
  assertEquals(termsIn("11/13/2026"), ["@2026-11-13"]);
  assertEquals(termsIn("11/11/2026"), ["@2026-11-11"]);
});

Deno.test("daysIn() takes nothing for a day that is none", () => {
  for (
    const text of [
      "99.99.2026",
      "99/99/2026",
      "20269901",
      "a mar on the sun",
      "an agent may bid",
      "yesterday",
      "12345-01-056",
      "version 2026",
      "",
    ]
  ) assertEquals(termsIn(text), [], text);
});

Deno.test("daysIn() takes an impossible day for its month", () => {
  assertEquals(termsIn("2026-02-30"), ["@2026-02"]);
  assertEquals(termsIn("31 April 2026"), ["@2026-04"]);
});

Deno.test("daysIn() finds every day under the first of its terms", () => {
  const ms = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(fc.property(ms, (moment) => {
    const day = dayOf(moment);
    const [exact, month, anyYear, year, monthOfAnyYear] = dayTerms(day);
    assertEquals(termsIn(`on ${day}.`), [exact]);
    assertEquals(month, `@${day.slice(0, 7)}`);
    assertEquals(anyYear, `@${day.slice(5)}`);
    assertEquals(year, day.slice(0, 4));
    assertEquals(monthOfAnyYear, `@${day.slice(5, 7)}`);
  }));
});
