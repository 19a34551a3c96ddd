import type { Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { credentialsOf } from "./credentials.ts";
import type { Session } from "./session.ts";

/** Under what a change is asked for: an agent's grant, or a browser's session. */
export type Authority =
  | { grant: { id: string; lineId: string } }
  | { session: Pick<Session, "hash" | "accountId" | "generation"> };

/**
 * Refuses a change whose authority has ended since the request was let through,
 * as a check of its commit. For what gives others a lasting right or a secret,
 * which would outlive the moment. Decision 0060 says why.
 *
 * @throws {Refused} `token_invalid` for a grant or line that has ended by now,
 * `session_missing` for a session that is over
 */
export async function requireAuthority(
  tx: Transaction,
  authority: Authority,
): Promise<void> {
  if ("grant" in authority) {
    const { id, lineId } = authority.grant;
    const grant = await tx.grants.find(id);
    const isLive = grant?.revokedAtMs === null &&
      grant.lines.some((line) => line.id === lineId);
    if (!isLive) refuse({ code: "token_invalid" });
    return;
  }
  const { hash, accountId, generation } = authority.session;
  const [session] = await tx.getMany([
    tx.sessions.ref(hash),
    tx.credentials.ref(accountId),
  ]);
  const credentials = await credentialsOf(tx, accountId);
  if (session === null || credentials.generation !== generation) {
    refuse({ code: "session_missing" });
  }
}
