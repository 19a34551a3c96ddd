import { checkVAT, countries, type Country } from "jsvat";
import type { VatIdForm } from "../../domain/accounts/vat_registry.ts";
import { isEuCountry } from "../../domain/tax/countries.ts";

const MEMBER_STATES = countries.filter(({ codes }) => codes.some(isEuCountry))
  .map((country) =>
    country.name === "Belgium" ? belgiumToday(country) : country
  );

/** Numbers that begin with 1 are given out since 2023. */
function belgiumToday({ rules, ...belgium }: Country): Country {
  return { ...belgium, rules: { ...rules, regex: [/^(BE)([01]\d{9})$/] } };
}

/** The longest text that is looked at. */
const TEXT_MAX = 40;

/**
 * Reads a VAT id as people write it: in any case, with spaces, dots and
 * hyphens, with GR where Greece says EL and without the zero that Belgium put
 * before its old numbers. Only its form is judged; check digits are left to the
 * registry, since not every id in use passes ours.
 */
export function readVatId(text: string): VatIdForm | null {
  if (text.length > TEXT_MAX) return null;
  const bare = text.toUpperCase().replace(/[\s.-]+/g, "");
  const written = bare.replace(/^GR(?=\d)/, "EL")
    .replace(/^BE(?=\d{9}$)/, "BE0");
  const { isValidFormat, value, country } = checkVAT(written, MEMBER_STATES);
  if (!isValidFormat || value === undefined || country === undefined) {
    return null;
  }
  return { vatId: value, country: country.isoCode.short };
}
