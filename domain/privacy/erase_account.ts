import type { Account } from "../accounts/account.ts";
import { giveUpVatId } from "../accounts/claim_vat.ts";
import { hasOpenDispute } from "../accounts/eligibility.ts";
import { isDayBeingSettled } from "../bids/list_live_bids.ts";
import { dayOf } from "../day.ts";
import { invariant } from "../invariant.ts";
import { keepSuppression } from "../mail/suppression.ts";
import { revokeEveryGrant } from "../oauth/revoke_every_grant.ts";
import { ProcessorUncertain } from "../failure.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import { listOwnAccounts } from "../partners/list_own_accounts.ts";
import { ACCOUNT_GONE } from "../payments/processor_partners.ts";
import type { Services, Store, Transaction } from "../ports.ts";
import { credentialsOf } from "../sessions/credentials.ts";
import { advance } from "../state_machine.ts";
import { dataRequestsOf } from "./data_requests.ts";
import { eraseBids } from "./erase_bids.ts";
import { eraseMailsOf, eraseRows } from "./erase_rows.ts";
import { type Erasure, ERASURE_STATES } from "./erasure.ts";
import { redactIdentity } from "./redact_identity.ts";

/** How an erasure is done. */
export interface EraseAccount {
  accountId: string;
  /**
   * It was done before, and a backup of before brought the account back: what is
   * settled is not waited for, and the processor knows already.
   */
  isRepeated?: boolean;
}

/** Customers of an account that are deleted at a time. */
const CUSTOMERS_MAX = 1_000;
/** Told by the processor of a customer that was deleted before. */
const GONE_THERE = "resource_missing";

/**
 * Erases an account, step by step. Each step is done again from the first one
 * after a crash, and finds done what was done: the account itself goes last, so
 * that a process that dies leaves a row from which the next one goes on.
 *
 * @returns `waits` while a day or a payout is being settled, or a bank has not
 *   decided a dispute: mostly nothing was begun. A day that closes just as it
 *   begins, and one that a backup brought back closed, is settled without the
 *   emptied account, whose erasure then goes on. `kept` where nobody wants it
 *   any more, or not yet
 * @throws {ProcessorUncertain} when the processor gives no definite answer
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function eraseAccount(
  services: Services,
  { accountId, isRepeated = false }: EraseAccount,
): Promise<"erased" | "waits" | "kept"> {
  const { store } = services;
  const standing = await dataRequestsOf(store, accountId);
  const hasBegun = standing.erasure?.state === "erasing";
  if (!hasBegun && !isRepeated && await isBeingSettled(services, accountId)) {
    return "waits";
  }
  const erasure = await begin(services, accountId, isRepeated);
  if (typeof erasure === "string") return erasure;
  const { begun } = erasure;
  invariant(begun !== undefined, "an erasure that has begun says of whom");
  await revokeEveryGrant(services, { accountId });
  // No new bid is accepted from here on, so that no day is added to these.
  const isLate = await isBeingSettled(services, accountId);
  if (isLate && !isRepeated) return "waits";
  const whose = { accountId, email: begun.email };
  const partnerStays = isRepeated
    ? null
    : await deleteThere(services, accountId);
  const keepsPartner = partnerStays !== null;
  const erased = { accountId, country: begun.country ?? null };
  let isAnyLeft = false;
  // Again: a request that was let through before may have written behind it.
  for (let round = 0; round < 2; round++) {
    isAnyLeft = await eraseBids(services, erased) === "some_left";
    await eraseRows(services, { accountId, keepsPartner });
    await eraseMailsOf(services, whose, begun.atMs);
  }
  if (keepsPartner) throw partnerStays;
  // Of a day that has closed since it was looked, nothing would go any more.
  if (isLate || isAnyLeft) return "waits";
  await end(services, accountId);
  return "erased";
}

/**
 * Whether money is about to move for the account, or a day's settlement still
 * names it, which is emptied once it has ended: that ends first.
 */
async function isBeingSettled(
  services: Services,
  accountId: string,
): Promise<boolean> {
  const { store } = services;
  const account = await store.accounts.find(accountId);
  if (account !== null && await isMoneyMoving(store, account)) return true;
  return await isDayBeingSettled(services, { accountId });
}

/**
 * The commit from which nothing leads back: the account is empty and belongs to
 * nobody, every browser is signed out, and no bid of it is accepted.
 *
 * @returns the erasure; `erased` where there is no account any more, `kept` where
 *   none is wanted, or not yet; `waits` for a dispute or a payout that began since
 *   it was looked
 */
