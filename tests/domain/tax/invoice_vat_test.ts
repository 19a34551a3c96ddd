import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Account } from "../../../domain/accounts/account.ts";
import { COUNTRIES, EU_COUNTRIES } from "../../../domain/tax/countries.ts";
import {
  hasExpectedVat,
  type InvoiceVat,
  invoiceVatCents,
  invoiceVatOf,
  isSameVat,
} from "../../../domain/tax/invoice_vat.ts";
import { VAT_STANDARD_RATES } from "../../../domain/tax/vat.ts";

type Buyer = Pick<Account, "company" | "vatStatus">;

function buyer(
  country: string,
  vatStatus: Account["vatStatus"] = "valid",
): Buyer {
  const address = { line1: "1", city: "C", postalCode: "1" };
  return { company: { name: "C", country, vatId: null, address }, vatStatus };
}

Deno.test("invoiceVatOf() contains the domestic rate for the seller's own country", () => {
  for (const country of EU_COUNTRIES) {
    assertEquals(invoiceVatOf(buyer(country), country), {
      treatment: "domestic",
      contained: { country, rate: VAT_STANDARD_RATES[country] ?? 0 },
    });
  }
});

Deno.test("invoiceVatOf() reverses the charge for a verified VAT id of another member state", () => {
  for (const country of EU_COUNTRIES.filter((each) => each !== "LV")) {
    assertEquals(invoiceVatOf(buyer(country), "LV"), {
      treatment: "reverse_charge",
      contained: { country: "LV", rate: 0 },
    });
  }
});

Deno.test("invoiceVatOf() charges the seller's rate where nobody proved to be a business", () => {
  for (const status of ["unverified", "invalid"] as const) {
    assertEquals(invoiceVatOf(buyer("DE", status), "LV"), {
      treatment: "domestic",
      contained: { country: "LV", rate: 2_100 },
    });
  }
});

Deno.test("invoiceVatOf() finds companies outside the Union outside the scope", () => {
  const outside = COUNTRIES.other.filter(({ code }) => code !== "MC");
  for (const { code } of outside) {
    assertEquals(invoiceVatOf(buyer(code), "LV"), {
      treatment: "outside_scope",
      contained: null,
    });
  }
});

Deno.test("invoiceVatOf() counts Monaco as France", () => {
  assertEquals(invoiceVatOf(buyer("MC"), "FR").treatment, "domestic");
  assertEquals(invoiceVatOf(buyer("MC"), "LV").treatment, "reverse_charge");
});

Deno.test("invoiceVatOf() knows no VAT of the Union for a seller outside of it", () => {
  assertEquals(invoiceVatOf(buyer("DE"), "CH").contained, null);
  assertEquals(invoiceVatOf(buyer("CH"), "CH").contained, null);
});

Deno.test("invoiceVatCents() is what the rate adds to the net amount, to half a cent", () => {
  fc.assert(fc.property(
    fc.integer({ min: 100, max: 100_000_000 }),
    fc.constantFrom(...EU_COUNTRIES),
    (grossCents, country) => {
      const vat = invoiceVatOf(buyer(country), country);
      const vatCents = invoiceVatCents(grossCents, vat);
      const rate = (vat.contained?.rate ?? 0) / 10_000;
      const net = grossCents - vatCents;
      assertEquals(Math.abs(net * (1 + rate) - grossCents) <= 0.5 * 1.27, true);
    },
  ));
});

Deno.test("invoiceVatCents() is nothing where no VAT is due", () => {
  assertEquals(invoiceVatCents(999, invoiceVatOf(buyer("DE"), "LV")), 0);
  assertEquals(invoiceVatCents(999, invoiceVatOf(buyer("US"), "LV")), 0);
});

Deno.test("isSameVat() tells treatments and rates apart", () => {
  const kinds = ["LV", "DE", "US"].map((code) =>
    invoiceVatOf(buyer(code), "LV")
  );
  for (const [i, a] of kinds.entries()) {
    for (const [j, b] of kinds.entries()) {
      assertEquals(isSameVat(a, structuredClone(b)), i === j);
    }
  }
});

Deno.test("isSameVat() tells apart what differs in treatment, country or rate alone", () => {
  const vat: InvoiceVat = {
    treatment: "domestic",
    contained: { country: "LV", rate: 2_100 },
  };
  assertEquals(isSameVat(vat, structuredClone(vat)), true);
  const others: InvoiceVat[] = [
    { ...vat, treatment: "reverse_charge" },
    { ...vat, contained: { country: "EE", rate: 2_100 } },
    { ...vat, contained: { country: "LV", rate: 2_200 } },
    { ...vat, contained: null },
  ];
  for (const other of others) assertEquals(isSameVat(vat, other), false);
});

Deno.test("hasExpectedVat() lets the processor round by a cent either way, and no more", () => {
  const vat = invoiceVatOf(buyer("LV"), "LV");
  const fits = [19, 20, 21, 22, 23].map((taxCents) =>
    hasExpectedVat({ totalCents: 121, taxCents }, vat)
  );
  assertEquals(fits, [false, true, true, true, false]);
});

Deno.test("invoiceVatOf() counts a seller in Monaco as one in France, as it counts buyers", () => {
  const rate = VAT_STANDARD_RATES.FR ?? 0;
  const domestic: InvoiceVat = {
    treatment: "domestic",
    contained: { country: "FR", rate },
  };
  assertEquals(invoiceVatOf(buyer("FR"), "MC"), domestic);
  assertEquals(invoiceVatOf(buyer("MC"), "MC"), domestic);
  assertEquals(invoiceVatOf(buyer("DE"), "MC").treatment, "reverse_charge");
});
