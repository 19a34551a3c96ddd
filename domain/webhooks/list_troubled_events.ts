import type { Services } from "../ports.ts";
import type { WebhookEvent } from "./webhook_event.ts";

/** Events that a list names. */
const NAMED_MAX = 50;

/** The processor's events that are not done though they were tried. */
export interface TroubledEvents {
  /** Those a person is told of first, then by when they came in. */
  events: readonly WebhookEvent[];
  /** There are more than are named. */
  isPartial: boolean;
}

/** Lists the events that could not be processed, for the operator. */
export async function listTroubledEvents(
  { store }: Pick<Services, "store">,
): Promise<TroubledEvents> {
  const found = await store.listTroubledWebhookEvents({ limit: NAMED_MAX + 1 });
  const named = found.slice(0, NAMED_MAX);
  return {
    events: [
      ...named.filter(({ state }) => state === "stuck"),
      ...named.filter(({ state }) => state !== "stuck"),
    ],
    isPartial: found.length > NAMED_MAX,
  };
}
