import type { Services } from "../ports.ts";
import { handlerOf, type WebhookHandler } from "./handlers.ts";
import type { VerifiedEvent } from "./verifier.ts";
import { newWebhookEvent, type WebhookEvent } from "./webhook_event.ts";

/** How events are taken. */
export interface Reception {
  handlers: readonly WebhookHandler[];
  /** Whether our own key at the processor is one for real money. */
  livemode: boolean;
}

/**
 * Stores an event that leads anywhere, once: the answer to the processor may
 * follow at once, since nothing is lost from here on. An event that leads
 * nowhere is only acknowledged, as is one of the other mode: refusing it would
 * make the processor repeat it for days and then switch the endpoint off.
 *
 * @returns the row when it is new, null when there is nothing more to do
 * @throws {TemporaryFailure} when it may not be stored; the processor repeats
 */
export async function receiveEvent(
  services: Pick<Services, "store" | "clock" | "log">,
  { handlers, livemode }: Reception,
  event: VerifiedEvent,
): Promise<WebhookEvent | null> {
  const { id, type, objectId, objectType } = event;
  if (objectId === null || objectType === null) return null;
  const handler = handlerOf(handlers, type);
  const isWanted = (handler?.ofConnectedAccounts ?? false) ===
    event.ofConnectedAccount;
  if (handler === null || !isWanted) return null;
  if (event.livemode !== livemode) {
    services.log.error("webhook.other_mode", { id, type });
    return null;
  }
  return await services.store.transact(async (tx) => {
    if (await tx.webhookEvents.find(id) !== null) return null;
    const row = newWebhookEvent(
      { ...event, objectId, objectType },
      services.clock.now(),
    );
    tx.webhookEvents.save(row);
    return row;
  });
}
