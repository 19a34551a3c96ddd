import type { SetupIntent } from "../payments/processor_cards.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services } from "../ports.ts";
import { syncCards } from "./sync_cards.ts";

/** How far the set-up of a card is. */
export type CardSetupProgress =
  | { kind: "saved"; cardId: string }
  /** The bank has not decided yet. */
  | { kind: "processing" }
  /** Left before the end, or declined: the page may still be open. */
  | { kind: "not_finished" }
  | { kind: "expired" }
  /** Not one of ours. */
  | { kind: "foreign" };

/**
 * Reads a set-up at the processor, a page (`cs_…`) or what is behind it
 * (`seti_…`), and takes over the cards of its account once it has succeeded.
 * The events' verb; whoever comes back from the page runs it as well.
 *
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncCardSetup(
  services: Services,
  objectId: string,
): Promise<CardSetupProgress> {
  if (!objectId.startsWith("cs_")) return await checkIntent(services, objectId);
  const asked = await services.processor.retrieveCardSetup(objectId);
  if (!asked.ok && asked.code === "resource_missing") {
    return { kind: "foreign" };
  }
  const page = acceptedValue(services, "look at a page for cards", asked);
  if (page.status === "expired") return { kind: "expired" };
  if (page.setupIntentId === null) return { kind: "not_finished" };
  return await checkIntent(services, page.setupIntentId);
}

async function checkIntent(
  services: Services,
  intentId: string,
): Promise<CardSetupProgress> {
  const asked = await services.processor.retrieveSetupIntent(intentId);
  if (!asked.ok && asked.code === "resource_missing") {
    return { kind: "foreign" };
  }
  const intent = acceptedValue(services, "look at a set-up", asked);
  const accountId = await ownerOf(services, intent);
  if (accountId === null) return { kind: "foreign" };
  if (intent.status === "processing") return { kind: "processing" };
  if (intent.status !== "succeeded" || intent.card === null) {
    return { kind: "not_finished" };
  }
  await syncCards(services, { accountId });
  return { kind: "saved", cardId: intent.card.id };
}

/** Whose set-up it is: our metadata and the customer have to agree. */
async function ownerOf(
  { store, log }: Services,
  { accountId, customerId }: SetupIntent,
): Promise<string | null> {
  if (accountId === null) return null;
  const account = await store.accounts.find(accountId);
  if (account === null) return null;
  if (account.processorCustomerId === customerId) return accountId;
  log.error("card_setup.other_customer", { account: accountId });
  return null;
}
