import type { Services } from "../ports.ts";
import { isUsable } from "./card.ts";
import { syncCardSetup } from "./sync_card_setup.ts";
import { syncCards } from "./sync_cards.ts";

/** What the user is told who comes back from the processor's page. */
export type CardSetupResult =
  | "saved"
  | "processing"
  | "not_finished"
  | "expired"
  /** It was set up, and could not be taken over: there are too many. */
  | "not_taken"
  /** That page is not known; the cards were synced all the same. */
  | "unknown";

/**
 * Syncs the set-up that the user comes back from, and the cards, so that nothing
 * is missing if the processor's event was lost.
 *
 * @param ref ours, from the address
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function finishCardSetup(
  services: Services,
  { accountId, ref }: { accountId: string; ref: string },
): Promise<CardSetupResult> {
  const { store } = services;
  const cardsState = await store.wallets.find(accountId);
  const setup = cardsState?.setups.find((each) => each.ref === ref);
  if (setup === undefined || setup.sessionId === null) {
    await syncCards(services, { accountId });
    return "unknown";
  }
  const progress = await syncCardSetup(services, setup.sessionId);
  if (progress.kind === "foreign") return "unknown";
  if (progress.kind !== "saved") return progress.kind;
  const card = await store.paymentMethods.find(accountId, progress.cardId);
  return card !== null && isUsable(card) ? "saved" : "not_taken";
}
