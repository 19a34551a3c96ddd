import {
  type AccountEvent,
  EVENT_TYPES,
  type EventFact,
} from "../../domain/events/event.ts";
import { noteEvents } from "../../domain/events/note_events.ts";
import type { Services } from "../../domain/ports.ts";

/** Everything that an account is told, in its order. */
export function eventsOf(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<AccountEvent[]> {
  return store.listEvents(accountId, { after: 0, limit: 1_000 });
}

/** The same, by what it says. */
export async function toldTo(
  services: Pick<Services, "store">,
  accountId: string,
): Promise<string[]> {
  const events = await eventsOf(services, accountId);
  return events.map(({ type, data }) =>
    [type, ...Object.values(data)].join(" ")
  );
}

/** Tells an account something, as a verb does in its own commit. */
export function tell(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
  ...facts: EventFact[]
): Promise<void> {
  return store.transact((tx) => noteEvents(tx, accountId, facts, clock.now()));
}

/** A fact of each type. */
export const ONE_OF_EACH: readonly EventFact[] = EVENT_TYPES.map((type) =>
  ({ type, data: { about: type } }) as unknown as EventFact
);

/** A removal, of which only the day differs. */
export function removed(day: string): EventFact {
  return { type: "spotlight.removed", data: { day } };
}
