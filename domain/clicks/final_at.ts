import { addDays, type Day } from "../day.ts";
import type { Store } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { FINAL_AFTER_MS } from "./click.ts";

/** Days looked at for the first that settled after a day; they settle in turn. */
const DAYS_LOOKED_AT = 10;

/**
 * When the figures of a day are final, epoch ms: 48 hours after its Spotlight
 * gave up its place (contract §4.1), which it did when a later day settled,
 * removed since or not. Null while it is current, and for a day that has not
 * settled. Once it is a number it stays that number.
 */
export async function findFinalAtMs(
  store: Pick<Store, "listSpotlights">,
  day: Day,
): Promise<number | null> {
  const limit = DAYS_LOOKED_AT + 1;
  const some = await store.listSpotlights(addDays(day, -1), { limit });
  return finalAtMs(day, some);
}

/** The same of the Spotlights of the day and of those after it. */
function finalAtMs(
  day: Day,
  spotlights: readonly Pick<Spotlight, "day" | "settledAtMs">[],
): number | null {
  const own = spotlights.find((one) => one.day === day);
  const later = spotlights.filter((one) => one.day > day);
  if (own === undefined || later.length === 0) return null;
  const firstMs = Math.min(...later.map(({ settledAtMs }) => settledAtMs));
  // A day that settles after a later one is never the current one.
  return Math.max(own.settledAtMs, firstMs) + FINAL_AFTER_MS;
}
