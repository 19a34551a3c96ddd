import {
  type CountedCheck,
  IDENTITY_RETURN,
  startIdentityCheck,
} from "../../../domain/identity/start_identity_check.ts";
import { syncLastIdentity } from "../../../domain/identity/sweep_identities.ts";
import { isoTime } from "../../../domain/day.ts";
import { IDENTITY_TRIES_FREE } from "../../../domain/identity/identity_check.ts";
import { inOrder, PAGES } from "../../../domain/pages.ts";
import { stepsBeforeIdentity } from "../../../domain/identity/identity_steps.ts";
import type { Charge } from "../../../domain/rate_limit/charge.ts";
import {
  ALL_IDENTITY_CHECKS,
  CARD_IDENTITY_CHECKS,
  REPEATED_IDENTITY_CHECKS,
} from "../../../domain/rate_limit/policy.ts";
import { refuse } from "../../../domain/refusal.ts";
import { chargeNetworks } from "../../middleware/rate_limit.ts";
import { chargeShared } from "../../middleware/shared_budgets.ts";
import { limitCallsBeside } from "../../middleware/person_limits.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, doneOf } from "../pages/done_note.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import {
  comeBackTo,
  type InTheWay,
  leadTo,
  notNow,
  tooOften,
} from "../pages/hosted_page.tsx";
import { refusalOf } from "../pages/refusal_of.ts";
import { leadOn, STEP_NOTES } from "../first_steps/lead_on.ts";
import { readNextStep } from "../first_steps/next_step.tsx";
import { IdentityPage } from "./identity_page.tsx";
import { isServed } from "../onboarding/steps.ts";
import { identityStatusOf } from "./identity_status.ts";

const PATH = PAGES.identity;
const PURPOSE = "identity_check";

const TRIES_EXHAUSTED = "You have begun many checks today. Please try again " +
  "tomorrow.";

const STEPS_FIRST = "The check was not begun: something comes before it.";

const NETWORK_EXHAUSTED = "Many checks were begun lately. Please try again " +
  "later.";

const DAY_S = 86_400;

/** What all checks together draw on, which are paid for. */
const ALL_CHECKS: Charge = {
  id: "identity_checks:all",
  policy: ALL_IDENTITY_CHECKS,
};
/**
 * A part of them is for whoever tries again, by account, VAT id or card, and so
 * keeps nobody from a first one.
 */
const REPEATED_CHECKS: Charge = {
  id: "identity_checks:repeated",
  policy: REPEATED_IDENTITY_CHECKS,
};

const UNSURE = "Our payment provider can’t be reached right now. What became " +
  "of your check shows here by itself.";

/** The check of the person behind an account: `/identity`. */
export function identitySurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitCallsBeside(parts, PATH)],
    get: {
      [PATH]: (request) =>
        showStatus(
          request,
          doneOf(request) === "unsure"
            ? { error: UNSURE }
            : { note: doneNote(request, STEP_NOTES) },
        ),
      [IDENTITY_RETURN]: comeBack,
    },
    waits: [IDENTITY_RETURN],
    post: { [`${PATH}/start`]: start },
    explain,
  });
}

/** The way back from the processor's page: syncs the check's outcome. */
function comeBack(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  return comeBackTo(request, PATH, async () => {
    await syncLastIdentity(services, { accountId });
    return null;
  }, () => leadOn(services, { accountId, here: PATH, step: "identity" }));
}

async function start(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  const { url } = await startIdentityCheck(services, {
    accountId,
    by,
    admit: (check) => chargeCheck(request, check),
  });
  return url === null ? seeOther(PATH) : leadTo(request, url);
}

/**
 * Counts a check by networks and card, and by everybody. Whose VAT id it is nobody
 * has shown yet, so that one whose day is begun is a repeat and not refused: else
 * whoever knows a company's could keep it from its check.
 */
async function chargeCheck(
  request: PageRequest,
  { isRepeat, vatId, card }: CountedCheck,
): Promise<void> {
  const { context } = request;
  const counted = `card ${card}`;
  const ofCard = {
    id: `identity_checks:${counted}`,
    policy: CARD_IDENTITY_CHECKS,
  };
  const repeated = [ofCard, REPEATED_CHECKS, ALL_CHECKS];
  await (isRepeat
    ? chargeNetworks(context, request, PURPOSE, undefined, repeated)
    : chargeShared(context, request, PURPOSE, {
      of: [`vat ${vatId}`, counted],
      charges: (isFirst) => isFirst ? [ofCard, ALL_CHECKS] : repeated,
    }));
}

/** What is in the way, said on the page. */
async function explain(
  request: PageRequest,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await showStatus(request, now);
  const refusal = refusalOf(
    thrown,
    "tries_exhausted",
    "rate_limited",
    "human_step_required",
  );
  if (refusal.code === "human_step_required") {
    return await showStatus(request, { error: STEPS_FIRST, status: 409 });
  }
  const { retryAfterS } = refusal;
  const error = refusal.code === "rate_limited"
    ? NETWORK_EXHAUSTED
    : retryAfterS > DAY_S
    ? usedUp(request, retryAfterS)
    : TRIES_EXHAUSTED;
  return await showStatus(request, tooOften(retryAfterS, error));
}

/** Said where an account has begun so many that a month lies before the next. */
function usedUp({ services }: PageRequest, retryAfterS: number): string {
  const { clock, settings } = services;
  const day = isoTime(clock.now() + retryAfterS * 1_000).slice(0, 10);
  return `You have begun ${IDENTITY_TRIES_FREE} checks. The next one can begin ` +
    `on ${day}. Please write to ${settings.seller.email} about what goes wrong.`;
}

async function showStatus(
  { services, hostedPages, accountId, show }: PageRequest,
  shown: Partial<InTheWay> & { note?: string | null },
): Promise<Response> {
  const { store } = services;
  const [account, check] = await store.getMany([
    store.accounts.ref(accountId),
    store.identityChecks.ref(accountId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  const html = (
    <IdentityPage
      status={identityStatusOf(account, check)}
      before={inOrder(stepsBeforeIdentity(account))}
      isServed={isServed(account)}
      note={shown.note ?? null}
      error={shown.error ?? null}
      next={await readNextStep(services, account, PATH)}
    />
  );
  const headers = { ...formsLeadTo(hostedPages), ...shown.headers };
  return show(html, { status: shown.status ?? 200, headers });
}
