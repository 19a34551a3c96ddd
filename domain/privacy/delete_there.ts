/**
 * Has the processor forget all that it knows of an account. What it keeps for now
 * is asked for again, and keeps nothing else: neither there nor here.
 *
 * @module
 */
import { dayOf } from "../day.ts";
import { nameOfThrown, ProcessorUncertain } from "../failure.ts";
import { listOwnAccounts } from "../partners/list_own_accounts.ts";
import { ACCOUNT_GONE } from "../payments/processor_partners.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import { eachInTurn } from "./each_in_turn.ts";
import { KeptThere } from "./kept_there.ts";
import { redactIdentity } from "./redact_identity.ts";

/** Customers of an account that are deleted at a time. */
const CUSTOMERS_MAX = 1_000;
/** Told by the processor of a customer that was deleted before. */
const GONE_THERE = "resource_missing";

/** What there is of an account, as the log calls it. */
const PARTS = {
  identity_checks: redactIdentity,
  customer: deleteCustomers,
  partner_account: deletePartnerAccounts,
} as const;

/**
 * Asks for all of it. The log says what is left, and why.
 *
 * @throws {ProcessorUncertain} while anything is left there: a check of identity
 *   that is under way, an account where money lies, or what it did not answer
 */
export function deleteThere(
  services: Services,
  accountId: string,
): Promise<void> {
  return eachInTurn(Object.entries(PARTS), async ([what, part]) => {
    try {
      await part(services, accountId);
    } catch (thrown) {
      const why = thrown instanceof KeptThere
        ? thrown.code
        : nameOfThrown(thrown);
      services.log.info("privacy.left", { account: accountId, what, why });
      throw thrown;
    }
  });
}

/**
 * Has the processor forget the customer, its cards with it, and each of the
 * account's that the store never heard of, as its answer or a backup was lost.
 */
async function deleteCustomers(
  { store, processor }: Services,
  accountId: string,
): Promise<void> {
  const account = await store.accounts.find(accountId);
  const known = account?.processorCustomerId ?? null;
  const ids = new Set(known === null ? [] : [known]);
  const listed = await readUpTo(
    CUSTOMERS_MAX,
    (cursor, limit) => processor.listCustomers(accountId, cursor, limit),
  );
  for (const { id } of listed.items) ids.add(id);
  await eachInTurn(ids, async (id) => {
    const outcome = await processor.deleteCustomer(id, `erasure:${id}`);
    if (outcome.ok || outcome.code === GONE_THERE) return;
    throw new KeptThere(outcome.code);
  });
  // It is asked again, and those are gone by then.
  if (listed.isCut) throw new ProcessorUncertain("There are more customers");
}

/**
 * Has the processor forget where a partner was paid, also by an account that the
 * store never heard of, as its answer or a backup was lost. While money lies
 * there it refuses, and is asked again until that has reached the partner's bank.
 */
async function deletePartnerAccounts(
  services: Services,
  accountId: string,
): Promise<void> {
  const partner = await services.store.partners.find(accountId);
  const known = partner?.connectedAccount?.id ?? null;
  const since = partner?.appliedAtMs ?? null;
  const remove = (id: string) => deletePartnerAccount(services, id);
  await eachInTurn([
    () => known === null ? Promise.resolve() : remove(known),
    async () => {
      const own = await listOwnAccounts(services, accountId, since);
      const others = own.map(({ id }) => id).filter((id) => id !== known);
      await eachInTurn(others, remove);
    },
  ], (step) => step());
}

async function deletePartnerAccount(
  { processor, clock }: Services,
  id: string,
): Promise<void> {
  const known = await processor.retrievePartnerAccount(id);
  if (!known.ok && ACCOUNT_GONE.includes(known.code)) return;
  // Another key each day: a no would be the answer to this one for so long.
  const key = `erasure:${id}:${dayOf(clock.now())}`;
  const outcome = await processor.deletePartnerAccount(id, key);
  if (!outcome.ok) throw new KeptThere(outcome.code);
}
