import { checkBid } from "../../../domain/bidding/check_bid.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { parseDay } from "../../../domain/day.ts";
import { PAGES } from "../../../domain/pages.ts";
import { type Refusal, Refused } from "../../../domain/refusal.ts";
import { isFresh } from "../../../domain/sessions/session.ts";
import { limitAccount } from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { tokenOf } from "../pages/form_token.ts";
import {
  bidOf,
  PLACE_PATH,
  readBid,
  REVIEW_PATH,
  reviewedCardOf,
  TYPED_FIELDS,
  type TypedBid,
  typedBid,
} from "./bid_form.ts";
import {
  type BidProblem,
  INCOMPLETE,
  NO_AMOUNT,
  NOTES,
  problemOf,
} from "./bid_words.tsx";
import { BidsPage } from "./bids_page.tsx";
import { readBidsView } from "./bids_view.ts";
import { ReviewPage } from "./review_page.tsx";

const PATH = PAGES.bids;
const NOTHING_TYPED: TypedBid = { day: "", amount: "", ad: "", card: "" };

/** The bids of an account, and the form that places one: `/bids`. */
export function bidsSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitAccount(parts, "own_bid")],
    get: {
      [PATH]: (request) =>
        showBids(request, { note: doneNote(request, NOTES) }),
    },
    post: { [REVIEW_PATH]: review, [PLACE_PATH]: place },
    freshChanges: {
      fields: TYPED_FIELDS,
      action: REVIEW_PATH,
      nothingDone: "Nothing was placed.",
      goOn: "Go on with your bid",
    },
  });
}

/** What may be shown beside the bids. */
interface Shown {
  note: string | null;
  typed: TypedBid;
  problem: BidProblem | null;
}

async function showBids(
  { services, account, signedIn: { session }, query, show }: PageRequest,
  { note = null, typed = NOTHING_TYPED, problem = null }: Partial<Shown>,
): Promise<Response> {
  const through = parseDay(query("through") ?? "");
  const view = await readBidsView(services, account, through);
  const needsSignIn = !isFresh(session, view.nowMs);
  const html = <BidsPage {...{ view, needsSignIn, typed, note, problem }} />;
  return show(html, { status: problem?.status ?? 200 });
}

/** Says what the bid would mean, or what is in its way. */
async function review(request: PageRequest): Promise<Response> {
  return await reviewTyped(request, typedBid(await request.form()));
}

async function reviewTyped(
  request: PageRequest,
  typed: TypedBid,
): Promise<Response> {
  const { services, account, signedIn, show } = request;
  const asked = readBid(typed);
  if (asked.amountCents === null) {
    return await showBids(request, { typed, problem: NO_AMOUNT });
  }
  const bid = bidOf(signedIn, asked, null);
  if (bid === null) {
    return await showBids(request, { typed, problem: INCOMPLETE });
  }
  const { refusal } = await checkBid(services, bid);
  if (refusal !== null) return await explain(request, typed, refusal);
  const { open, ads, cards } = await readBidsView(services, account, null);
  const ad = ads.find(({ creative }) => creative.adId === bid.adId);
  const named = bid.paymentMethodId;
  const card = cards.find(({ id, isDefault }) =>
    named === null ? isDefault : id === named
  );
  // Something has changed since it was checked: the page shows how it is now.
  if (open?.day !== bid.day || !ad || !card) {
    return await showBids(request, { typed });
  }
  const token = services.ids.secret();
  const { amountCents } = bid;
  return show(
    <ReviewPage {...{ typed, amountCents, open, ad, card, token }} />,
  );
}

/** Places the bid once for each page that it was reviewed on. */
async function place(request: PageRequest): Promise<Response> {
  const form = await request.form();
  const typed = typedBid(form);
  const token = tokenOf(form);
  const reviewedCardId = reviewedCardOf(form);
  const bid = bidOf(request.signedIn, readBid(typed), token);
  if (bid === null || token === null || reviewedCardId === null) {
    return await reviewTyped(request, typed);
  }
  try {
    await placeBid(request.services, { ...bid, reviewedCardId });
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return await explain(request, typed, thrown.refusal);
  }
  return sayDone(request, { path: PATH, done: "placed" });
}

/** What was in the way, said beside what was typed. */
async function explain(
  request: PageRequest,
  typed: TypedBid,
  refusal: Refusal,
): Promise<Response> {
  const problem = problemOf(refusal);
  if (problem === null) throw new Refused(refusal);
  return await showBids(request, { typed, problem });
}
