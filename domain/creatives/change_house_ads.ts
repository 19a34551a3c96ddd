/**
 * What an operator does about house ads. Each is one commit, which checks the
 * order of all of them, so that two at once don't undo each other.
 *
 * @module
 */
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { readText } from "../text/read_text.ts";
import type { HouseAd } from "./creative.ts";
import {
  HOUSE_ADS_MAX,
  HOUSE_ADS_READ_MAX,
  type HouseRotation,
  inOrder,
} from "./house_rotation.ts";
import { DESCRIPTION, HEADLINE } from "./read_copy.ts";

/** What an operator writes of a house ad. */
export type HouseCopy = Pick<HouseAd, "headline" | "description">;

type HouseServices = Pick<Services, "store" | "ids">;

/** Whom a house ad is from, as readers see it. */
const ADVERTISER = "Spotlight";
/** The form of our ids; no other text reaches a key. */
const HOUSE_ID = /^house_[a-z0-9_]{1,64}$/;

/**
 * Reads a house ad's copy by the rules of all copy.
 *
 * @throws {Refused} `invalid_input`
 */
export function readHouseCopy(typed: HouseCopy): HouseCopy {
  return {
    headline: readText(typed.headline, HEADLINE, "Headline"),
    description: readText(typed.description, DESCRIPTION, "Description"),
  };
}

/**
 * Makes a house ad, which takes the last turn.
 *
 * @throws {Refused} `invalid_input` for copy that is not plain, and when there
 * are {@linkcode HOUSE_ADS_MAX} already
 */
export async function makeHouseAd(
  services: HouseServices,
  typed: HouseCopy,
): Promise<HouseAd> {
  const copy = readHouseCopy(typed);
  const id = services.ids.next("house"); // outside: attempts share it
  const made = {
    ...copy,
    id,
    advertiser: ADVERTISER,
    targetUrl: "",
    active: true,
  };
  await changeOrder(services, (tx, ids) => {
    if (ids.length >= HOUSE_ADS_MAX) {
      refuseInput(`There are ${HOUSE_ADS_MAX} house ads: remove one first`);
    }
    tx.houseAds.save(made);
    return [...ids, id];
  });
  return made;
}

/**
 * Has a house ad take its turn a place earlier or later; at the end of the order
 * it stays where it is.
 *
 * @throws {Refused} `not_found`
 */
export function moveHouseAd(
  services: HouseServices,
  { id, to }: { id: string; to: "earlier" | "later" },
): Promise<void> {
  return changeOrder(services, (_tx, ids) => {
    const at = ids.indexOf(id);
    if (at < 0) refuseUnknown();
    const place = at + (to === "earlier" ? -1 : 1);
    const neighbour = ids[place];
    return neighbour === undefined
      ? ids
      : ids.with(place, id).with(at, neighbour);
  });
}

/**
 * Lets a house ad rest, or take turns again.
 *
 * @throws {Refused} `not_found`
 */
export function restHouseAd(
  { store }: HouseServices,
  { id, rests }: { id: string; rests: boolean },
): Promise<HouseAd> {
  return store.transact(async (tx) => {
    const ad = await knownAd(tx, id);
    const changed = { ...ad, active: !rests };
    if (ad.active !== rests) return ad;
    tx.houseAds.save(changed);
    tx.noteChange({ before: { rests: !rests }, after: { rests } });
    return changed;
  });
}

/**
 * Removes a house ad that rests. Days that showed it keep their copy.
 *
 * @throws {Refused} `not_found`; `invalid_input` for one that takes turns
 */
export function removeHouseAd(
  services: HouseServices,
  { id }: { id: string },
): Promise<void> {
  return changeOrder(services, async (tx, ids, rotation) => {
    const ad = await knownAd(tx, id);
    if (ad.active) refuseInput("It takes turns: let it rest first");
    tx.houseAds.remove(ad);
    // The turn goes on where it was: behind the one before.
    const before = ids[ids.indexOf(id) - 1] ?? null;
    if (rotation.lastId === id) rotation.lastId = before;
    return ids.filter((each) => each !== id);
  });
}

/** Changes the order of all house ads, with what else is written of them. */
async function changeOrder(
  { store }: HouseServices,
  change: (
    tx: Transaction,
    ids: readonly string[],
    rotation: { lastId: HouseRotation["lastId"] },
  ) => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  // Those of an earlier version, which were never put in an order, among them.
  const listed = await store.listHouseAds({ limit: HOUSE_ADS_READ_MAX });
  await store.transact(async (tx) => {
    const found = await tx.houseRotation.find();
    const known = new Set(found?.ids);
    const others = inOrder(listed, found).map(({ id }) => id)
      .filter((id) => !known.has(id));
    const ids = [...found?.ids ?? [], ...others];
    const rotation = { lastId: found?.lastId ?? null };
    const changed = await change(tx, ids, rotation);
    tx.houseRotation.save({ ids: changed, ...rotation });
  });
}

async function knownAd(tx: Transaction, id: string): Promise<HouseAd> {
  const found = HOUSE_ID.test(id) ? await tx.houseAds.find(id) : null;
  return found ?? refuseUnknown();
}

function refuseUnknown(): never {
  refuse({ code: "not_found", message: "Cannot find the house ad" });
}

function refuseInput(message: string): never {
  refuse({ code: "invalid_input", message });
}
