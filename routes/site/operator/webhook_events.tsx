import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/day.ts";
import type { TroubledEvents } from "../../../domain/webhooks/list_troubled_events.ts";
import type {
  EventTrouble,
  WebhookEvent,
} from "../../../domain/webhooks/webhook_event.ts";
import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";

/** What went wrong with the last attempt, for the operator who has to fix it. */
export const TROUBLE_WORDS: Readonly<Record<EventTrouble, string>> = {
  processor_uncertain: "The processor gave no definite answer.",
  processor_refused: "The processor refused what it has no reason to refuse.",
  store: "The store did not answer.",
  process_ended: "The process that looked came to its end first.",
  unexpected:
    "Something nobody had thought of went wrong: webhook.failed in the log " +
    "says what.",
};

/** Events of the processor that could not be processed so far. */
export function WebhookEvents(
  { found, nowMs, retryPath }: {
    found: TroubledEvents;
    nowMs: number;
    retryPath: (eventId: string) => string;
  },
): Html {
  const { events, isPartial } = found;
  return (
    <section id="events">
      <h2>Events that could not be processed</h2>
      {events.length === 0 && (
        <p>
          Every event of the processor was processed.
        </p>
      )}
      {isPartial && <p>There are more than this page names.</p>}
      <ul>
        {events.map((event) => (
          <li>
            <EventLine event={event} nowMs={nowMs} />
            <Form action={retryPath(event.id)}>
              <Button kind="plain">Try {event.type} again</Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function EventLine(
  { event, nowMs }: { event: WebhookEvent; nowMs: number },
): Html {
  const { id, type, state, attempts, trouble, receivedAtMs, dueAtMs } = event;
  return (
    <p>
      <code>{type}</code> <code>{id}</code> about <code>{event.objectId}</code>,
      {" "}
      {ageInWords(nowMs - receivedAtMs)} old, is {state} after{" "}
      {count(attempts, "attempt")}. {trouble && TROUBLE_WORDS[trouble]}{" "}
      Next try: <Moment atMs={dueAtMs} />.
    </p>
  );
}

/** How old something is, in its largest whole unit. */
export function ageInWords(ms: number): string {
  if (ms >= DAY_MS) return count(ms / DAY_MS, "day");
  if (ms >= HOUR_MS) return count(ms / HOUR_MS, "hour");
  return count(Math.max(ms, 0) / MINUTE_MS, "minute");
}

/** So many whole units, in words: "1 attempt". */
export function count(some: number, unit: string): string {
  const whole = Math.floor(some);
  return whole === 1 ? `1 ${unit}` : `${whole} ${unit}s`;
}
