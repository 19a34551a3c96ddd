import type { Scope } from "../oauth/grant.ts";
import type { Services } from "../ports.ts";
import type { WaitFor } from "./waits.ts";
import { listEvents } from "./list_events.ts";

/** Whose events are followed, and until when. */
export interface FollowEvents extends WaitFor {
  /** What the follower may be told of. */
  scopes: readonly Scope[];
  /** Settled once the request is let through: nothing is followed before. */
  admitted: Promise<unknown>;
}

/**
 * Tells each time that there is a new event, until it is over. It takes the
 * place of a request that waits, and gives way as one. Who follows is judged again
 * before each: nothing is told once a revocation was answered.
 *
 * @throws what `stillMay` throws
 */
export async function followEvents(
  services: Pick<Services, "store" | "eventWaits">,
  asked: FollowEvents,
  changed: () => void,
): Promise<void> {
  const { accountId, scopes, admitted } = asked;
  await admitted;
  const log = await services.store.eventLogs.find(accountId);
  let after = log?.position ?? 0;
  const wait = services.eventWaits.begin(asked);
  try {
    for (;;) {
      const wanted = { accountId, scopes, limit: 1 };
      let isNew = false;
      for (let hasMore = true; hasMore;) {
        const page = await listEvents(services, { ...wanted, after });
        isNew ||= page.events.length > 0;
        ({ after, hasMore } = page);
      }
      if (isNew) {
        // Since it was judged last, its grant may have ended.
        await asked.stillMay();
        changed();
      }
      if (wait.isOver) return;
      await wait.next(after);
    }
  } finally {
    wait.end();
  }
}
