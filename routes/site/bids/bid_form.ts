import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import { isCardId } from "../../../domain/cards/card.ts";
import { type Day, parseDay } from "../../../domain/day.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import { AD_ID_SHAPE } from "../../../domain/limits.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Form } from "../../http/form_body.ts";
import { parseEuros } from "../pages/parse_euros.ts";

/** Where a bid is looked at once more. */
export const REVIEW_PATH = `${PAGES.bids}/review`;
/** Where it is placed, once for each token. */
export const PLACE_PATH = `${PAGES.bids}/place`;

/** Longest text that is shown again: no id of ours or amount is longer. */
const TYPED_MAX = 300;

/** What a person types and chooses. */
export const TYPED_FIELDS = [
  "day",
  "amount",
  "ad",
  "card",
] as const satisfies readonly (keyof TypedBid)[];

/**
 * What a person typed and chose, as texts. It travels in bodies alone, since
 * amounts are sealed and addresses are logged on their way.
 */
export interface TypedBid {
  day: string;
  amount: string;
  ad: string;
  /** Empty for a raise, which is charged to the default card. */
  card: string;
}

/** The same as far as it can be a bid. */
export interface ReadBid {
  day: Day | null;
  /** Null for what is no amount in euros. */
  amountCents: number | null;
  adId: string | null;
  paymentMethodId: string | null;
}

/** Takes what a form says. */
export function typedBid(form: Form): TypedBid {
  return {
    day: form.text("day", TYPED_MAX),
    amount: form.text("amount", TYPED_MAX),
    ad: form.text("ad", TYPED_MAX),
    card: form.text("card", TYPED_MAX),
  };
}

/** The card that the page of a form named; null for none. */
export function reviewedCardOf(form: Form): string | null {
  const id = form.text("reviewed_card", TYPED_MAX);
  return isCardId(id) ? id : null;
}

/** Reads what was typed. */
export function readBid({ day, amount, ad, card }: TypedBid): ReadBid {
  return {
    day: parseDay(day),
    amountCents: parseEuros(amount),
    adId: AD_ID_SHAPE.test(ad) ? ad : null,
    paymentMethodId: isCardId(card) ? card : null,
  };
}

/** The bid as every surface asks for it; null while something is missing. */
export function bidOf(
  { account, session }: SignedIn,
  { day, amountCents, adId, paymentMethodId }: ReadBid,
  token: string | null,
): PlaceBid | null {
  if (day === null || amountCents === null || adId === null) return null;
  const bid = { day, adId, amountCents, paymentMethodId };
  const binding = token === null ? null : {
    owner: account.id,
    operation: `POST ${PLACE_PATH}`,
    key: token,
    requestHash: requestHash(bid),
  };
  return { by: { account, session }, ...bid, binding };
}
