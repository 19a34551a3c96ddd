import { requireAccount } from "../accounts/require_account.ts";
import type { Account } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { groupsOf } from "../groups.ts";
import { isLost } from "./dispute.ts";

/** Disputes that are read at a time, and marked in one commit. */
const DISPUTES_A_READ = 8;

/**
 * Marks which of the disputes that block an account were lost. Moving a dispute
 * does so in its own commit; accounts that were blocked before that was kept
 * get their marks here.
 *
 * @throws {Refused} `account_not_found`
 */
export async function markLostDisputes(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<Account> {
  let account = await requireAccount(store, accountId);
  const ids = unmarkedOf(account);
  for (const some of groupsOf(ids, DISPUTES_A_READ)) {
    account = await store.transact(async (tx) => {
      const found = await requireAccount(tx, accountId);
      const disputes = await tx.getMany(some.map((id) => tx.disputes.ref(id)));
      const lost = unmarkedOf(found).filter((id) => {
        const dispute = disputes[some.indexOf(id)];
        return dispute && isLost(dispute);
      });
      if (lost.length === 0) return found;
      const marked = withLost(found, lost, clock.now());
      tx.accounts.save(marked);
      return marked;
    });
  }
  return account;
}

/** The account with these disputes among those that were lost. */
export function withLost(
  account: Account,
  ids: readonly string[],
  nowMs: number,
): Account {
  const { lostDisputes = [], disputeLostAtMs = nowMs } = account;
  const others = lostDisputes.filter((id) => !ids.includes(id));
  return { ...account, lostDisputes: [...others, ...ids], disputeLostAtMs };
}

/** The account without these disputes among those that were lost. */
export function withoutLost(
  account: Account,
  ids: readonly string[],
): Account {
  const { lostDisputes = [], disputeLostAtMs, ...rest } = account;
  const left = lostDisputes.filter((id) => !ids.includes(id));
  if (left.length === 0 || disputeLostAtMs === undefined) return rest;
  return { ...rest, lostDisputes: left, disputeLostAtMs };
}

/** Whether the account may have a lost dispute that is not marked. */
export function isUnmarked(account: Account, disputeId: string): boolean {
  return unmarkedOf(account).includes(disputeId);
}

function unmarkedOf(
  { blockingDisputes = [], lostDisputes = [] }: Account,
): readonly string[] {
  return blockingDisputes.filter((id) => !lostDisputes.includes(id));
}
