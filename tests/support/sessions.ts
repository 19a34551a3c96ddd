import type { Services } from "../../domain/ports.ts";
import type { Session } from "../../domain/sessions/session.ts";

/** The session of a browser that was signed in to long ago. */
export function liveSession(accountId: string): Session {
  return {
    hash: "session-in-the-store",
    accountId,
    generation: 0,
    bindingId: "stay_1",
    authTimeMs: 0,
    createdAtMs: 0,
    lastUsedAtMs: 0,
    expiresAtMs: Date.UTC(2100),
    userAgent: "A test",
  };
}

/** The same, stored. */
export async function saveSession(
  { store }: Pick<Services, "store">,
  accountId = "acc_ada",
): Promise<Session> {
  const session = liveSession(accountId);
  await store.transact((tx) => tx.sessions.save(session));
  return session;
}

/** Whoever is signed in with it. */
export function byBrowser(accountId: string): { session: Session } {
  return { session: liveSession(accountId) };
}
