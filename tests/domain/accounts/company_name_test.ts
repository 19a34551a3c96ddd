import { assert } from "@std/assert";
import fc from "fast-check";
import { isCompanyName } from "../../../domain/accounts/company_name.ts";
import { stopwatch } from "../../support/stopwatch.ts";

/** Names and the countries of whoever has them. */
const COMPANIES: readonly [name: string, country: string][] = [
  ["Quist Lamps GmbH", "DE"],
  ["Quist GmbH & Co. KG", "DE"],
  ["Quist GmbH & Co.KG", "DE"],
  ["Quist UG (haftungsbeschränkt)", "DE"],
  ["Quist UG (haftungsbeschränkt) & Co. KG", "DE"],
  ["QUIST GMBH", "AT"],
  ["BMW AG", "DE"],
  ["Wohnbau eG", "DE"],
  ["Wohnbau e. G.", "DE"],
  ["Dupont S.A.", "FR"],
  ["Dupont SA", "BE"],
  ["SARL Dupont", "FR"],
  ["Dupont S.A.S.", "FR"],
  ["Kuura Sauna Oy", "FI"],
  ["Jansen B.V.", "NL"],
  ["JANSEN BV", "NL"],
  ["Lume S.r.l.", "IT"],
  ["Lume S.p.A.", "IT"],
  ["Lume S. p. A.", "IT"],
  ["Cova, S.L.", "ES"],
  ["Papier Sp. z o.o.", "PL"],
  ["Papier Sp. z o. o.", "PL"],
  ["Papier Sp. z o. o. sp. k.", "PL"],
  ["Papier sp. k.", "PL"],
  ["Vltava Papír a.s.", "CZ"],
  ["Vltava Papír, s. r. o.", "CZ"],
  ["Vltava Papír v. o. s.", "CZ"],
  ["Lampa d.o.o.", "SI"],
  ["LAMPA d.o.o", "HR"],
  ["Papír Bt.", "HU"],
  ["Papír Kft.", "HU"],
  ["Rīgas Maize SIA", "LV"],
  ['UAB "Vilnius"', "LT"],
  ["Merko Ehitus AS", "EE"],
  ["Merko OÜ", "EE"],
  ["Øster A/S", "DK"],
  ["Øster ApS", "DK"],
  ["Ljus AB", "SE"],
  ["Lampa Inc. S.A.", "RO"],
  ["Лампа ООД", "BG"],
  ["Лампа АД", "BG"],
  ["Κτήμα Ελιά Α.Ε.", "GR"],
  ["O'Neill Ltd", "IE"],
  ["Quist Europe SE", "FR"],
];

const PERSONS: readonly [name: string, country: string][] = [
  ["Anna Quist", "DE"],
  // Sole traders, and partnerships of persons.
  ["Anna Schmidt e.K.", "DE"],
  ["Anna Schmidt e. Kfr.", "DE"],
  ["Max Schmidt e.Kfm.", "DE"],
  ["Quist und Maier GbR", "DE"],
  ["ET Ivan Petrov", "BG"],
  ["ЕТ Иван Петров", "BG"],
  ["Ion Popescu PFA", "RO"],
  ["Ion Popescu II", "RO"],
  ["Ion Popescu I.I.", "RO"],
  ["Marie Curie EI", "FR"],
  ["EI Marie Curie", "FR"],
  ["Marie Curie EIRL", "FR"],
  ["Jan Novák, OSVČ", "CZ"],
  ["Jānis Bērziņš IK", "LV"],
  ["Jonas Jonaitis IĮ", "LT"],
  ["Ana Novak s.p.", "SI"],
  ["Matti Virtanen Tmi", "FI"],
  // Names and initials that read as forms, in the country of the form as well.
  ["Anna Ek", "SE"],
  ["Anna EK", "DE"],
  ["Ib Jensen", "DK"],
  ["Carla Sa", "PT"],
  ["Carla Sá", "PT"],
  ["CARLA SA", "PT"],
  ["Maria As", "EE"],
  ["Yang Ou", "EE"],
  ["YANG OU", "EE"],
  ["Ky Nguyen", "FI"],
  ["Nguyen Ky", "FI"],
  ["Eva Vos", "CZ"],
  ["Eva Vos", "NL"],
  ["Anna Sas", "FR"],
  ["Ana Sia", "LV"],
  ["Kim Doo", "SI"],
  ["Kim Se", "DE"],
  ["Malina Ad", "BG"],
  ["Anna's Beauty Spa", "IT"],
  ["S. A. Jensen", "FR"],
  ["S.A.S. Jensen", "FR"],
  ["S.A.R.L. Jensen", "FR"],
  ["AB Carlsson", "SE"],
  // Forms of other countries.
  ["Carla SA", "DE"],
  ["Suresh B.V.", "DE"],
  // Nothing but a form.
  ["GmbH", "DE"],
  ["S.A.", "FR"],
  ["S. r. l.", "IT"],
  ["Oy AB", "DE"],
  ["", "DE"],
];

for (const [name, country] of COMPANIES) {
  Deno.test(`isCompanyName() knows a company of ${country} by its form: ${name}`, () => {
    assert(isCompanyName(name, country));
    assert(isCompanyName(name, null), "of a country that is not known");
  });
}

for (const [name, country] of PERSONS) {
  Deno.test(`isCompanyName() takes for a person's in ${country}: ${name}`, () => {
    assert(!isCompanyName(name, country));
  });
}

Deno.test("isCompanyName() takes any text, and looks at so much of it and no more", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => {
    isCompanyName(name, null);
  }));
  const tookMs = stopwatch();
  assert(!isCompanyName(`${"a.".repeat(500_000)} GmbH`, "DE"));
  assert(tookMs() < 200);
});
