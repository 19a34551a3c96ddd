import { type Account, isEmptied } from "../accounts/account.ts";
import { claimVat } from "../accounts/claim_vat.ts";
import type { IdentitySession } from "../payments/processor_identity.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services, Transaction } from "../ports.ts";
import {
  type IdentityCheck,
  newIdentityCheck,
  nextSyncMs,
} from "./identity_check.ts";

/**
 * Reads a check of identity at the processor. A verified one verifies the
 * account that our own metadata names, and nothing ever takes that back: not a
 * later try that failed, and not an older answer that comes late. The events'
 * verb; whoever comes back from the page runs it as well.
 * Decision 0152 says why.
 *
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncIdentity(
  services: Services,
  sessionId: string,
): Promise<void> {
  const { processor, store } = services;
  const asked = await processor.retrieveIdentitySession(sessionId);
  if (!asked.ok && asked.code === "resource_missing") return;
  const session = acceptedValue(services, "look at an identity", asked);
  const { accountId } = session;
  if (accountId === null) return;
  await store.transact(async (tx) => {
    const [account, found] = await tx.getMany([
      tx.accounts.ref(accountId),
      tx.identityChecks.ref(accountId),
    ]);
    if (account === null || isEmptied(account)) return;
    const check = found ?? newIdentityCheck(accountId);
    recordSession(services, tx, { account, check }, session);
  });
  await claimVat(services, { accountId });
}

function recordSession(
  { clock, log }: Services,
  tx: Transaction,
  { account, check }: { account: Account; check: IdentityCheck },
  session: IdentitySession,
): void {
  const nowMs = clock.now();
  const known = withStatus(check, session);
  const isVerified = session.status === "verified";
  if (isVerified && account.identityStatus !== "verified") {
    tx.accounts.save({ ...account, identityStatus: "verified" });
    log.info("identity.verified", { account: account.id });
  }
  const verified = known.verified ??
    (isVerified ? { sessionId: session.id, atMs: nowMs } : null);
  const after = { ...known, verified };
  tx.identityChecks.save({ ...after, lookDueAtMs: nextSyncMs(after, nowMs) });
}

/** How the last try stands; an earlier one's state is of no interest. */
function withStatus(
  check: IdentityCheck,
  { id, status, lastErrorCode }: IdentitySession,
): IdentityCheck {
  const last = check.tries.at(-1);
  const isLast = last === undefined || last.sessionId === id;
  return isLast ? { ...check, status, lastErrorCode } : check;
}
