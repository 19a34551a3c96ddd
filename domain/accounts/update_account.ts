import { type Answered, commitOnce, done } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import { humanStepsRefusal } from "../pages.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account, Company } from "./account.ts";
import {
  COMPANY_LIMITS,
  type CompanyFault,
  type CompanyParts,
  readCompanyParts,
} from "./company_form.ts";
import {
  type MailChoices,
  wantsMail,
  withMailChoices,
} from "./mail_choices.ts";
import {
  type NameUse,
  readNameUse,
  waitingRename,
  withCompany,
} from "./rename.ts";

/** What is to change of an account; what is left out stays as it is. */
export interface AccountChanges {
  /** As they were typed. */
  parts: CompanyParts;
  mails: MailChoices;
}

/** Whose account is changed, how, and by which request. */
export interface UpdateAccount {
  accountId: string;
  changes: AccountChanges;
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
}

/**
 * Changes an agent's account: the company's name and address, and which mails
 * are sent; never its VAT id, country or e-mail address. Another name may have to
 * wait for an operator. Only a person names the first company. The processor
 * learns of it by a task of this commit.
 *
 * @throws {Refused} `human_step_required` before onboarding; `bad_request` for
 * texts that no company has; `token_invalid` when the account is gone;
 * `idempotency_conflict`
 */
export async function updateAccount(
  services: Pick<Services, "store" | "clock">,
  { accountId, changes, binding }: UpdateAccount,
): Promise<Answered<SettingsRecord>> {
  const { name } = changes.parts;
  const use = name === undefined
    ? NO_USE
    : await readNameUse(services.store, accountId);
  return commitOnce(services, binding, async (tx, nowMs) => {
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "token_invalid" });
    const { company } = account;
    if (company === null) {
      refuse(humanStepsRefusal(["onboarding_incomplete"]));
    }
    const wanted = companyWith(account, company, changes.parts);
    const named = withCompany(account, wanted, use, nowMs);
    const saved = withMailChoices(named, changes.mails);
    if (saved !== account) tx.accounts.save(saved);
    if (named.company !== company) await queueCustomer(tx, accountId, nowMs);
    return done(toSettingsRecord(saved));
  });
}

/** For a change that names no name. */
const NO_USE: NameUse = { isShown: true, submissions: 0 };

/** The company that is wanted; a name that waits goes on waiting. */
function companyWith(
  account: Account,
  company: Company,
  typed: CompanyParts,
): Company {
  const reading = readCompanyParts(typed, company.country);
  if (!reading.ok) {
    const message = `Cannot change the account: ${
      faultTexts(reading.faults).join(", ")
    }`;
    refuse({ code: "bad_request", message });
  }
  const waiting = waitingRename(account)?.name ?? company.name;
  const { name = waiting, ...address } = reading.parts;
  return { ...company, name, address: { ...company.address, ...address } };
}

/** How the agent API calls the parts. */
const MEMBERS: Readonly<Record<keyof CompanyParts, string>> = {
  name: "company_name",
  line1: "address.line1",
  city: "address.city",
  postalCode: "address.postal_code",
};

/** What is wrong with texts of a company, whatever country it is of. */
export function companyFaultsOf(typed: CompanyParts): string[] {
  const reading = readCompanyParts(typed, "");
  return reading.ok ? [] : faultTexts(reading.faults);
}

function faultTexts(
  faults: Readonly<Partial<Record<keyof CompanyParts, CompanyFault>>>,
): string[] {
  return (Object.keys(faults) as (keyof CompanyParts)[]).map((part) =>
    `${MEMBERS[part]} ${wantedOf(part, faults[part])}`
  );
}

function wantedOf(
  part: keyof CompanyParts,
  fault: CompanyFault | undefined,
): string {
  switch (fault) {
    case "too_long":
      return `must be of ${COMPANY_LIMITS[part]} characters at most`;
    case "unreadable":
      return "must hold no characters that can't be seen";
    case "several_names":
      return "must be one name, without two bars";
    default:
      return "must not be empty";
  }
}

/** The mails that can be done without, as agents name them. */
interface ContactPreferences {
  review_mails: boolean;
  lost_bid_mails: boolean;
  card_expiry_mails: boolean;
}

/** What an agent may change of an account, as it stands. */
export interface SettingsRecord {
  company_name: string | null;
  /** The name that waits for an operator; null for none. */
  requested_company_name: string | null;
  address: { line1: string; city: string; postal_code: string } | null;
  contact_preferences: ContactPreferences;
}

/** The members that can be changed, and no others. */
function toSettingsRecord(account: Account): SettingsRecord {
  const { company } = account;
  return {
    company_name: company?.name ?? null,
    requested_company_name: waitingRename(account)?.name ?? null,
    address: company && {
      line1: company.address.line1,
      city: company.address.city,
      postal_code: company.address.postalCode,
    },
    contact_preferences: {
      review_mails: wantsMail(account, "review"),
      lost_bid_mails: wantsMail(account, "bid_lost"),
      card_expiry_mails: wantsMail(account, "card_expiry"),
    },
  };
}
