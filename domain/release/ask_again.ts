import type { Services } from "../ports.ts";
import { adoptByName } from "./adopt_item.ts";

/**
 * Takes over what a release could not, and an operator took note of, as when the
 * processor gave no answer just then: nobody else would ask again. Safe to
 * repeat; what can't be adopted now is asked for the next time.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function askAgain(services: Services): Promise<void> {
  const { store, log } = services;
  const hold = await store.holds.find();
  if (hold === null || hold.releasedAtMs === null) return;
  for (const name of hold.missed ?? []) {
    const why = await adoptByName(services, name);
    log.info("hold.asked_again", { item: name, why });
    if (why !== null) continue;
    await store.transact(async (tx) => {
      const { missed = [], ...now } = await tx.holds.find() ?? hold;
      const left = missed.filter((each) => each !== name);
      tx.holds.save(left.length === 0 ? now : { ...now, missed: left });
    });
  }
}
