import type { Account } from "../accounts/account.ts";
import type { Transaction } from "../ports.ts";
import { cardsStateOf } from "./cards_state.ts";

/**
 * Writes in the caller's own commit that a winning bid could not be charged to
 * a card. The new version makes a change of the cards that is under way begin
 * again.
 */
export async function markRefused(
  tx: Pick<Transaction, "accounts" | "paymentMethods" | "wallets">,
  account: Account,
  { paymentMethodId, nowMs }: { paymentMethodId: string; nowMs: number },
): Promise<void> {
  const card = await tx.paymentMethods.find(account.id, paymentMethodId);
  const cardsState = await cardsStateOf(tx, account.id);
  tx.accounts.save({ ...account, cardRefused: true });
  if (card === null) return;
  tx.paymentMethods.save({ ...card, refusedAtMs: nowMs });
  tx.wallets.save({ ...cardsState, version: cardsState.version + 1 });
}
