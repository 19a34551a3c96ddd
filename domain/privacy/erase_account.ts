import type { Account } from "../accounts/account.ts";
import { giveUpVatId } from "../accounts/claim_vat.ts";
import { hasOpenDispute } from "../accounts/eligibility.ts";
import { isDayBeingSettled } from "../bids/list_live_bids.ts";
import { invariant } from "../invariant.ts";
import { keepSuppression } from "../mail/suppression.ts";
import { revokeEveryGrant } from "../oauth/revoke_every_grant.ts";
import { ProcessorUncertain } from "../failure.ts";
import type { Services, Store, Transaction } from "../ports.ts";
import { credentialsOf } from "../sessions/credentials.ts";
import { advance } from "../state_machine.ts";
import { dataRequestsOf } from "./data_requests.ts";
import { deleteThere } from "./delete_there.ts";
import { eraseBids } from "./erase_bids.ts";
import { eraseMailsOf, eraseRows } from "./erase_rows.ts";
import { type Erasure, ERASURE_STATES } from "./erasure.ts";

/** How an erasure is done. */
export interface EraseAccount {
  accountId: string;
  /**
   * It was done before, and a backup of before brought the account back: what is
   * settled is not waited for, and the processor knows already.
   */
  isRepeated?: boolean;
}

/**
 * Erases an account, step by step. Each step is done again from the first one
 * after a crash, and finds done what was done: the account itself goes last, so
 * that a process that dies leaves a row from which the next one goes on. What is
 * ours goes before the processor is asked, so that nothing waits for that but the
 * ids by which it is asked again.
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
  const owner = { accountId, ...begun };
  // The processor may keep what it has for as long as money lies there.
  const isLeft = await eraseHere(services, owner);
  await forgetOwner(services, accountId, isLeft);
  const kept = isRepeated ? null : await keptThere(services, accountId);
  // Again: a request that was let through before may have written behind it.
  const isAnyLeft = await eraseHere(services, owner);
  if (kept !== null) throw kept;
  // Of a day that has closed since it was looked, nothing would go any more.
  if (isLate || isAnyLeft) return "waits";
  await end(services, accountId);
  return "erased";
}

/** Whose account is erased, as its erasure says. */
type Owner = { accountId: string } & NonNullable<Erasure["begun"]>;

/**
 * Erases the account's rows.
 *
 * @returns whether any is left until a day has settled
 */
async function eraseHere(
  services: Services,
  { accountId, email, country = null, atMs }: Owner,
): Promise<boolean> {
  const left = await eraseBids(services, { accountId, country });
  await eraseRows(services, { accountId });
  await eraseMailsOf(services, { accountId, email }, atMs);
  return left === "some_left";
}

/**
 * Takes from the erasure itself what was needed for that alone. Of settled days a
 * later attempt, which knows no country, changes no name that is kept by then.
 *
 * @param isLeft whether a day is still to be settled, whose name the country decides
 */
function forgetOwner(
  { store }: Services,
  accountId: string,
  isLeft: boolean,
): Promise<void> {
  return store.transact(async (tx) => {
    const requests = await tx.dataRequests.find(accountId);
    if (requests?.erasure?.begun === undefined) return;
    const { erasuresAskedAtMs: _, ...rest } = requests;
    const { country = null, atMs } = requests.erasure.begun;
    const begun = { email: "", country: isLeft ? country : null, atMs };
    const after: Erasure = { ...requests.erasure, grantId: null, begun };
    tx.dataRequests.save({ ...rest, exports: [], erasure: after });
  });
}

/** Why the processor does not delete all that it has, for now; null where it did. */
async function keptThere(
  services: Services,
  accountId: string,
): Promise<ProcessorUncertain | null> {
  try {
    await deleteThere(services, accountId);
    return null;
  } catch (thrown) {
    if (thrown instanceof ProcessorUncertain) return thrown;
    throw thrown;
  }
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

/** The last commit: nothing is left but that there was an account. */
function end({ store, clock }: Services, accountId: string): Promise<void> {
  return store.transact(async (tx) => {
    const [requests, account, credentials, partner] = await tx.getMany([
      tx.dataRequests.ref(accountId),
      tx.accounts.ref(accountId),
      tx.credentials.ref(accountId),
      tx.partners.ref(accountId),
    ]);
    if (account !== null) tx.accounts.remove(account);
    if (credentials !== null) tx.credentials.remove(credentials);
    if (partner !== null) tx.partners.remove(partner);
    if (requests !== null) tx.dataRequests.remove(requests);
    tx.erasedAccounts.save({ accountId, erasedAtMs: clock.now() });
  });
}
