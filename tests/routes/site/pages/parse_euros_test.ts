import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { parseEuros } from "../../../../routes/site/pages/parse_euros.ts";
import { showEuros, typedEuros } from "../../../../domain/text/euros.ts";

const CENTS = fc.integer({ min: 0, max: 99_999_999_999 });

Deno.test("parseEuros() reads what typedEuros() wrote, exactly", () => {
  fc.assert(fc.property(CENTS, (cents) => {
    assertEquals(parseEuros(typedEuros(cents)), cents);
    assertEquals(parseEuros(typedEuros(cents).replace(".", ",")), cents);
  }));
});

Deno.test("parseEuros() agrees with arithmetic on whole numbers", () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 999_999_999 }),
    fc.integer({ min: 0, max: 9 }),
  );
  fc.assert(fc.property(parts, ([euros, tenths]) => {
    assertEquals(parseEuros(String(euros)), euros * 100);
    assertEquals(parseEuros(`${euros}.${tenths}`), euros * 100 + tenths * 10);
  }));
});

Deno.test("parseEuros() answers an integer or null for any text", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const cents = parseEuros(text);
    assertEquals(cents === null || Number.isSafeInteger(cents), true);
  }));
});

for (
  const [text, cents] of [
    ["0", 0],
    ["12", 1_200],
    ["12.5", 1_250],
    ["12.50", 1_250],
    ["12,50", 1_250],
    ["0.29", 29],
    ["4.35", 435],
    ["1.15", 115],
    ["1000000.00", 100_000_000],
    ["007", 700],
    ["€5", 500],
    ["5 €", 500],
    ["EUR 12.50", 1_250],
    ["12,50\u00a0eur", 1_250],
  ] as const
) {
  Deno.test(`parseEuros() reads "${text}" as ${cents} cents`, () => {
    assertEquals(parseEuros(text), cents);
  });
}

for (
  const text of [
    "",
    " 1",
    "-1",
    "+1",
    "1.",
    ".5",
    "1.234",
    "1,000",
    "1,000.00",
    "1.000,00",
    "1e3",
    "0x10",
    "€",
    "€5€",
    "EUR EUR 5",
    "$5",
    "USD 5",
    "5  €",
    "€-5",
    "€1,000",
    "NaN",
    "Infinity",
    "１２",
    "1234567890",
    "1\n",
  ]
) {
  Deno.test(`parseEuros() refuses ${JSON.stringify(text)}`, () => {
    assertEquals(parseEuros(text), null);
  });
}

for (
  const [cents, text] of [
    [0, "EUR 0.00"],
    [5, "EUR 0.05"],
    [1_250, "EUR 12.50"],
    [99_999, "EUR 999.99"],
    [100_000, "EUR 1,000.00"],
    [123_456_789, "EUR 1,234,567.89"],
  ] as const
) {
  Deno.test(`showEuros() writes ${cents} cents as ${text}`, () => {
    assertEquals(showEuros(cents), text);
  });
}
