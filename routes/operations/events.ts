import { z } from "zod";
import { callbackRecord } from "../../domain/callbacks/callback_record.ts";
import { findCallback } from "../../domain/callbacks/set_callback.ts";
import { awaitEvents } from "../../domain/events/await_events.ts";
import { DAY_MS } from "../../domain/day.ts";
import { EVENT_KEPT_MS, eventRecord } from "../../domain/events/event.ts";
import type { EventPage } from "../../domain/events/list_events.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../domain/limits.ts";
import { fromBase64url, toBase64url } from "../http/base64url.ts";
import type { eventList } from "../shapes/records.ts";
import { type AgentOperation, reading } from "./operation.ts";
import { optionalInteger, optionalText } from "./parameters.ts";
import { settingCallback } from "./setting_callback.ts";

/** How long a request may wait for an event, s (contract §10.4). */
const EVENT_WAIT_MAX_S = 25;
/** The same for a tool's call, which has a longest time of its own. */
const EVENT_TOOL_WAIT_MAX_S = 15;

/** The longest of ours is a moment of 15 digits, in base64url. */
const AFTER_MAX = 32;
const PLACE = /^\d{1,15}$/;
const FIRST_TIME = "left out the first time, which begins at the oldest " +
  `event of ${EVENT_KEPT_MS / DAY_MS} days`;

const place = z.string().max(AFTER_MAX).transform((text, context) => {
  const position = fromBase64url(text);
  if (position !== null && PLACE.test(position)) return Number(position);
  const message = `must be the after of an answer, and ${FIRST_TIME}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** What has happened to the account since its agent last asked. */
export const EVENT_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /events",
    scope: "account:read",
    id: "listEvents",
    summary: "List what has happened, or wait for it",
    docs:
      "`{items, after, has_more}`: the [events](#events) of your account, " +
      "oldest first.",
    tool: "list_events",
    title: "Events of the account",
    description: "Lists what has happened to the account, oldest first: " +
      "reviews of creatives, auctions closed, bids won and lost, payments, " +
      "refunds. Pass the after of the last answer to get what is new (it is " +
      `${FIRST_TIME}), and ` +
      `wait (at most ${EVENT_TOOL_WAIT_MAX_S} seconds here) to wait for it. ` +
      "An event names what changed: read that object to learn what it is " +
      "now. Only what the scopes of this token could read is told.",
    schema: "EventList",
    waits: true,
    action: "Cannot list the events",
    query: {
      after: optionalText(
        place,
        AFTER_MAX,
        `The after of the last answer; ${FIRST_TIME}`,
      ),
      wait: optionalInteger(
        { min: 0, max: EVENT_WAIT_MAX_S, toolMax: EVENT_TOOL_WAIT_MAX_S },
        "How many seconds to wait for an event at most; 0 if left out",
      ),
      limit: optionalInteger(
        { min: 1, max: LIST_LIMIT_MAX },
        "How many items at most",
      ),
    },
    async read(services, { grant, query, attendance }) {
      const { after = 0, wait = 0, limit = LIST_LIMIT_DEFAULT } = query;
      const { accountId, id: grantId, scopes } = grant;
      return pageRecord(
        await awaitEvents(services, {
          ...attendance,
          accountId,
          grantId,
          scopes,
          after,
          limit,
          waitMs: wait * 1_000,
        }),
      );
    },
  }),
  reading({
    at: "GET /events/callback",
    scope: "account:read",
    id: "readEventCallback",
    summary: "Read where this connection is told of events",
    docs: "The [callback](#signed-messages) of this connection, and how the " +
      "last messages ended.",
    tool: "get_event_callback",
    title: "Callback for events",
    description: "Reads where this connection is told of events, whether it " +
      "still is, and how the last messages ended.",
    schema: "EventCallback",
    read: async (services, { grant: { id, scopes } }) =>
      callbackRecord(await findCallback(services, id), { scopes }),
  }),
  settingCallback({
    at: "PUT /events/callback",
    scope: "account:write",
    id: "setEventCallback",
    summary: "Set where this connection is told of events",
    docs:
      "Sets the [callback](#signed-messages) of this connection; `secret` " +
      "is said once, when it is made.",
    tool: "set_event_callback",
    title: "Set the callback for events",
    description: "Has events sent to a public https address, in development " +
      "also to one of this machine, as signed messages (Standard Webhooks), " +
      "or, with url null, no more. The secret that signs is said once: keep it.",
  }),
];

function pageRecord(
  { events, after, hasMore }: EventPage,
): z.infer<typeof eventList> {
  return {
    items: events.map(eventRecord),
    after: toBase64url(String(after)),
    has_more: hasMore,
  };
}
