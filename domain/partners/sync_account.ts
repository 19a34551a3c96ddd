import { isEmptied } from "../accounts/account.ts";
import { MINUTE_MS } from "../day.ts";
import { nameOfThrown, TemporaryFailure } from "../failure.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import { ACCOUNT_GONE } from "../payments/processor_partners.ts";
import type { Services } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { everyPartner } from "./every_partner.ts";
import { connectedAccountOf, type Partner } from "./partner.ts";
import { withStanding } from "./standing.ts";

/**
 * Reads a partner's account at the processor: whether it can be paid, and so
 * whether its links count. The events' verb; whoever comes back from the page
 * runs it as well. Of two answers the one that was asked for later counts.
 *
 * @param id the processor's
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncAccount(
  services: Services,
  id: string,
): Promise<void> {
  const { processor, store, clock, log } = services;
  const askedAtMs = clock.now();
  const asked = await processor.retrievePartnerAccount(id);
  if (!asked.ok && ACCOUNT_GONE.includes(asked.code)) return;
  const found = acceptedValue(services, "look at a partner's account", asked);
  const { accountId } = found;
  if (accountId === null) return;
  const isPaid = await store.transact(async (tx) => {
    const [partner, account] = await tx.getMany([
      tx.partners.ref(accountId),
      tx.accounts.ref(accountId),
    ]);
    const known = partner?.connectedAccount ?? null;
    if (partner === null || account === null || known?.id !== id) return null;
    if (isEmptied(account)) return null;
    if (known.syncedAtMs > askedAtMs) return null;
    const { createdAtMs } = known;
    const connectedAccount = connectedAccountOf(found, createdAtMs, askedAtMs);
    const after = { ...partner, connectedAccount };
    tx.partners.save(after);
    tx.accounts.save(withStanding(account, after));
    const isNew = known.payoutsEnabled !== found.payoutsEnabled;
    return isNew ? found.payoutsEnabled : null;
  });
  if (isPaid !== null) {
    log.info("partner.account", { partner: accountId, can_be_paid: isPaid });
  }
}

/**
 * The same for the account of a partner, if it has one.
 *
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncOwnAccount(
  services: Services,
  { partnerId }: { partnerId: string },
): Promise<void> {
  const partner = await services.store.partners.find(partnerId);
  const id = partner?.connectedAccount?.id;
  if (id !== undefined) await syncAccount(services, id);
}

/** None is begun later, as each is one call of the processor. */
const BEGIN_WITHIN_MS = 10 * MINUTE_MS;

/**
 * The same for every partner, since an event may have been lost: every night.
 * One account's trouble keeps no other from being synced.
 */
export async function syncAccounts(services: Services): Promise<void> {
  const { clock, log } = services;
  await sweep(clock, {
    due: () => payablePartners(services),
    beginWithinMs: BEGIN_WITHIN_MS,
    attempt: ({ accountId: partnerId }) =>
      syncOwnAccount(services, { partnerId }),
    failed({ accountId: partner }, thrown) {
      const error = nameOfThrown(thrown);
      const isExpected = thrown instanceof TemporaryFailure;
      log[isExpected ? "info" : "error"]("partner.sync_failed", {
        partner,
        error,
      });
    },
  });
}

/** Those with an account at the processor: an operator approved each. */
async function payablePartners(services: Services): Promise<Partner[]> {
  const partners: Partner[] = [];
  for await (const partner of everyPartner(services)) {
    if (partner.connectedAccount !== null) partners.push(partner);
  }
  return partners;
}
