import type { Account } from "../../../domain/accounts/account.ts";
import {
  type CompanyText,
  readCompany,
} from "../../../domain/accounts/company_form.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { PAGES } from "../../../domain/pages.ts";
import { clientOf, limitChanges } from "../../middleware/rate_limit.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import {
  type CompanyErrors,
  errorsOf,
  savedCompany,
  standingBids,
  typedCompany,
} from "./company_fields.ts";
import { OnboardingPage } from "./onboarding_page.tsx";
import { stepsOf } from "./steps.ts";
import { vatStatusOf } from "./vat_status.ts";
import { refusalOf } from "../pages/refusal_of.ts";

const PATH = PAGES.onboarding;

/** What was done, by the query that the answer leads to. */
const DONE: Readonly<Record<string, string>> = {
  saved: "The company was saved.",
  checked: "The VAT id was checked. How it stands is said below.",
};

/** The company of an account: `/onboarding`. */
export function onboardingSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [ // Each change may ask the VAT registry, which others use too.
      limitChanges(parts),
    ],
    routes: [
      route("GET", PATH, (context) => show(context, parts)),
      route("POST", PATH, (context) => save(context, parts)),
      route("POST", `${PATH}/vat`, (context) => checkVat(context, parts)),
    ],
  });
}

function show(context: RouteContext, parts: AdvertiserParts): Response {
  const { account } = signedInOf(context);
  const done = DONE[queryParam(context, "done") ?? ""] ?? null;
  return page(context, parts, account, { done });
}

async function save(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { services } = parts;
  const { account } = signedInOf(context);
  const typed = typedCompany(await readForm(context));
  const reading = readCompany(typed, services.vatRegistry);
  if (!reading.ok) {
    const errors = errorsOf(reading.faults);
    return page(context, parts, account, { typed, errors });
  }
  const { company } = reading;
  try {
    await saveCompany(services, { accountId: account.id, company });
  } catch (thrown) {
    const { days } = refusalOf(thrown, "company_of_live_bid");
    const errors = standingBids(days);
    return page(context, parts, account, { typed, errors, status: 409 });
  }
  const networks = networksOf(clientOf(context, parts));
  await verifyVat(services, { accountId: account.id, networks });
  return seeOther(`${PATH}?done=saved`);
}

async function checkVat(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { account } = signedInOf(context);
  const networks = networksOf(clientOf(context, parts));
  await verifyVat(parts.services, { accountId: account.id, networks });
  return seeOther(`${PATH}?done=checked`);
}

function page(
  context: RouteContext,
  { services }: AdvertiserParts,
  account: Account,
  shown: {
    done?: string | null;
    typed?: CompanyText;
    errors?: CompanyErrors;
    /** Where something is wrong with what was typed. */
    status?: 400 | 409;
  },
): Response {
  const html = (
    <OnboardingPage
      onboarded={account.company !== null}
      typed={shown.typed ?? savedCompany(account)}
      errors={shown.errors ?? {}}
      company={account.company}
      rename={account.rename ?? null}
      vat={vatStatusOf(account)}
      askAt={services.settings.seller.email}
      {...stepsOf(account, services.settings)}
      done={shown.done ?? null}
    />
  );
  const status = shown.errors === undefined ? 200 : shown.status ?? 400;
  return privateAnswer(context, html, { status });
}
