import {
  type CompanyText,
  readCompany,
} from "../../../domain/accounts/company_form.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { PAGES } from "../../../domain/pages.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { limitChanges } from "../../middleware/person_limits.ts";
import { clientOf } from "../../middleware/rate_limit.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import {
  type CompanyErrors,
  errorsOf,
  savedCompany,
  standingBids,
  typedCompany,
} from "./company_fields.ts";
import { leadOn } from "../first_steps/lead_on.ts";
import { readFirstSteps, stepAhead } from "../first_steps/next_step.tsx";
import { OnboardingPage } from "./onboarding_page.tsx";
import { isServed, obstaclesOf } from "./steps.ts";
import { vatStatusOf } from "../first_steps/vat_status.ts";

const PATH = PAGES.onboarding;

/** What was done, by the name that the answer leads here with. */
const DONE = {
  saved: "The company was saved.",
  checked: "The VAT id was checked. How it stands is said below.",
};

/** The company of an account: `/onboarding`. */
export function onboardingSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    // Each change may ask the VAT registry, which others use too.
    proceed: [limitChanges(parts)],
    get: {
      [PATH]: (request) =>
        showCompany(request, { done: doneNote(request, DONE) }),
    },
    post: {
      [PATH]: save,
      [`${PATH}/vat`]: (request) => checkVat(request, "checked"),
    },
  });
}

async function save(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  const typed = typedCompany(await request.form());
  const reading = readCompany(typed, services.vatRegistry);
  if (!reading.ok) {
    const errors = errorsOf(reading.faults, services.settings);
    return await showCompany(request, { typed, errors });
  }
  try {
    await saveCompany(services, { accountId, company: reading.company });
  } catch (thrown) {
    const { days } = refusalOf(thrown, "company_of_live_bid");
    const errors = standingBids(days);
    return await showCompany(request, { typed, errors, status: 409 });
  }
  return await checkVat(request, "saved");
}

/**
 * Asks the registry, and leads on, or back to the page, which says what was
 * `done`.
 */
async function checkVat(
  request: PageRequest,
  done: keyof typeof DONE,
): Promise<Response> {
  const { services, accountId, context } = request;
  const networks = networksOf(clientOf(context, request));
  await verifyVat(services, { accountId, networks });
  const taken = { accountId, here: PATH, step: "company" } as const;
  const next = await leadOn(services, taken);
  return sayDone(request, next ?? { path: PATH, done });
}

async function showCompany(
  { services, account, show }: PageRequest,
  shown: {
    done?: string | null;
    typed?: CompanyText;
    errors?: CompanyErrors;
    /** Where something is wrong with what was typed. */
    status?: 400 | 409;
  },
): Promise<Response> {
  const steps = await readFirstSteps(services, account);
  const html = (
    <OnboardingPage
      onboarded={account.company !== null}
      typed={shown.typed ?? savedCompany(account)}
      errors={shown.errors ?? {}}
      company={account.company}
      rename={account.rename ?? null}
      vat={vatStatusOf(account)}
      askAt={services.settings.seller.email}
      isInDevelopment={services.settings.environment === "development"}
      isServed={isServed(account)}
      steps={steps}
      obstacles={obstaclesOf(account, services.settings)}
      done={shown.done ?? null}
      next={stepAhead(steps, PATH)}
    />
  );
  const status = shown.errors === undefined ? 200 : shown.status ?? 400;
  return show(html, { status });
}
