/**
 * What a company has to say of itself, wherever it says so: on the onboarding
 * page or through an agent.
 *
 * @module
 */
import { isCountry, isEuCountry } from "../tax/countries.ts";
import { composed, textProblem } from "../text/text_problem.ts";
import type { Company } from "./account.ts";
import { hasNameSeparator } from "./same_company_name.ts";
import type { VatRegistry } from "./vat_registry.ts";

/** A company as it was typed. */
export interface CompanyText {
  name: string;
  country: string;
  vatId: string;
  line1: string;
  city: string;
  postalCode: string;
}

/** A field of a company. */
export type CompanyField = keyof CompanyText;

/** What is wrong with a field. */
export type CompanyFault =
  | "missing"
  | "too_long"
  /** It has a character that can't be seen. */
  | "unreadable"
  /** It reads as several names, as registers write them. */
  | "several_names"
  | "unknown_country"
  /** No member state writes its VAT ids like this. */
  | "no_vat_id"
  /** It is a VAT id of another country than the company's. */
  | "other_country";

/** A company, or what is wrong with it. */
export type CompanyReading =
  | { ok: true; company: Company }
  | {
    ok: false;
    faults: Readonly<Partial<Record<CompanyField, CompanyFault>>>;
  };

/** Longest text of each field, in characters. */
export const COMPANY_LIMITS: Readonly<Record<CompanyField, number>> = {
  name: 100,
  country: 2,
  // As people write it, with separators.
  vatId: 30,
  line1: 200,
  city: 100,
  // The longest in use has ten.
  postalCode: 16,
};

/**
 * Reads a company as it was typed. The VAT id is optional, its form is checked
 * offline; postal codes are optional outside the Union, where not every
 * country has them.
 */
export function readCompany(
  typed: CompanyText,
  registry: Pick<VatRegistry, "read">,
): CompanyReading {
  const text = {
    name: inOneLine(typed.name, "name"),
    country: inOneLine(typed.country, "country"),
    vatId: inOneLine(typed.vatId, "vatId"),
    line1: inOneLine(typed.line1, "line1"),
    city: inOneLine(typed.city, "city"),
    postalCode: inOneLine(typed.postalCode, "postalCode"),
  };
  const faults: Partial<Record<CompanyField, CompanyFault>> = {};
  for (const field of Object.keys(COMPANY_LIMITS) as CompanyField[]) {
    const fault = faultOf(field, text[field], text.country);
    if (fault !== null) faults[field] = fault;
  }
  const vat = text.vatId === "" ? null : registry.read(text.vatId);
  if (text.vatId !== "" && vat === null) faults.vatId ??= "no_vat_id";
  const elsewhere = vat !== null && vat.country !== text.country;
  if (elsewhere && faults.country === undefined) {
    faults.vatId ??= "other_country";
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  const { name, country, line1, city, postalCode } = text;
  const address = { line1, city, postalCode };
  return {
    ok: true,
    company: { name, country, vatId: vat?.vatId ?? null, address },
  };
}

/** The fields of a company that can be changed one by one. */
const COMPANY_PARTS = ["name", "line1", "city", "postalCode"] as const;

/** Some of them, as they were typed or read. */
export type CompanyParts = Partial<
  Record<typeof COMPANY_PARTS[number], string>
>;

/** Parts of a company, or what is wrong with them. */
export type PartsReading =
  | { ok: true; parts: CompanyParts }
  | {
    ok: false;
    faults: Readonly<Partial<Record<keyof CompanyParts, CompanyFault>>>;
  };

/** Reads some parts of a company of a country, by the rules of the whole. */
export function readCompanyParts(
  typed: CompanyParts,
  country: string,
): PartsReading {
  const parts: CompanyParts = {};
  const faults: Partial<Record<keyof CompanyParts, CompanyFault>> = {};
  for (const field of COMPANY_PARTS) {
    const text = typed[field];
    if (text === undefined) continue;
    const value = inOneLine(text, field);
    const fault = faultOf(field, value, country);
    if (fault === null) parts[field] = value;
    else faults[field] = fault;
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, parts };
}

function inOneLine(text: string, field: CompanyField): string {
  return composed(text, COMPANY_LIMITS[field]).replace(/\s+/g, " ").trim();
}

function faultOf(
  field: CompanyField,
  value: string,
  country: string,
): CompanyFault | null {
  if (value === "") return isRequired(field, country) ? "missing" : null;
  // The name stands beside the copy of every day that was won, so it is plain
  // as copy is; an address is on every invoice.
  const problem = textProblem(value, { min: 1, max: COMPANY_LIMITS[field] });
  if (problem !== null && problem !== "too_long") return "unreadable";
  if (field === "name" && hasNameSeparator(value)) return "several_names";
  if (field === "country" && !isCountry(value)) return "unknown_country";
  return problem;
}

function isRequired(field: CompanyField, country: string): boolean {
  if (field === "vatId") return false;
  return field !== "postalCode" || isEuCountry(country);
}
