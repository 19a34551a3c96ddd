/**
 * A backup of before an erasure brings the account back. Each that is known to
 * have been erased is erased again before the restored store may act: by the
 * rows of the backup itself, and by those that an operator adds from a later
 * backup or the log.
 *
 * @module
 */
import { everyRecord } from "../every_record.ts";
import type { Services } from "../ports.ts";
import { eraseAccount } from "./erase_account.ts";
import type { ErasedAccount } from "./erasure.ts";

/** Says that an account was erased after the backup; nothing is erased by it. */
export function noteErased(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<void> {
  return store.transact((tx) =>
    tx.erasedAccounts.save({ accountId, erasedAtMs: clock.now() })
  );
}

/**
 * Erases again what a backup brought back. What moved money was adopted before;
 * the processor was told when the account was first erased.
 */
export async function eraseAgain(services: Services): Promise<void> {
  const { store, log } = services;
  const erased = everyRecord<ErasedAccount>((last, limit) =>
    store.listErasedAccounts({ limit, after: last?.accountId ?? null })
  );
  for await (const { accountId } of erased) {
    if (await store.accounts.find(accountId) === null) continue;
    const again = { accountId, isRepeated: true };
    const outcome = await eraseAccount(services, again);
    // One with a day that is still to be settled is empty, and ends after that.
    if (outcome === "erased") {
      log.info("privacy.erased", { account: accountId });
    }
  }
}
