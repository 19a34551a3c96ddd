import { TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";
import { endSessionOf } from "./end_session.ts";
import { listSessions, SESSIONS_LISTED_MAX } from "./list_sessions.ts";

/** Browsers that an account is signed in in at the same time. */
export const SESSIONS_MAX = 50;

/**
 * Keeps what an account is signed in in to 50 browsers, after a sign-in: those
 * used longest ago end, so that all there are can be shown. Rows from before it
 * signed out everywhere go as well. A store that does not take it stops no
 * sign-in: the next one goes on.
 */
export async function boundSessions(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<void> {
  try {
    const limit = SESSIONS_LISTED_MAX;
    const rows = await store.listSessions(accountId, { limit });
    if (rows.length <= SESSIONS_MAX) return;
    const live = await listSessions({ store }, accountId);
    const kept = new Set(live.slice(0, SESSIONS_MAX).map(({ hash }) => hash));
    for (const { hash } of rows) {
      if (!kept.has(hash)) await endSessionOf({ store }, hash);
    }
  } catch (failure) {
    if (!(failure instanceof TemporaryFailure)) throw failure;
  }
}
