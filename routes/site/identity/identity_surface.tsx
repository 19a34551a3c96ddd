import {
  IDENTITY_RETURN,
  startIdentityCheck,
} from "../../../domain/identity/start_identity_check.ts";
import { syncLastIdentity } from "../../../domain/identity/sweep_identities.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refuse } from "../../../domain/refusal.ts";
import { limitCallsBeside } from "../../middleware/person_limits.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import {
  comeBackTo,
  type InTheWay,
  leadTo,
  notNow,
  tooOften,
} from "../pages/hosted_page.tsx";
import { refusalOf } from "../pages/refusal_of.ts";
import { IdentityPage } from "./identity_page.tsx";
import { identityStatusOf } from "./identity_status.ts";

const PATH = PAGES.identity;

const TRIES_EXHAUSTED = "You have begun many checks today. Please try again " +
  "tomorrow.";

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
          request.query("done") === "unsure" ? { error: UNSURE } : {},
        ),
      [IDENTITY_RETURN]: comeBack,
    },
    post: { [`${PATH}/start`]: start },
    explain,
  });
}

/** The way back from the processor's page: syncs the check's outcome. */
function comeBack({ services, accountId }: PageRequest): Promise<Response> {
  return comeBackTo(PATH, async () => {
    await syncLastIdentity(services, { accountId });
    return null;
  });
}

async function start(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  const { url } = await startIdentityCheck(services, { accountId, by });
  return url === null ? seeOther(PATH) : leadTo(request, url);
}

/** What is in the way, said on the page. */
async function explain(
  request: PageRequest,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await showStatus(request, now);
  const { retryAfterS } = refusalOf(thrown, "tries_exhausted");
  const often = tooOften(retryAfterS, TRIES_EXHAUSTED);
  return await showStatus(request, often);
}

async function showStatus(
  { services: { store }, hostedPages, accountId, show }: PageRequest,
  shown: Partial<InTheWay>,
): Promise<Response> {
  const [account, check] = await store.getMany([
    store.accounts.ref(accountId),
    store.identityChecks.ref(accountId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  const html = (
    <IdentityPage
      status={identityStatusOf(account, check)}
      error={shown.error ?? null}
    />
  );
  const headers = { ...formsLeadTo(hostedPages), ...shown.headers };
  return show(html, { status: shown.status ?? 200, headers });
}
