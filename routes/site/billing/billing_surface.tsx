import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { readCards } from "../../../domain/cards/change_cards.ts";
import { finishCardSetup } from "../../../domain/cards/finish_card_setup.ts";
import {
  openBillingPortal,
} from "../../../domain/cards/open_billing_portal.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import {
  BILLING_RETURN,
  startCardSetup,
} from "../../../domain/cards/start_card_setup.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import { PAGES } from "../../../domain/pages.ts";
import { Refused } from "../../../domain/refusal.ts";
import { limitCallsBeside } from "../../middleware/rate_limit.ts";
import {
  requireFresh,
  seeOther,
  signedInOf,
  toSignIn,
} from "../../middleware/session.ts";
import {
  type Gate,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
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
import {
  CARD_REFUSED,
  CARDS_FULL,
  noteOf,
  SETUPS_EXHAUSTED,
  standsOn,
} from "./billing_notes.ts";
import { BillingPage } from "./billing_page.tsx";
import { billingView } from "./billing_view.ts";

const PATH = PAGES.billing;

/** The cards of an account: `/billing`. */
export function billingSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [freshChanges(parts), limitCallsBeside(parts, PATH)],
    routes: [
      route("GET", PATH, (context) => show(context, parts)),
      route("GET", BILLING_RETURN, (context) => comeBack(context, parts)),
      route("POST", `${PATH}/set-up`, (context) => setUp(context, parts)),
      route("POST", `${PATH}/default`, (context) => choose(context, parts)),
      route("POST", `${PATH}/remove`, (context) => remove(context, parts)),
      route("POST", `${PATH}/portal`, (context) => portal(context, parts)),
    ],
  });
}

/** What says who is charged takes a sign-in of the last minutes. */
function freshChanges(parts: AdvertiserParts): Gate {
  const isStale = requireFresh(parts);
  return function freshChanges(context) {
    if (context.req.method !== "POST") return null;
    return isStale(context) === null ? null : toSignIn(context, PATH);
  };
}

function show(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  return page(context, parts, { note: noteOf(queryParam(context, "done")) });
}

/**
 * The way back from the processor's pages: the set-up that the address names is
 * looked at, or after the portal the cards alone.
 */
function comeBack(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const ref = queryParam(context, "setup");
  return comeBackTo(PATH, async () => {
    if (ref === null) {
      await syncCards(services, { accountId });
      return null;
    }
    const done = await finishCardSetup(services, { accountId, ref });
    return done === "unknown" ? null : done;
  });
}

async function setUp(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  try {
    const { url } = await startCardSetup(parts.services, { accountId });
    return leadTo(context, parts.hostedPages, url);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
}

async function portal(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  try {
    const opened = await openBillingPortal(parts.services, {
      accountId,
      binding: null,
    });
    return leadTo(context, parts.hostedPages, opened.value.url);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
}

async function choose(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const input = await namedCard(context);
  try {
    await setDefaultCard(parts.services, input);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
  return seeOther(`${PATH}?done=chosen`);
}

async function remove(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  const input = await namedCard(context);
  try {
    await removeCard(parts.services, input);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
  return seeOther(`${PATH}?done=removed`);
}

async function namedCard(context: RouteContext) {
  const form = await readForm(context);
  return {
    accountId: signedInOf(context).account.id,
    paymentMethodId: form.text("card"),
    binding: null,
  };
}

/** What is in the way, said on the page; anything else goes on its way. */
async function explain(
  context: RouteContext,
  parts: AdvertiserParts,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await page(context, parts, now);
  if (!(thrown instanceof Refused)) throw thrown;
  const { refusal } = thrown;
  switch (refusal.code) {
    case "cards_full":
      return await page(context, parts, { error: CARDS_FULL, status: 409 });
    case "tries_exhausted": {
      const often = tooOften(refusal.retryAfterS, SETUPS_EXHAUSTED);
      return await page(context, parts, often);
    }
    case "card_of_live_bid": {
      const error = standsOn(refusal.days);
      return await page(context, parts, { error, status: 409 });
    }
    case "human_step_required":
      if (refusal.actionUrl !== PATH) return seeOther(refusal.actionUrl);
      return await page(context, parts, { error: CARD_REFUSED, status: 409 });
    default:
      throw thrown;
  }
}

async function page(
  context: RouteContext,
  { services, hostedPages }: AdvertiserParts,
  shown: Partial<InTheWay> & { note?: string | null },
): Promise<Response> {
  const accountId = signedInOf(context).account.id;
  const [{ account, cards }, liveBids] = await Promise.all([
    readCards(services, accountId),
    listLiveBids(services, { accountId }),
  ]);
  const view = billingView(
    account,
    services.settings.seller,
    cards,
    liveBids,
    services.clock.now(),
  );
  const { note = null, error = null, status = 200 } = shown;
  const html = <BillingPage view={view} note={note} error={error} />;
  const headers = { ...formsLeadTo(hostedPages), ...shown.headers };
  return privateAnswer(context, html, { status, headers });
}
