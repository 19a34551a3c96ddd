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
import { limitCallsBeside } from "../../middleware/person_limits.ts";
import { chargeNetworks } from "../../middleware/rate_limit.ts";
import { requireFresh, seeOther, toSignIn } from "../../middleware/session.ts";
import type { Gate, Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import {
  comeBackTo,
  type InTheWay,
  leadTo,
  notNow,
  tooOften,
} from "../pages/hosted_page.tsx";
import { leadOn, STEP_NOTES } from "../first_steps/lead_on.ts";
import { readNextStep } from "../first_steps/next_step.tsx";
import {
  CARD_REFUSED,
  CARDS_FULL,
  NOTES,
  PAGES_EXHAUSTED,
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
    get: {
      [PATH]: (request) =>
        showCards(request, {
          note: doneNote(request, { ...STEP_NOTES, ...NOTES }),
        }),
      [BILLING_RETURN]: comeBack,
    },
    waits: [BILLING_RETURN],
    post: {
      [`${PATH}/set-up`]: setUp,
      [`${PATH}/default`]: choose,
      [`${PATH}/remove`]: remove,
      [`${PATH}/portal`]: portal,
    },
    explain,
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

/**
 * The way back from the processor's pages: syncs the set-up that the address
 * names or, after the portal, the cards.
 */
function comeBack(request: PageRequest): Promise<Response> {
  const { services, accountId, query } = request;
  const ref = query("setup");
  return comeBackTo(
    request,
    PATH,
    async () => {
      if (ref === null) {
        await syncCards(services, { accountId });
        return null;
      }
      const done = await finishCardSetup(services, { accountId, ref });
      return done === "unknown" ? null : done;
    },
    async (done) =>
      done === "saved"
        ? await leadOn(services, { accountId, here: PATH, step: "card" })
        : null,
  );
}

async function setUp(request: PageRequest): Promise<Response> {
  const { services, context, accountId, signedIn: by } = request;
  const { url } = await startCardSetup(services, {
    accountId,
    by,
    admit: () => chargeNetworks(context, request, "card_page"),
  });
  return leadTo(request, url);
}

async function portal(request: PageRequest): Promise<Response> {
  const { services, context, accountId, signedIn: by } = request;
  await chargeNetworks(context, request, "card_page");
  const asked = { accountId, by, binding: null };
  const { value } = await openBillingPortal(services, asked);
  return leadTo(request, value.url);
}

async function choose(request: PageRequest): Promise<Response> {
  await setDefaultCard(request.services, await namedCard(request));
  return sayDone(request, { path: PATH, done: "chosen" });
}

async function remove(request: PageRequest): Promise<Response> {
  await removeCard(request.services, await namedCard(request));
  return sayDone(request, { path: PATH, done: "removed" });
}

async function namedCard({ accountId, signedIn: by, form }: PageRequest) {
  const paymentMethodId = (await form()).text("card");
  return { accountId, paymentMethodId, by, binding: null };
}

/** What is in the way, said on the page. */
async function explain(
  request: PageRequest,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await showCards(request, now);
  if (!(thrown instanceof Refused)) throw thrown;
  const { refusal } = thrown;
  switch (refusal.code) {
    case "cards_full":
      return await showCards(request, { error: CARDS_FULL, status: 409 });
    case "rate_limited":
      return await showCards(
        request,
        tooOften(refusal.retryAfterS, PAGES_EXHAUSTED),
      );
    case "tries_exhausted": {
      const often = tooOften(refusal.retryAfterS, SETUPS_EXHAUSTED);
      return await showCards(request, often);
    }
    case "card_of_live_bid": {
      const error = standsOn(refusal.days);
      return await showCards(request, { error, status: 409 });
    }
    case "human_step_required":
      if (refusal.actionUrl !== PATH) return seeOther(refusal.actionUrl);
      return await showCards(request, { error: CARD_REFUSED, status: 409 });
    default:
      throw thrown;
  }
}

async function showCards(
  { services, hostedPages, accountId, show }: PageRequest,
  shown: Partial<InTheWay> & { note?: string | null },
): Promise<Response> {
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
  const next = await readNextStep(services, account, PATH);
  const html = (
    <BillingPage
      view={view}
      hours={services.settings.auctionHours}
      note={note}
      error={error}
      next={next}
    />
  );
  const headers = { ...formsLeadTo(hostedPages), ...shown.headers };
  return show(html, { status, headers });
}
