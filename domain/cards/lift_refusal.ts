import type { Account } from "../accounts/account.ts";
import {
  type AccountOrder,
  decideAboutAccount,
  type DecisionServices,
} from "../accounts/decide_about_account.ts";
import type { Transaction } from "../ports.ts";
import { isRefused } from "./card.ts";
import { cardsStateOf } from "./cards_state.ts";

/**
 * Lets an account bid again though its card was refused, and save that card
 * again, by an operator's decision. Where no card was refused nothing changes.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` without a reason
 */
export function liftRefusal(
  services: DecisionServices,
  order: AccountOrder,
): Promise<Account> {
  return decideAboutAccount(services, order, async (tx, account) => {
    if (!hasRefusedCard(account)) return null;
    await clearDefault(tx, account);
    const { refusedFingerprints: _refused, ...rest } = account;
    return {
      account: { ...rest, cardRefused: false },
      event: "refusal_lifted",
    };
  });
}

/** The card that is charged next is tried again. */
async function clearDefault(
  tx: Pick<Transaction, "paymentMethods" | "wallets">,
  { id: accountId, defaultPaymentMethodId: id }: Account,
): Promise<void> {
  const card = id === null ? null : await tx.paymentMethods.find(accountId, id);
  if (card === null || !isRefused(card)) return;
  const { refusedAtMs: _, ...cleared } = card;
  const cardsState = await cardsStateOf(tx, accountId);
  tx.paymentMethods.save(cleared);
  // A change of the cards that is under way begins again.
  tx.wallets.save({ ...cardsState, version: cardsState.version + 1 });
}

/** Whether the account has a refused card, or remembers one. */
export function hasRefusedCard(account: Account): boolean {
  return account.cardRefused || (account.refusedFingerprints ?? []).length > 0;
}
