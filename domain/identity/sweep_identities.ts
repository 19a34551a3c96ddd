import type { Services } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { nextSyncMs } from "./identity_check.ts";
import { syncIdentity } from "./sync_identity.ts";
import { openSession } from "./start_identity_check.ts";

/** Checks of one run; the next run goes on from there. */
const RUN_MAX = 200;

/**
 * Syncs the check that the account began last, when its user comes back from it
 * or no event has come.
 *
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncLastIdentity(
  services: Services,
  { accountId }: { accountId: string },
): Promise<void> {
  const check = await services.store.identityChecks.find(accountId);
  const last = check?.tries.at(-1);
  if (check === null || last === undefined) return;
  const sessionId = last.sessionId ??
    (await openSession(services, check, null)).id;
  await syncIdentity(services, sessionId);
}

/**
 * Syncs the checks of which no event has come. One account's trouble never keeps
 * the others waiting. Safe to run twice, late and in two isolates.
 */
export async function sweepIdentities(services: Services): Promise<void> {
  const { store, clock, log } = services;
  await sweep(clock, {
    due: (nowMs) => store.listDue("identities", nowMs, { limit: RUN_MAX }),
    lanes: 4,
    async attempt({ accountId }) {
      try {
        await syncLastIdentity(services, { accountId });
      } finally {
        await postponeSync(services, accountId);
      }
    },
    failed: (_, error) =>
      log.info("identity.sync_failed", { error: String(error) }),
  });
}

/** Postpones the next sync as after any other, whatever became of this one. */
function postponeSync(
  { store, clock }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const check = await tx.identityChecks.find(accountId);
    const nowMs = clock.now();
    if (check === null || (check.lookDueAtMs ?? Infinity) > nowMs) return;
    const lookDueAtMs = nextSyncMs(check, nowMs);
    tx.identityChecks.save({ ...check, lookDueAtMs });
  });
}
