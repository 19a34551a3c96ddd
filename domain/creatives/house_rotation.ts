/**
 * The operator's own advertisements take turns on the days that nobody wins.
 *
 * @module
 */
import type { Table } from "../tables.ts";
import type { HouseAd } from "./creative.ts";

/** House ads that an operator may have. */
export const HOUSE_ADS_MAX = 50;
/** House ads that are read; earlier versions kept them without a bound. */
export const HOUSE_ADS_READ_MAX = 200;
/** Ads that a turn tries: one may be put to rest while a day settles. */
const TRIED_MAX = 3;

/** In which order house ads take turns, and which had the last one. */
export interface HouseRotation {
  /** Those that were put in an order; others follow by their ids. */
  ids: readonly string[];
  /** The one that was shown last; null before the first. */
  lastId: string | null;
}

/** Shown when nobody wins and no house ad of the operator's takes turns. */
export const BUILT_IN_HOUSE_AD: HouseAd = {
  id: "house_built_in",
  headline: "This space is decided by auction every day",
  description:
    "Spotlight shows one advertisement a day. Bid for tomorrow before the " +
    "auction closes and only pay if you win.",
  advertiser: "Spotlight",
  targetUrl: "",
  active: true,
};

/** The ads in the order in which they take turns. */
export function inOrder(
  ads: readonly HouseAd[],
  rotation: HouseRotation | null,
): HouseAd[] {
  const places = new Map(rotation?.ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: HouseAd) => places.get(id) ?? places.size;
  return ads.toSorted((a, b) =>
    placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1)
  );
}

/** Those that are not resting, beginning with the one whose turn is next. */
export function inTurn(
  ads: readonly HouseAd[],
  rotation: HouseRotation | null,
): HouseAd[] {
  const ordered = inOrder(ads, rotation);
  const last = ordered.findIndex(({ id }) => id === rotation?.lastId);
  return [...ordered.slice(last + 1), ...ordered.slice(0, last + 1)]
    .filter(({ active }) => active);
}

/** What taking a turn reads and writes. */
interface TurnTransaction {
  houseAds: Pick<Table<HouseAd, [id: string]>, "find">;
  houseRotation: Table<HouseRotation, []>;
}

/**
 * The next of the operator's ads, or the built-in one, with its turn taken in the
 * caller's commit. What was listed before may be outdated: each ad is read again,
 * and one that is resting or gone by now is left out.
 */
export async function takeHouseTurn(
  tx: TurnTransaction,
  listed: readonly HouseAd[],
): Promise<HouseAd> {
  const rotation = await tx.houseRotation.find();
  for (const { id } of inTurn(listed, rotation).slice(0, TRIED_MAX)) {
    const ad = await tx.houseAds.find(id);
    if (!ad?.active) continue;
    tx.houseRotation.save({ ids: rotation?.ids ?? [], lastId: id });
    return ad;
  }
  return BUILT_IN_HOUSE_AD;
}
