import { sha256Hex } from "../sha256.ts";
import type { Account } from "../accounts/account.ts";
import { noteUse } from "../note_use.ts";
import type { InTurn } from "../operations/transact_in_turn.ts";
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
 * session, so whatever ended it before the request is seen. A use prolongs it,
 * which is written down at most once a minute.
 *
 * @param decidesByPasskey whether, once it has a passkey, the account proves who
 * it is by nothing else
 * @param inTurn for the use of a session, by its hash
 */
export async function readSession(
  services: SessionServices,
  sessionId: string,
  decidesByPasskey: (account: Account) => boolean,
  inTurn: (hash: string) => InTurn,
): Promise<SignedIn | null> {
  const { store } = services;
  const session = await store.sessions.find(sha256Hex(sessionId));
  if (session === null) return null;
  const { accountId } = session;
  const [account, credentials] = await store.getMany([
    store.accounts.ref(accountId),
    store.credentials.ref(accountId),
  ]);
  const generation = credentials?.generation ?? 0;
  if (account === null || session.generation !== generation) return null;
  await noteSessionUse(services, session, inTurn(session.hash));
  const needsPasskey = session.method !== "passkey" &&
    hasPasskey(credentials) && decidesByPasskey(account);
  const counted = needsPasskey ? { ...session, authTimeMs: 0 } : session;
  return { session: counted, account, needsPasskey };
}

function hasPasskey(credentials: Credentials | null): boolean {
  return credentials !== null && credentials.passkeys.length > 0;
}

/** Prolongs a session, unless it has ended. */
async function noteSessionUse(
  { store, clock }: SessionServices,
  session: Session,
  inTurn: InTurn,
): Promise<void> {
  if (!isDue(session, clock.now())) return;
  const note = () =>
    store.transact(async (tx) => {
      const present = await tx.sessions.find(session.hash);
      const nowMs = clock.now();
      if (present === null || !isDue(present, nowMs)) return;
      const expiresAtMs = sessionEndMs(present.createdAtMs, nowMs);
      tx.sessions.save({ ...present, lastUsedAtMs: nowMs, expiresAtMs });
    });
  await noteUse(inTurn, note);
}

function isDue({ lastUsedAtMs }: Session, nowMs: number): boolean {
  return nowMs - lastUsedAtMs >= SESSION_TOUCH_MS;
}
