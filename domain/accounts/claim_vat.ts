import { queueCustomer } from "../payments/customer_task.ts";
import type { Keys, Services, Transaction } from "../ports.ts";
import type { Account, VatCaseReason } from "./account.ts";
import { contestVatId, isContested } from "./contested_vat.ts";
import {
  asClaimant,
  asHolder,
  claimedVatId,
  holdsVatId,
  isComplete,
  isNameOther,
  isRipe,
} from "./vat_claim.ts";

/**
 * Settles the claim of an account that is complete: it holds the id from this
 * commit on, or an operator decides. Asks nobody outside. The holder's row is a
 * check of the commit, so of two accounts that are complete at once one holds
 * it. Whoever makes an account complete calls this; a job does what a crash
 * left. Anything else is left as it is. Decision 0052 says why.
 */
export async function claimVat(
  { store, clock, log, keys }: Pick<
    Services,
    "store" | "clock" | "log" | "keys"
  >,
  { accountId }: { accountId: string },
): Promise<void> {
  const outcome = await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account === null || !isRipe(account)) return null;
    const nowMs = clock.now();
    const why = await whyWaits(keys, tx, account, nowMs);
    if (why !== null) {
      tx.accounts.save(withVatCase(account, why, nowMs));
      return "waits";
    }
    tx.accounts.save(asHolder(account, nowMs));
    // Whether VAT is charged depends on it.
    await queueCustomer(tx, accountId, nowMs);
    return "held";
  });
  if (outcome !== null) {
    log.info("vat.claimed", { account: accountId, outcome });
  }
}

/** Why an operator decides; null where the account may hold its id at once. */
async function whyWaits(
  keys: Keys,
  tx: Transaction,
  account: Account,
  nowMs: number,
): Promise<VatCaseReason | null> {
  if (isNameOther(account)) return "name";
  const vatId = claimedVatId(account) ?? "";
  // Before all that is only looked at; see there.
  const holder = await tx.vatHolders.find(vatId);
  if (await isContested(keys, tx, vatId)) {
    return holder === null ? "contested" : "held";
  }
  if (await freeVatIdFor(tx, account, nowMs)) return null;
  contestVatId(keys, tx, vatId, nowMs);
  return "held";
}

/**
 * Takes note that an account gives its VAT id up, in the commit that does. Under
 * another account the company would be rid of what this one answers for: a block,
 * or a payment that a bank can still take back. So where there is any of that,
 * only an operator gives the id to anybody from then on.
 */
export function giveUpVatId(
  keys: Keys,
  tx: Transaction,
  account: Account,
  nowMs: number,
): void {
  const vatId = account.company?.vatId ?? null;
  if (vatId === null || !isOfCompany(account)) return;
  if (isBlocked(account) || account.paidWins > 0) {
    contestVatId(keys, tx, vatId, nowMs);
  }
}

/**
 * Whether the id is the account's own company's: it holds that, or nothing but
 * another account or a person's doubt keeps it from doing so. Of an id that was
 * only typed the company itself would wait for an operator ever after.
 */
function isOfCompany(account: Account): boolean {
  if (account.vatStatus === "valid") return true;
  return claimedVatId(account) !== null && isComplete(account) &&
    !isNameOther(account);
}

/** Whether anything keeps the account from bidding that stays with the account. */
function isBlocked(
  { suspendedAtMs, disputeOpen, cardRefused }: Account,
): boolean {
  return suspendedAtMs !== null || disputeOpen || cardRefused;
}

/**
 * Whether nobody else holds the id that the account claims. Who only typed it,
 * when that was all it took, claims it from this commit on.
 */
export async function freeVatIdFor(
  tx: Transaction,
  account: Account,
  nowMs: number,
): Promise<boolean> {
  const vatId = claimedVatId(account);
  if (vatId === null) return false;
  const holder = await tx.vatHolders.find(vatId);
  if (holder === null || holder.accountId === account.id) return true;
  const other = await tx.accounts.find(holder.accountId);
  if (other === null) return true;
  if (holdsVatId(other, vatId)) return false;
  tx.accounts.save(asClaimant(other));
  await queueCustomer(tx, other.id, nowMs);
  return true;
}

function withVatCase(
  account: Account,
  why: VatCaseReason,
  nowMs: number,
): Account {
  const vatId = claimedVatId(account) ?? "";
  const name = account.company?.name ?? "";
  return { ...account, vatCase: { vatId, why, name, sinceMs: nowMs } };
}
