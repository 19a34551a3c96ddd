import { z } from "zod";
import {
  COMPANY_LIMITS,
  type CompanyParts,
} from "../../domain/accounts/company_form.ts";
import {
  type AccountChanges,
  companyFaultsOf,
} from "../../domain/accounts/update_account.ts";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { refuse } from "../../domain/refusal.ts";
import { judgedText } from "../http/bounded_text.ts";
import { everyIssue, unknownKeys } from "../http/every_issue.ts";

const ACTION = "Cannot change the account";

/** Texts are judged by the domain; the bounds here are said. */
function text(part: keyof CompanyParts, what: string): z.ZodString {
  return judgedText(COMPANY_LIMITS[part]).describe(
    `${what}: one line of ${COMPANY_LIMITS[part]} characters at most`,
  );
}

const wanted = (what: string) =>
  z.boolean("must be true or false").describe(`Whether ${what} is mailed`);

/** The members of what an agent may change of an account. */
export const accountMembers = {
  company_name: text("name", "The company's name, as it is registered"),
  address: z.strictObject({
    line1: text("line1", "Street and number").optional(),
    city: text("city", "The city").optional(),
    postal_code: text(
      "postalCode",
      "The postal code, which may be empty outside the European Union",
    ).optional(),
  }, "must be an object"),
  contact_preferences: z.strictObject({
    review_mails: wanted("the decision about a submitted creative").optional(),
    lost_bid_mails: wanted("that a bid did not win").optional(),
    card_expiry_mails: wanted("that a card soon expires").optional(),
  }, "must be an object"),
};

/** The body of PATCH /v1/agent/me: one member at least, on each level. */
export const updateAccountBody = z.strictObject({
  company_name: accountMembers.company_name.optional(),
  address: accountMembers.address.optional(),
  contact_preferences: accountMembers.contact_preferences.optional(),
});

/**
 * Reads what is to be changed of the account.
 *
 * @throws {Refused} `bad_request` for JSON of another shape
 */
export function parseAccountBody(body: Json): AccountChanges {
  const parsed = updateAccountBody.safeParse(body);
  if (!parsed.success) {
    const said = everyIssue(parsed.error.issues, sayOf);
    refuseBody([said, ...companyFaultsOf(textsIn(body))].join("; "));
  }
  const { company_name, address = null, contact_preferences: mails = null } =
    parsed.data;
  const groups = [parsed.data, address, mails];
  if (groups.some((group) => group !== null && isEmpty(group))) {
    refuseBody("name what is to be changed");
  }
  const { line1, city, postal_code } = address ?? {};
  const { review_mails, lost_bid_mails, card_expiry_mails } = mails ?? {};
  return {
    parts: {
      ...company_name !== undefined && { name: company_name },
      ...line1 !== undefined && { line1 },
      ...city !== undefined && { city },
      ...postal_code !== undefined && { postalCode: postal_code },
    },
    mails: {
      ...review_mails !== undefined && { review: review_mails },
      ...lost_bid_mails !== undefined && { bid_lost: lost_bid_mails },
      ...card_expiry_mails !== undefined && { card_expiry: card_expiry_mails },
    },
  };
}

/** The texts that a body of another shape has all the same. */
function textsIn(body: Json): CompanyParts {
  const company = membersOf(body);
  const address = membersOf(company["address"]);
  const all = {
    name: company["company_name"],
    line1: address["line1"],
    city: address["city"],
    postalCode: address["postal_code"],
  };
  const texts = Object.entries(all)
    .filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts) as CompanyParts;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isEmpty(group: object): boolean {
  return Object.values(group).every((value) => value === undefined);
}

/** Names the member and what is wanted of it. */
function sayOf(issue: z.core.$ZodIssue): string {
  const name = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const where = name === "" ? "the body" : name;
    return `${where} has members that can't be changed or are unknown: ` +
      unknownKeys(issue);
  }
  if (name === "") return "the body must be a JSON object";
  return `${name} ${issue.message}`;
}

function refuseBody(wanted: string): never {
  refuse({ code: "bad_request", message: `${ACTION}: ${wanted}` });
}
