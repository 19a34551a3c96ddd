import { isoTime } from "../day.ts";
import { eventId, type EventType } from "../events/event.ts";
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

/** What an agent is told of a callback. */
export function callbackRecord(
  callback: Callback | null,
  secret: string | null = null,
): CallbackRecord {
  if (callback === null) return NONE;
  const { accountId, url, off, deliveries } = callback;
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
