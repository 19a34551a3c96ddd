import { isoTime } from "../day.ts";
import { eventId, type EventType, isToldTo } from "../events/event.ts";
import type { Scope } from "../oauth/grant.ts";
import { type Callback, isTaken } from "./callback.ts";

/** A callback as its agent sees it. */
export interface CallbackRecord {
  url: string | null;
  state: "on" | "off" | "none";
  /** Said once, when it was made. */
  secret: string | null;
  last_deliveries: {
    event_id: string;
    type: EventType;
    at: string;
    /** The status of the answer; null where there was none. */
    status: number | null;
    taken: boolean;
  }[];
}

/** No address is set. */
const NONE: CallbackRecord = {
  url: null,
  state: "none",
  secret: null,
  last_deliveries: [],
};

/** Who is told of a callback. */
export interface CallbackReader {
  /** Of the agent's token; left out for the owner, who may know of each event. */
  scopes?: readonly Scope[] | undefined;
  /** Where it was just made. */
  secret?: string | null;
}

/** What is told of a callback: of its messages those the reader may read. */
export function callbackRecord(
  callback: Callback | null,
  { scopes, secret = null }: CallbackReader = {},
): CallbackRecord {
  if (callback === null) return NONE;
  const { accountId, url, off } = callback;
  const deliveries = callback.deliveries
    .filter((sent) => scopes === undefined || isToldTo(sent, scopes));
  return {
    url,
    state: off === null ? "on" : "off",
    secret,
    last_deliveries: deliveries.map(({ position, type, atMs, status }) => ({
      event_id: eventId({ accountId, position }),
      type,
      at: isoTime(atMs),
      status,
      taken: isTaken(status),
    })),
  };
}
