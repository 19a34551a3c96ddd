import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { EU_COUNTRIES } from "../../../domain/tax/countries.ts";
import { readVatId } from "../../../adapters/vies/read_vat_id.ts";

const GOOD: Readonly<Record<string, string>> = {
  ATU12345678: "AT",
  BE0123456789: "BE",
  BG123456789: "BG",
  CY12345678A: "CY",
  CZ12345678: "CZ",
  DE123456789: "DE",
  DK12345678: "DK",
  EE101234567: "EE",
  EL123456789: "GR",
  ESB12345678: "ES",
  FI12345678: "FI",
  FR12345678901: "FR",
  HR12345678901: "HR",
  HU12345678: "HU",
  IE1234567WA: "IE",
  IT12345678901: "IT",
  LT123456789: "LT",
  LU12345678: "LU",
  LV12345678901: "LV",
  MT12345678: "MT",
  NL123456789B01: "NL",
  PL1234567890: "PL",
  PT123456789: "PT",
  RO1234567890: "RO",
  SE123456789001: "SE",
  SI12345678: "SI",
  SK2021234567: "SK",
};

for (const [vatId, country] of Object.entries(GOOD)) {
  Deno.test(`readVatId() knows the form of ${vatId}`, () => {
    assertEquals(readVatId(vatId), { vatId, country });
  });
}

Deno.test("readVatId() knows every member state", () => {
  assertEquals(Object.values(GOOD).toSorted(), EU_COUNTRIES.toSorted());
});

const WRITTEN: [string, string][] = [
  ["de 123 456 789", "DE123456789"],
  [" DE-123.456.789 ", "DE123456789"],
  ["GR123456789", "EL123456789"],
  ["gr 123 456 789", "EL123456789"],
  ["nl123456789b01", "NL123456789B01"],
  ["BE 123 456 789", "BE0123456789"],
  ["BE 1003.456.789", "BE1003456789"],
];
for (const [text, vatId] of WRITTEN) {
  Deno.test(`readVatId() reads "${text}" as ${vatId}`, () => {
    assertEquals(readVatId(text)?.vatId, vatId);
  });
}

const BAD = [
  "",
  "DE",
  "DE12345678",
  "DE1234567890",
  "123456789",
  "XX123456789",
  "GB123456789",
  "XI123456789",
  "CHE123456789",
  "DE12345678A",
  "BE2003456789",
  "DE123456789 and more",
  `DE${" ".repeat(40)}123456789`,
];
for (const text of BAD) {
  Deno.test(`readVatId() refuses "${text}"`, () => {
    assertEquals(readVatId(text), null);
  });
}

Deno.test("readVatId() reads its own answers unchanged", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.tuple(fc.constantFrom(...EU_COUNTRIES, "EL"), fc.string()).map((p) =>
      p.join("")
    ),
  );
  fc.assert(fc.property(text, (written) => {
    const form = readVatId(written);
    if (form !== null) assertEquals(readVatId(form.vatId), form);
  }));
});
