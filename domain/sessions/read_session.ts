import { sha256Hex } from "../sha256.ts";
import type { Account } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import type { Credentials } from "./credentials.ts";
import { type Session, SESSION_TOUCH_MS, sessionEndMs } from "./session.ts";

/** A signed-in browser and whose it is. */
export interface SignedIn {
  /** Where a passkey is needed its `authTimeMs` is 0, so that it is never fresh. */
  session: Session;
  account: Account;
  /**
   * Whether only a sign-in by passkey counts as a fresh one, and this was none:
   * so with operators who have a passkey, as who reads their mail must not move
   * money, nor add a passkey or change the address to get there.
   */
  needsPasskey: boolean;
}

/** What reading a session needs. */
export type SessionServices = Pick<Services, "store" | "clock">;

/**
 * The session of an id and its account; null when it is unknown, over, or from
 * before the account signed out everywhere. The account is read after the
 * session, so whatever ended it before the request is seen. A use is written
 * down at most once a minute.
 *
 * @param decidesByPasskey whether, once it has a passkey, the account proves who
 * it is by nothing else
 */
export async function readSession(
  services: SessionServices,
  sessionId: string,
  decidesByPasskey: (account: Account) => boolean,
): Promise<SignedIn | null> {
  const { store, clock } = services;
  const session = await store.sessions.find(sha256Hex(sessionId));
  if (session === null) return null;
  const { accountId } = session;
  const [account, credentials] = await store.getMany([
    store.accounts.ref(accountId),
    store.credentials.ref(accountId),
  ]);
  const generation = credentials?.generation ?? 0;
  if (account === null || session.generation !== generation) return null;
  const isUsedNow = clock.now() - session.lastUsedAtMs >= SESSION_TOUCH_MS;
  const used = isUsedNow ? await touch(services, session.hash) : session;
  if (used === null) return null;
  const needsPasskey = used.method !== "passkey" && hasPasskey(credentials) &&
    decidesByPasskey(account);
  const counted = needsPasskey ? { ...used, authTimeMs: 0 } : used;
  return { session: counted, account, needsPasskey };
}

function hasPasskey(credentials: Credentials | null): boolean {
  return credentials !== null && credentials.passkeys.length > 0;
}

/** Prolongs a session, unless another request just has or it has ended. */
function touch(
  { store, clock }: SessionServices,
  hash: string,
): Promise<Session | null> {
  return store.transact(async (tx) => {
    const session = await tx.sessions.find(hash);
    if (session === null) return null;
    const nowMs = clock.now();
    if (nowMs - session.lastUsedAtMs < SESSION_TOUCH_MS) return session;
    const expiresAtMs = sessionEndMs(session.createdAtMs, nowMs);
    const used = { ...session, lastUsedAtMs: nowMs, expiresAtMs };
    tx.sessions.save(used);
    return used;
  });
}
