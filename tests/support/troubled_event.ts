import {
  newWebhookEvent,
  WEBHOOK_ATTEMPTS_MAX,
  type WebhookEvent,
} from "../../domain/webhooks/webhook_event.ts";

/** An event that came an hour before and could not be looked into since. */
export function troubledEvent(
  id: string,
  nowMs: number,
  changes: Partial<WebhookEvent> = {},
): WebhookEvent {
  const told = {
    id,
    type: "invoice.paid",
    objectId: "in_1",
    objectType: "invoice",
    createdAtMs: nowMs - 3_600_000,
    livemode: false,
    ofConnectedAccount: false,
  };
  return {
    ...newWebhookEvent(told, nowMs - 3_600_000),
    state: "stuck",
    attempts: WEBHOOK_ATTEMPTS_MAX,
    dueAtMs: nowMs + 3_600_000,
    trouble: "processor_uncertain",
    ...changes,
  };
}
