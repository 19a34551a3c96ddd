/**
 * What agents were told of the days of the demo's past: the events that a real
 * history has, of the 30 days for which they are kept.
 *
 * @module
 */
import {
  type AccountEvent,
  EVENT_KEPT_MS,
  type EventFact,
  type EventLog,
} from "../../domain/events/event.ts";
import { placeEvents } from "../../domain/events/note_events.ts";
import type { DemoDay } from "./history.ts";

/** A commit of the past: what it told an account, and when. */
interface Told {
  accountId: string;
  atMs: number;
  facts: readonly EventFact[];
}

/**
 * The events of a past day that are still kept. They stand at the moments at
 * which their commits would have been made, so writing them twice changes
 * nothing.
 */
export function pastEvents(past: DemoDay, nowMs: number): AccountEvent[] {
  return toldOf(past)
    .filter(({ atMs }) => atMs + EVENT_KEPT_MS > nowMs)
    .flatMap(({ accountId, atMs, facts }) =>
      placeEvents({ accountId, position: 0 }, facts, atMs)
    );
}

/** Facts of one commit at most; an invoice is made only when its day is sold. */
const FACTS_MAX = 2;

/** A place behind all events of each account, before any of its days is sold. */
export function pastEventLogs(
  history: readonly DemoDay[],
  nowMs: number,
): EventLog[] {
  const last = new Map<string, number>();
  for (const past of history) {
    for (const { accountId, position } of pastEvents(past, nowMs)) {
      const behind = position + FACTS_MAX;
      last.set(accountId, Math.max(behind, last.get(accountId) ?? 0));
    }
  }
  return [...last].map(([accountId, position]) => ({ accountId, position }));
}

function toldOf(past: DemoDay): Told[] {
  const { auction: { day, closedAtMs }, bids, spotlight } = past;
  const { settledAtMs, removedAtMs, accountId: winnerId } = spotlight;
  const told = bids.flatMap(({ bid }): Told[] => {
    const { accountId, id: bid_id } = bid;
    const closed = { type: "auction.closed", data: { day, bid_id } } as const;
    return [
      { accountId, atMs: closedAtMs ?? settledAtMs, facts: [closed] },
      { accountId, atMs: settledAtMs, facts: endOf(past, bid) },
    ];
  });
  if (removedAtMs === null || winnerId === null) return told;
  const removed = { type: "spotlight.removed", data: { day } } as const;
  return [...told, {
    accountId: winnerId,
    atMs: removedAtMs,
    facts: [removed],
  }];
}

/** How a bid ended, as settlement tells it. */
function endOf(
  { invoices }: DemoDay,
  { id, day, adId: ad_id, status, paymentMethodId }:
    DemoDay["bids"][number]["bid"],
): EventFact[] {
  const data = { day, bid_id: id, ad_id };
  if (status === "payment_failed") {
    const card = { payment_method_id: paymentMethodId };
    return [
      { type: "payment_method.refused", data: card },
      { type: "bid.payment_failed", data },
    ];
  }
  if (status !== "won") return [{ type: "bid.lost", data }];
  const paid = invoices.filter(({ invoice }) => invoice.bidId === id)
    .map(({ invoice }): EventFact => ({
      type: "invoice.paid",
      data: { invoice_number: invoice.number, day },
    }));
  return [{ type: "bid.won", data }, ...paid];
}
