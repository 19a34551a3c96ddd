import type { Account } from "../../../domain/accounts/account.ts";
import {
  COMPANY_LIMITS,
  type CompanyFault,
  type CompanyField,
  type CompanyText,
} from "../../../domain/accounts/company_form.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import type { Day } from "../../../domain/day.ts";
import type { Settings } from "../../../domain/ports.ts";
import type { Form } from "../../http/form_body.ts";

/** What was wrong, by field, in sentences for the person. */
export type CompanyErrors = Readonly<Partial<Record<CompanyField, string>>>;

/** How each field is called in the form, in its order. */
export const FIELD_NAMES: Readonly<Record<CompanyField, string>> = {
  name: "name",
  country: "country",
  vatId: "vat_id",
  line1: "line1",
  postalCode: "postal_code",
  city: "city",
};

/** What is missing, by field. */
const MISSING: Readonly<Record<CompanyField, string>> = {
  name: "Enter the company’s name.",
  country: "Choose the country.",
  vatId: "Enter the VAT id.",
  line1: "Enter the street and number.",
  city: "Enter the city.",
  postalCode: "Enter the postal code.",
};

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 300;

/** What the form held when it was sent. */
export function typedCompany(form: Form): CompanyText {
  const text = (field: CompanyField) =>
    form.text(FIELD_NAMES[field], SHOWN_MAX);
  return {
    name: text("name"),
    country: text("country"),
    vatId: text("vatId"),
    line1: text("line1"),
    city: text("city"),
    postalCode: text("postalCode"),
  };
}

/** What the form holds before anything is typed: a name that waits as well. */
export function savedCompany(account: Account): CompanyText {
  const { company } = account;
  return {
    name: waitingRename(account)?.name ?? company?.name ?? "",
    country: company?.country ?? "",
    vatId: company?.vatId ?? "",
    line1: company?.address.line1 ?? "",
    city: company?.address.city ?? "",
    postalCode: company?.address.postalCode ?? "",
  };
}

/** What is said beside the fields. */
export function errorsOf(
  faults: Readonly<Partial<Record<CompanyField, CompanyFault>>>,
  { environment }: Pick<Settings, "environment">,
): CompanyErrors {
  const fields = Object.keys(faults) as CompanyField[];
  return Object.fromEntries(fields.map((field) => {
    const fault = faults[field] ?? "missing";
    const more = environment === "development" ? IN_DEVELOPMENT[fault] : null;
    return [field, sentenceOf(field, fault) + (more ?? "")];
  }));
}

/** What is said besides where a simulator stands in for the registry. */
const IN_DEVELOPMENT: Readonly<Partial<Record<CompanyFault, string>>> = {
  no_vat_id: " In development any of that form passes.",
};

/** Why VAT id and country stay as they are for now. */
export function standingBids(days: readonly Day[]): CompanyErrors {
  const one = days.length === 1;
  return {
    vatId: "VAT id and country can’t be changed for now: your " +
      `${one ? "bid" : "bids"} for ${days.join(", ")} ` +
      `${one ? "stands" : "stand"} on them. They can be changed once that ` +
      "auction has settled.",
  };
}

function sentenceOf(field: CompanyField, fault: CompanyFault): string {
  switch (fault) {
    case "missing":
      return MISSING[field];
    case "too_long":
      return `Shorten this to ${COMPANY_LIMITS[field]} characters.`;
    case "unreadable":
      return "Remove the characters that can’t be seen; typing it anew helps.";
    case "several_names":
      return "Give one name: two bars read as several.";
    case "unknown_country":
      return "Choose a country of the list.";
    case "no_vat_id":
      return "This is not the form of a VAT id of an EU member state. It " +
        "begins with the country’s letters, such as DE123456789.";
    case "other_country":
      return "This VAT id is of another country than the one above.";
  }
}
