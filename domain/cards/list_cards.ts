import type { PaymentMethod } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { usableCards } from "./card.ts";
import { readCards } from "./change_cards.ts";

/** A card as its owner sees it. */
export interface OwnCard {
  card: PaymentMethod;
  isDefault: boolean;
}

/**
 * The cards an account may choose from, the newest first.
 *
 * @throws {Refused} `account_not_found`
 */
export async function listCards(
  services: Pick<Services, "store">,
  { accountId }: { accountId: string },
): Promise<OwnCard[]> {
  const { account, cards } = await readCards(services, accountId);
  return usableCards(cards).map((card) => ({
    card,
    isDefault: card.id === account.defaultPaymentMethodId,
  }));
}
