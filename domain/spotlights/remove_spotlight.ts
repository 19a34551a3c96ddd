import type { Day } from "../day.ts";
import { noteEvents } from "../events/note_events.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Spotlight } from "./spotlight.ts";

/**
 * Removes a settled Spotlight from every read (policy, dispute, court order).
 * It stays in the books; a repeat returns what stands.
 *
 * @throws {Refused} `spotlight_not_found` for a day that has not settled
 */
export function removeSpotlight(
  services: Services,
  input: { day: Day; reason: string },
): Promise<Spotlight> {
  const { store, clock } = services;
  return store.transact(async (tx) => {
    const now = clock.now();
    const spotlight = await tx.spotlights.find(input.day);
    if (spotlight === null) {
      return refuse({ code: "spotlight_not_found", day: input.day });
    }
    if (spotlight.removedAtMs !== null) return spotlight;
    const removed: Spotlight = {
      ...spotlight,
      removedAtMs: now,
      removalReason: input.reason,
    };
    tx.spotlights.save(removed);
    tx.noteChange({ before: { removed: false }, after: { removed: true } });
    tx.touchSpotlights();
    const { accountId, day } = spotlight;
    if (accountId !== null) {
      const type = "spotlight.removed";
      await noteEvents(tx, accountId, [{ type, data: { day } }], now);
    }
    return removed;
  });
}
