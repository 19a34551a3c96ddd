import { syncLastIdentity } from "../../../domain/identity/sweep_identities.ts";
import {
  IDENTITY_RETURN,
  startIdentityCheck,
} from "../../../domain/identity/start_identity_check.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refuse } from "../../../domain/refusal.ts";
import { limitCallsBeside } from "../../middleware/rate_limit.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import {
  comeBackTo,
  type InTheWay,
  leadTo,
  notNow,
  tooOften,
} from "../pages/hosted_page.tsx";
import { formsLeadTo } from "../pages/form_action.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { IdentityPage } from "./identity_page.tsx";
import { identityStatusOf } from "./identity_status.ts";
import { refusalOf } from "../pages/refusal_of.ts";

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
    routes: [
      route("GET", PATH, (context) => show(context, parts)),
      route("GET", IDENTITY_RETURN, (context) => comeBack(context, parts)),
      route("POST", `${PATH}/start`, (context) => start(context, parts)),
    ],
  });
}

function show(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const isUnsure = queryParam(context, "done") === "unsure";
  return page(context, parts, isUnsure ? { error: UNSURE } : {});
}

/** The way back from the processor's page: its outcome is looked at. */
function comeBack(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  return comeBackTo(PATH, async () => {
    await syncLastIdentity(services, { accountId });
    return null;
  });
}

async function start(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  try {
    const { url } = await startIdentityCheck(parts.services, { accountId });
    if (url === null) return seeOther(PATH);
    return leadTo(context, parts.hostedPages, url);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
}

/** What is in the way, said on the page; anything else goes on its way. */
async function explain(
  context: RouteContext,
  parts: AdvertiserParts,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await page(context, parts, now);
  const { retryAfterS } = refusalOf(thrown, "tries_exhausted");
  const often = tooOften(retryAfterS, TRIES_EXHAUSTED);
  return await page(context, parts, often);
}

async function page(
  context: RouteContext,
  { services, hostedPages }: AdvertiserParts,
  shown: Partial<InTheWay>,
): Promise<Response> {
  const { store } = services;
  const accountId = signedInOf(context).account.id;
  const [account, check] = await store.getMany([
    store.accounts.ref(accountId),
    store.identityChecks.ref(accountId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  const status = identityStatusOf(account, check);
  const { error = null } = shown;
  return privateAnswer(
    context,
    <IdentityPage status={status} error={error} />,
    {
      status: shown.status ?? 200,
      headers: { ...formsLeadTo(hostedPages), ...shown.headers },
    },
  );
}
