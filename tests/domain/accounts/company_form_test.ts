import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  COUNTRIES,
  EU_COUNTRIES,
  isCountry,
} from "../../../domain/tax/countries.ts";
import {
  type CompanyFault,
  type CompanyField,
  type CompanyText,
  readCompany,
} from "../../../domain/accounts/company_form.ts";
import type { VatRegistry } from "../../../domain/accounts/vat_registry.ts";

/** Knows German ids of nine digits. */
const REGISTRY: Pick<VatRegistry, "read"> = {
  read(text) {
    const vatId = text.replace(/[ .-]/g, "").toUpperCase();
    return /^DE\d{9}$/.test(vatId) ? { vatId, country: "DE" } : null;
  },
};

const TYPED: CompanyText = {
  name: "Ada & Söhne GmbH",
  country: "DE",
  vatId: "de 123 456 789",
  line1: "Hauptstraße 1",
  city: "Berlin",
  postalCode: "10115",
};

function faultsOf(changes: Partial<CompanyText>): unknown {
  const reading = readCompany({ ...TYPED, ...changes }, REGISTRY);
  return reading.ok ? {} : reading.faults;
}

Deno.test("readCompany() reads a company with its VAT id in its own form", () => {
  assertEquals(readCompany(TYPED, REGISTRY), {
    ok: true,
    company: {
      name: "Ada & Söhne GmbH",
      country: "DE",
      vatId: "DE123456789",
      address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
    },
  });
});

Deno.test("readCompany() composes letters and joins lines and spaces", () => {
  const name = "  Cafe\u0301\n  &\tCo ";
  const reading = readCompany({ ...TYPED, name }, REGISTRY);
  assertEquals(reading.ok && reading.company.name, "Café & Co");
});

Deno.test("readCompany() takes a company without a VAT id", () => {
  const reading = readCompany({ ...TYPED, vatId: "" }, REGISTRY);
  assertEquals(reading.ok && reading.company.vatId, null);
});

Deno.test("readCompany() wants a postal code inside the Union only", () => {
  assertEquals(faultsOf({ postalCode: "" }), { postalCode: "missing" });
  assertEquals(faultsOf({ postalCode: "", country: "HK", vatId: "" }), {});
});

Deno.test("readCompany() names every field that is missing", () => {
  const empty = { name: " ", line1: "", city: "\n", country: "" };
  assertEquals(faultsOf(empty), {
    name: "missing",
    country: "missing",
    line1: "missing",
    city: "missing",
  });
});

for (
  const [field, value, fault] of [
    ["name", "x".repeat(101), "too_long"],
    ["name", "a\u202eb", "unreadable"],
    ["name", "Nike||Ada GmbH", "several_names"],
    ["name", "Nike | | Ada GmbH", "several_names"],
    ["name", "Nike ‖ Ada GmbH", "several_names"],
    ["name", "Nike ｜｜ Ada GmbH", "several_names"],
    ["name", "Nike ││ Ada GmbH", "several_names"],
    ["name", "a\u200bb", "unreadable"],
    ["name", "a\u0000b", "unreadable"],
    // A byte in each of them, and an agent reads the advertiser's name.
    ["name", "Bakery\u{e0100}\u{e01ef}", "unreadable"],
    ["name", "Bakery\ufe0f", "unreadable"],
    ["name", "\u3164", "unreadable"],
    ["name", "a\u034fb", "unreadable"],
    ["name", "a\u2800b", "unreadable"],
    ["name", "a" + "\u0316".repeat(9), "unreadable"],
    ["city", "Riga\u{e0100}", "unreadable"],
    ["country", "\u3164", "unreadable"],
    ["line1", "x".repeat(201), "too_long"],
    ["city", "x".repeat(101), "too_long"],
    ["postalCode", "1".repeat(17), "too_long"],
    ["country", "XX", "unknown_country"],
    ["country", "de", "unknown_country"],
    ["country", "DEU", "unknown_country"],
    ["vatId", "DE12", "no_vat_id"],
    ["vatId", "9".repeat(31), "too_long"],
  ] as const satisfies readonly [CompanyField, string, CompanyFault][]
) {
  const shown = JSON.stringify(value.slice(0, 12));
  Deno.test(`readCompany() calls ${field} ${shown} ${fault}`, () => {
    assertEquals(faultsOf({ [field]: value }), { [field]: fault });
  });
}

Deno.test("readCompany() refuses a VAT id of another country", () => {
  assertEquals(faultsOf({ country: "FR" }), { vatId: "other_country" });
});

Deno.test("readCompany() counts characters, not their halves", () => {
  assertEquals(faultsOf({ name: "😀".repeat(100) }), {});
});

Deno.test("readCompany() reads again what it read, whatever was typed", () => {
  const typed = fc.record({
    name: fc.string(),
    country: fc.constantFrom("DE", "US", "HK"),
    vatId: fc.constantFrom("", "DE123456789"),
    line1: fc.string({ unit: "grapheme" }),
    city: fc.string({ unit: "grapheme" }),
    postalCode: fc.string({ maxLength: 16 }),
  });
  fc.assert(fc.property(typed, (text) => {
    const once = readCompany(text, REGISTRY);
    if (!once.ok) return;
    const { address, vatId, ...rest } = once.company;
    const again = { ...rest, ...address, vatId: vatId ?? "" };
    assertEquals(readCompany(again, REGISTRY), once);
  }));
});

Deno.test("the countries are listed once each, by name", () => {
  const { eu, other } = COUNTRIES;
  const codes = [...eu, ...other].map(({ code }) => code);
  assertEquals(new Set(codes).size, 249);
  assertEquals(codes.every(isCountry), true);
  assertEquals(eu.length, EU_COUNTRIES.length);
  assertEquals(eu[0], { code: "AT", name: "Austria" });
  assertEquals(eu.find(({ code }) => code === "GR")?.name, "Greece");
  assertEquals(other.every(({ code, name }) => name !== code), true);
});
