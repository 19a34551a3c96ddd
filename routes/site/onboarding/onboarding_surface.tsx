import type { Account } from "../../../domain/accounts/account.ts";
import {
  type CompanyText,
  readCompany,
} from "../../../domain/accounts/company_form.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { PAGES } from "../../../domain/readiness/pages.ts";
import { Refused } from "../../../domain/refusal.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { limitChanges } from "../../middleware/rate_limit.ts";
import {
  readSessionGate,
  requireSessionFor,
  seeOther,
  signedInOf,
} from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../pages/page_answer.ts";
import { queryOf } from "../query.ts";
import {
  type CompanyErrors,
  errorsOf,
  savedCompany,
  TAKEN,
  typedCompany,
} from "./company_fields.ts";
import { OnboardingPage } from "./onboarding_page.tsx";
import { stepsOf } from "./steps.ts";
import { vatStatusOf } from "./vat_status.ts";

const PATH = PAGES.onboarding;

/** What was done, by the query that the answer leads to. */
const DONE: Readonly<Record<string, string>> = {
  saved: "The company was saved.",
  checked: "The VAT id was checked. How it stands is said below.",
};

/** The company of an account: `/onboarding`. */
export function onboardingSurface(parts: AdvertiserParts): Surface {
  return {
    prefix: PATH,
    enter: [readSessionGate(parts)],
    proceed: [
      requireOwnOrigin(parts.services.settings.baseUrl),
      requireSessionFor(PATH),
      // Each change may ask the VAT registry, which others use too.
      limitChanges(parts),
    ],
    routes: [
      route("GET", PATH, (context) => show(context, parts)),
      route("POST", PATH, (context) => save(context, parts)),
      route("POST", `${PATH}/vat`, (context) => checkVat(context, parts)),
    ],
    answers: PAGE_ANSWERS,
  };
}

function show(context: RouteContext, parts: AdvertiserParts): Response {
  const { account } = signedInOf(context);
  const query = new URLSearchParams(queryOf(context.req.url));
  const done = DONE[query.get("done") ?? ""] ?? null;
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
    const saved = await saveCompany(services, {
      accountId: account.id,
      company,
    });
    if (saved.vatStatus !== "valid") {
      await verifyVat(services, { accountId: account.id });
    }
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown;
    return taken(context, parts, typed);
  }
  return seeOther(`${PATH}?done=saved`);
}

async function checkVat(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { account } = signedInOf(context);
  try {
    await verifyVat(parts.services, { accountId: account.id });
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown;
    return taken(context, parts, savedCompany(account));
  }
  return seeOther(`${PATH}?done=checked`);
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Refused && thrown.refusal.code === "vat_id_taken";
}

function taken(
  context: RouteContext,
  parts: AdvertiserParts,
  typed: CompanyText,
): Response {
  const { account } = signedInOf(context);
  const errors = { vatId: TAKEN };
  return page(context, parts, account, { typed, errors, status: 409 });
}

function page(
  context: RouteContext,
  { services }: AdvertiserParts,
  account: Account,
  shown: {
    done?: string | null;
    typed?: CompanyText;
    errors?: CompanyErrors;
    status?: number;
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
      {...stepsOf(account, services.settings)}
      done={shown.done ?? null}
    />
  );
  const status = shown.status ?? (shown.errors === undefined ? 200 : 400);
  return privateAnswer(context, html, { status });
}