function begin(
  { store, clock, keys }: Services,
  accountId: string,
  isRepeated: boolean,
): Promise<Erasure | "waits" | "erased" | "kept"> {
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const requests = await dataRequestsOf(tx, accountId);
    const account = await tx.accounts.find(accountId);
    const credentials = await credentialsOf(tx, accountId);
    if (account === null) return "erased";
    const wanted = isRepeated ? repeated(nowMs) : requests.erasure;
    if (requests.erasure?.state === "erasing") return requests.erasure;
    const eraseAtMs = wanted?.eraseAtMs ?? null;
    if (wanted === undefined || eraseAtMs === null || eraseAtMs > nowMs) {
      return "kept";
    }
    if (!isRepeated && await isMoneyMoving(tx, account)) return "waits";
    giveUpVatId(keys, tx, account, nowMs);
    keepSuppression(keys, tx, account);
    const { email, company } = account;
    const country = company?.country ?? null;
    const erasure: Erasure = {
      ...wanted,
      state: advance(ERASURE_STATES, wanted.state, "erasing"),
      begun: { email, country, atMs: nowMs },
    };
    // One that is repeated has nobody's lease: a job finishes what it leaves.
    const dueAtMs = requests.dueAtMs ?? nowMs;
    tx.dataRequests.save({ ...requests, erasure, dueAtMs, expiresAtMs: null });
    tx.accounts.save(emptied(account, nowMs));
    const generation = credentials.generation + 1;
    tx.credentials.save({ accountId, generation, passkeys: [] });
    return erasure;
  });
}

/** The same without days, of which a commit can't read so many. */
async function isMoneyMoving(
  { partnerBalances }: Pick<Transaction | Store, "partnerBalances">,
  account: Account,
): Promise<boolean> {
  if (hasOpenDispute(account)) return true;
  const balance = await partnerBalances.find(account.id);
  return (balance?.openPayoutId ?? null) !== null;
}

/** An erasure that was confirmed before the backup's rows came back. */
function repeated(nowMs: number): Erasure {
  return {
    id: "repeated",
    state: "confirmed",
    grantId: null,
    askedAtMs: nowMs,
    confirmUntilMs: nowMs,
    eraseAtMs: nowMs,
  };
}

/** The account without anything of its owner; it is no longer let bid. */
function emptied(account: Account, nowMs: number): Account {
  return {
    id: account.id,
    email: "",
    createdAtMs: account.createdAtMs,
    company: null,
    vatStatus: "unverified",
    identityStatus: "unverified",
    suspendedAtMs: nowMs,
    disputeOpen: false,
    cardRefused: false,
    partner: false,
    paidWins: account.paidWins,
    processorCustomerId: account.processorCustomerId,
    defaultPaymentMethodId: null,
  };
}

/**
 * Has the processor forget all that it knows.
 *
 * @returns why where a partner was paid is still known there, which may last for
 *   as long as money lies there, and keeps nothing else; null for forgotten
 * @throws {ProcessorUncertain} for all else that it does not forget
 */
async function deleteThere(
  services: Services,
  accountId: string,
): Promise<ProcessorUncertain | null> {
  await redactIdentity(services, accountId);
  await deleteCustomers(services, accountId);
  try {
    await deletePartnerAccounts(services, accountId);
    return null;
  } catch (thrown) {
    if (thrown instanceof ProcessorUncertain) return thrown;
    throw thrown;
  }
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
  for (const id of ids) {
    const outcome = await processor.deleteCustomer(id, `erasure:${id}`);
    if (outcome.ok || outcome.code === GONE_THERE) continue;
    throw new ProcessorUncertain(`The processor refused: ${outcome.code}`);
  }
  // It is asked again, and those are gone by then.
  if (listed.isCut) throw new ProcessorUncertain("There are more customers");
}

/**
 * Has the processor forget where a partner was paid, also by an account that the
 * store never heard of, as its answer or a backup was lost. While money lies
 * there it refuses, and is asked again until that has reached the partner's bank;
 * none of the others waits for that.
 */
async function deletePartnerAccounts(
  services: Services,
  accountId: string,
): Promise<void> {
  const partner = await services.store.partners.find(accountId);
  const known = partner?.connectedAccount?.id;
  const refusals = known === undefined
    ? []
    : [await deletePartnerAccount(services, known)];
  const since = partner?.appliedAtMs ?? null;
  for (const { id } of await listOwnAccounts(services, accountId, since)) {
    if (id !== known) refusals.push(await deletePartnerAccount(services, id));
  }
  const first = refusals.find((refusal) => refusal !== null) ?? null;
  if (first !== null) throw first;
}

/** Deletes one of them; answers why it is still there, or null. */
async function deletePartnerAccount(
  services: Services,
  id: string,
): Promise<ProcessorUncertain | null> {
  const { processor, clock } = services;
  try {
    const known = await processor.retrievePartnerAccount(id);
    if (!known.ok && ACCOUNT_GONE.includes(known.code)) return null;
    // Another key each day: a no would be the answer to this one for so long.
    const today = dayOf(clock.now());
    const key = `erasure:${id}:${today}`;
    const outcome = await processor.deletePartnerAccount(id, key);
    if (outcome.ok) return null;
    return new ProcessorUncertain(`The processor refused: ${outcome.code}`);
  } catch (thrown) {
    if (thrown instanceof ProcessorUncertain) return thrown;
    throw thrown;
  }
}

/** The last commit: nothing is left but that there was an account. */
function end({ store, clock }: Services, accountId: string): Promise<void> {
  return store.transact(async (tx) => {
    const [requests, account, credentials] = await tx.getMany([
      tx.dataRequests.ref(accountId),
      tx.accounts.ref(accountId),
      tx.credentials.ref(accountId),
    ]);
    if (account !== null) tx.accounts.remove(account);
    if (credentials !== null) tx.credentials.remove(credentials);
    if (requests !== null) tx.dataRequests.remove(requests);
    tx.erasedAccounts.save({ accountId, erasedAtMs: clock.now() });
  });
}
