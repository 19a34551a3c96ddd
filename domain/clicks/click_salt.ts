import { addDays, type Day, DAY_MS, dayOf, startOfDayMs } from "../day.ts";
import type { Services } from "../ports.ts";

/** Days before today whose salts are removed; an outage may be that long. */
const DAYS_REMOVED = 60;

/**
 * The salt of a day: the stored one, else a new one, which is stored for every
 * isolate unless the day is over.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export function readClickSalt(
  { store, ids, clock }: Pick<Services, "store" | "ids" | "clock">,
  day: Day,
): Promise<string> {
  const salt = ids.secret();
  const expiresAtMs = startOfDayMs(day) + DAY_MS;
  return store.transact(async (tx) => {
    const stored = await tx.clickSalts.find(day);
    if (stored !== null) return stored.salt;
    if (clock.now() >= expiresAtMs) return salt;
    tx.clickSalts.save({ day, salt, expiresAtMs });
    return salt;
  });
}

/**
 * Makes today's salt and removes those of days that are over: from then on
 * nobody can tell whose a visitor's hash was.
 */
export async function rotateClickSalts(
  services: Pick<Services, "store" | "ids" | "clock">,
): Promise<void> {
  const today = dayOf(services.clock.now());
  await readClickSalt(services, today);
  await services.store.transact((tx) => {
    for (let ago = 1; ago <= DAYS_REMOVED; ago++) {
      const day = addDays(today, -ago);
      tx.clickSalts.remove({ day, salt: "", expiresAtMs: 0 });
    }
  });
}
