import type { Services } from "../ports.ts";
import type { Session } from "./session.ts";

/**
 * Rows that are read, which lie in no order: several times what an account has
 * after a sign-in, for those of earlier versions.
 */
export const SESSIONS_LISTED_MAX = 200;

/** Where an account is signed in, the last used first. */
export async function listSessions(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<Session[]> {
  const limit = SESSIONS_LISTED_MAX;
  const sessions = await store.listSessions(accountId, { limit });
  const credentials = await store.credentials.find(accountId);
  const generation = credentials?.generation ?? 0;
  return sessions.filter((session) => session.generation === generation)
    .toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}
