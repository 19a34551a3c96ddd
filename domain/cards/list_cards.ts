import type { PaymentMethod } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { usableCards } from "./card.ts";
import { readCards } from "./change_cards.ts";

/**
 * The cards an account may choose from, the newest first.
 *
 * @throws {Refused} `account_not_found`
 */
export async function listCards(
  services: Pick<Services, "store">,
  { accountId }: { accountId: string },
): Promise<{ card: PaymentMethod; isDefault: boolean }[]> {
  const { account, cards } = await readCards(services, accountId);
  return usableCards(cards).map((card) => ({
    card,
    isDefault: card.id === account.defaultPaymentMethodId,
  }));
}
