import { isoTime } from "../../../domain/day.ts";
import { listTroubledEvents } from "../../../domain/webhooks/list_troubled_events.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import type { WebhookEvent } from "../../../domain/webhooks/webhook_event.ts";
import { type Route, route } from "../../route_table.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";
import { TROUBLE_WORDS } from "./webhook_events.tsx";

const PATH = "/operator/v1/webhook_events";

/** What the processor told of and nobody could look into, and trying again. */
export function webhookEventRoutes(
  { services, eventWork }: Pick<OperatorParts, "services" | "eventWork">,
): Route[] {
  return [
    route("GET", PATH, async () => {
      const { events, isPartial } = await listTroubledEvents(services);
      const records = events.map(toRecord);
      return operatorAnswer({ events: records, has_more: isPartial });
    }),
    route("POST", `${PATH}/:id/retry`, async (context) => {
      const eventId = context.req.param("id");
      return operatorAnswer(toRecord(await retryEvent(eventWork, { eventId })));
    }),
  ];
}

function toRecord(event: WebhookEvent): Record<string, unknown> {
  const { id, type, objectId, state, attempts, trouble } = event;
  return {
    id,
    type,
    object_id: objectId,
    state,
    attempts,
    trouble: trouble ?? null,
    detail: trouble === undefined ? null : TROUBLE_WORDS[trouble],
    received_at: isoTime(event.receivedAtMs),
    due_at: isoOrNull(state === "done" ? null : event.dueAtMs),
  };
}
