import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  hasNameSeparator,
  isSameCompanyName,
} from "../../../domain/accounts/same_company_name.ts";
import { stopwatch } from "../../support/stopwatch.ts";

const SAME: readonly [string, string][] = [
  ["Ada & Söhne GmbH", "ADA SÖHNE GMBH"],
  ["Ada und Töchter GmbH & Co. KG", "ADA UND TOECHTER".replace("OE", "O")],
  ["Straße AG", "STRASSE AG"],
  ["Dupont S.A.R.L.", "SARL DUPONT"],
  ["Dupont", "DUPONT SA"],
  ["Łódź Papier Sp. z o.o.", "LODZ PAPIER SP Z O O"],
  [
    "Łódź Papier Sp.z o.o.",
    "ŁÓDŹ PAPIER SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ",
  ],
  ["Rīgas Maize SIA", 'SIA "RIGAS MAIZE"'],
  ["Vltava Papír s.r.o.", "Vltava Papir, s. r. o."],
  ["Officina Lume S.r.l.", "OFFICINA LUME SRL"],
  ["Kuura Sauna Oy", "Kuura-Sauna OY"],
  ["O'Neill Ltd", "ONEILL LIMITED"],
  ["Øster ApS", "OSTER APS"],
  ["SA", "SA"],
];

const OTHER: readonly [string, string][] = [
  ["Ada GmbH", "Adam GmbH"],
  ["Deutsche Bank", "Deutsche Bahn"],
  ["GmbH", "AG"],
  ["MUSTERFIRMA GMBH", "🅽🅸🅺🅴 Musterfirma"],
  ["MUSTERFIRMA GMBH", "🇳🇮🇰🇪 Musterfirma"],
  ["Ada", ""],
  ["!!!", "???"],
  ["", ""],
];

Deno.test("isSameCompanyName() sees through case, accents, punctuation and legal forms", () => {
  for (const [a, b] of SAME) {
    assert(isSameCompanyName(a, b), `${a} is ${b}`);
    assert(isSameCompanyName(b, a), `${b} is ${a}`);
  }
});

Deno.test("isSameCompanyName() takes each of several names that the register gives, and of the company one only", () => {
  const registered = "ΚΤΗΜΑ ΕΛΙΑ ΑΕ||ΕΛΙΑ";
  for (const name of ["Κτήμα Ελιά Α.Ε.", "Ελιά"]) {
    assert(isSameCompanyName(registered, name), name);
    assert(!isSameCompanyName(name, registered), name);
  }
  assert(!isSameCompanyName(registered, registered));
  for (const between of ["||", " || ", "/", " & ", " | ", ",", "||||", "‖"]) {
    for (const part of ["MUSTERFIRMA GMBH", "Musterfirma"]) {
      for (
        const name of [
          `Nike Europe${between}${part}`,
          `${part}${between}Nike Europe`,
          `Nike${between}${part}${between}Europe`,
        ]
      ) {
        assert(!isSameCompanyName("MUSTERFIRMA GMBH", name), name);
      }
    }
  }
});

Deno.test("isSameCompanyName() tells other companies apart", () => {
  for (const [a, b] of OTHER) {
    assert(!isSameCompanyName(a, b), `${a} is not ${b}`);
  }
});

Deno.test("isSameCompanyName() is the same both ways, and takes any text", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      fc.pre(!hasNameSeparator(a) && !hasNameSeparator(b));
      assertEquals(isSameCompanyName(a, b), isSameCompanyName(b, a));
    }),
  );
});

Deno.test("isSameCompanyName() looks at so much of a text and no more", () => {
  const long = "a ".repeat(500_000);
  const tookMs = stopwatch();
  assert(!isSameCompanyName(long, "Ada GmbH"));
  assert(isSameCompanyName(long, `${"a ".repeat(150)}b`));
  assert(tookMs() < 200);
});
