import type { Services } from "../ports.ts";
import type { Session } from "./session.ts";

/** Browsers shown on the account's page. */
const SHOWN_MAX = 50;

/** Where an account is signed in, the last used first. */
export async function listSessions(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<Session[]> {
  const sessions = await store.listSessions(accountId, { limit: SHOWN_MAX });
  const credentials = await store.credentials.find(accountId);
  const generation = credentials?.generation ?? 0;
  return sessions.filter((session) => session.generation === generation)
    .toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}
