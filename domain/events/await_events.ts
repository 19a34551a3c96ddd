import type { Services } from "../ports.ts";
import type { WaitFor } from "./waits.ts";
import { type EventPage, type ListEvents, listEvents } from "./list_events.ts";

/** Which events are asked for, and how long they are waited for. */
export interface AwaitEvents
  extends ListEvents, Pick<WaitFor, "grantId" | "gone" | "stillMay"> {
  /** 0: what there is, at once. */
  waitMs: number;
  /** Settled once the request is let through: nobody waits before. */
  admitted: Promise<unknown>;
}

/**
 * Lists the events of an account that a reader may be told of, or waits for the
 * first. Who waited is judged again before the answer: a grant may have ended.
 *
 * @throws what `stillMay` throws
 */
export async function awaitEvents(
  services: Pick<Services, "store" | "eventWaits">,
  asked: AwaitEvents,
): Promise<EventPage> {
  const { waitMs: ms, admitted, stillMay } = asked;
  if (ms === 0) return await listEvents(services, asked);
  await admitted;
  // Before the first look, so that nothing is missed between it and the wait.
  const wait = services.eventWaits.begin({ ...asked, ms });
  try {
    let page = await listEvents(services, asked);
    let hasWaited = false;
    while (page.events.length === 0 && !page.hasMore && !wait.isOver) {
      hasWaited = true;
      await wait.next(page.after);
      page = await listEvents(services, { ...asked, after: page.after });
    }
    if (hasWaited) await stillMay();
    return page;
  } finally {
    wait.end();
  }
}
