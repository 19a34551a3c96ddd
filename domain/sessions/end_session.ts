import { sha256Hex } from "../sha256.ts";
import type { Services } from "../ports.ts";
import { type Authority, requireAuthority } from "./authority.ts";
import { credentialsOf } from "./credentials.ts";

/** Signs a browser out. Signing out again changes nothing. */
export function endSession(
  services: Pick<Services, "store">,
  sessionId: string,
): Promise<void> {
  return endSessionOf(services, sha256Hex(sessionId));
}

/** The same by the hash of the session's id. */
export function endSessionOf(
  { store }: Pick<Services, "store">,
  hash: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const session = await tx.sessions.find(hash);
    if (session !== null) tx.sessions.remove(session);
  });
}

/**
 * Signs one of an account's own browsers out, at the word of another one. Of
 * what is somebody else's, or is over, nothing is told.
 *
 * @throws {Refused} as {@linkcode requireAuthority}
 */
export function endOwnSession(
  { store }: Pick<Services, "store">,
  { accountId, hash, by }: { accountId: string; hash: string; by: Authority },
): Promise<void> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const session = await tx.sessions.find(hash);
    if (session?.accountId === accountId) tx.sessions.remove(session);
  });
}

/**
 * Signs an account out everywhere: one write ends every session of it, those
 * included that begin while it is written. The rows expire by themselves.
 */
export function endEverySession(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, accountId);
    const generation = credentials.generation + 1;
    tx.credentials.save({ ...credentials, generation });
  });
}
