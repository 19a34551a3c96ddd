import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { EU_COUNTRIES } from "../../../domain/tax/countries.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import {
  VAT_STANDARD_RATES,
  vatContainedCents,
} from "../../../domain/tax/vat.ts";

Deno.test("every member state has a standard rate within the law, nobody else has one", () => {
  assertEquals(Object.keys(VAT_STANDARD_RATES).sort(), [...EU_COUNTRIES]);
  for (const [country, rate] of Object.entries(VAT_STANDARD_RATES)) {
    // Directive 2006/112/EC, Article 97: at least 15 %.
    assert(rate >= 1500 && rate <= 2700, country);
  }
});

Deno.test("the standard rates are those in force since 1 January 2026", () => {
  const percents: [number, string][] = [
    [17, "LU"],
    [18, "MT"],
    [19, "CY DE"],
    [20, "AT BG FR"],
    [21, "BE CZ ES LT LV NL RO"],
    [22, "IT SI"],
    [23, "IE PL PT SK"],
    [24, "EE GR"],
    [25, "DK HR SE"],
    [25.5, "FI"],
    [27, "HU"],
  ];
  const rates = percents.flatMap(([percent, countries]) =>
    countries.split(" ").map((country) => [country, percent * 100])
  );
  assertEquals(VAT_STANDARD_RATES, Object.fromEntries(rates));
});

Deno.test("vatContainedCents() takes the rate of the card's country out of the price", () => {
  const contained = { DE: 16, LU: 15, HU: 21, FI: 20, LV: 17, FR: 17, SE: 20 };
  for (const [country, cents] of Object.entries(contained)) {
    assertEquals(vatContainedCents(100, country, "LV"), cents, country);
  }
});

Deno.test("vatContainedCents() finds no VAT outside the Union", () => {
  for (const country of ["US", "GB", "CH", "NO", "XX"]) {
    assertEquals(vatContainedCents(100, country, "LV"), 0, country);
  }
});

Deno.test("vatContainedCents() counts Monaco as France", () => {
  assertEquals(
    vatContainedCents(1_000, "MC", "LV"),
    vatContainedCents(1_000, "FR", "LV"),
  );
});

Deno.test("vatContainedCents() takes a card without a country for one of the seller's", () => {
  assertEquals(vatContainedCents(100, null, "LV"), 17);
  assertEquals(vatContainedCents(100, null, "US"), 0);
});

Deno.test("vatContainedCents() takes whole cents only", () => {
  for (const cents of [0.5, -1, NaN, Infinity]) {
    assertThrows(() => vatContainedCents(cents, "DE", "LV"), InvariantBroken);
  }
});

Deno.test("net and VAT are the price, and VAT is the net's share to half a cent", () => {
  const country = fc.constantFrom(...EU_COUNTRIES, "US", "MC");
  fc.assert(
    fc.property(fc.nat({ max: 100_000_000 }), country, (gross, of) => {
      const vat = vatContainedCents(gross, of, "LV");
      assert(Number.isSafeInteger(vat) && vat >= 0 && vat <= gross);
      const rate = VAT_STANDARD_RATES[of === "MC" ? "FR" : of] ?? 0;
      const exact = gross - gross / (1 + rate / 10_000);
      assert(Math.abs(vat - exact) <= 0.5 + 1e-6, `${vat} for ${exact}`);
    }),
  );
});
