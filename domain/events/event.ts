/**
 * What an account's agents are told of: that something has changed, and what to
 * read to learn what it is now. No event names an amount, anybody else, or a
 * text that somebody typed.
 *
 * @module
 */
import { DAY_MS, isoTime } from "../day.ts";
import type { Scope } from "../oauth/grant.ts";

/** An event of some types, by the members that name what it is about. */
interface Of<Type extends string, Member extends string> {
  type: Type;
  data: Readonly<Record<Member, string>>;
  /** When it happened, epoch ms; left out for what the commit itself does. */
  atMs?: number | null;
}

/** What may be told, in the words of the wire. */
export type EventFact =
  | Of<"creative.approved", "ad_id">
  | Of<"creative.rejected" | "creative.withdrawn", "ad_id" | "policy_id">
  | Of<"auction.closed", "day" | "bid_id">
  | Of<
    "bid.won" | "bid.lost" | "bid.payment_failed" | "bid.void",
    "day" | "bid_id" | "ad_id"
  >
  | Of<"invoice.paid" | "invoice.refunded", "invoice_number" | "day">
  | Of<"invoice.disputed", "invoice_number" | "day" | "state">
  | Of<"payment_method.refused", "payment_method_id">
  | Of<"spotlight.removed", "day">
  | Of<"referral.signed_up", "code">
  | Of<"commission.created" | "commission.reversed", "month">
  | Of<"payout.paid", "payout_id">;

/** The name of a kind of event. */
export type EventType = EventFact["type"];

/**
 * Every type, with the scope that reads what it is about: a grant without that
 * scope is not told of it.
 */
export const EVENT_SCOPES = {
  "creative.approved": "creatives:read",
  "creative.rejected": "creatives:read",
  "creative.withdrawn": "creatives:read",
  "auction.closed": "bids:read",
  "bid.won": "bids:read",
  "bid.lost": "bids:read",
  "bid.payment_failed": "bids:read",
  "bid.void": "bids:read",
  "invoice.paid": "invoices:read",
  "invoice.refunded": "invoices:read",
  "invoice.disputed": "invoices:read",
  "payment_method.refused": "billing:read",
  "spotlight.removed": "reports:read",
  "referral.signed_up": "affiliate:read",
  "commission.created": "affiliate:read",
  "commission.reversed": "affiliate:read",
  "payout.paid": "affiliate:read",
} as const satisfies Record<EventType, Scope>;

/** Every type, in the order in which documents name them. */
export const EVENT_TYPES = Object.keys(EVENT_SCOPES) as EventType[];

/** How long an event is kept: 30 days. */
export const EVENT_KEPT_MS = 30 * DAY_MS;

/** An event of an account, written in the commit of what it tells of. */
export interface AccountEvent {
  accountId: string;
  /** Its place among the account's events: the moment of its commit or after. */
  position: number;
  type: EventType;
  data: Readonly<Record<string, string>>;
  /** When it happened, epoch ms; absent where that is its place. */
  atMs?: number;
  expiresAtMs: number;
}

/** How far the events of an account go. Every commit that adds one checks it. */
export interface EventLog {
  accountId: string;
  /** Of the last event. */
  position: number;
  /** The connections that have a callback; absent for none. */
  listeners?: readonly string[];
  /** Since when they are to be made due; null or absent when they are. */
  untoldSinceMs?: number | null;
}

/** An event as agents are told of it (contract §10.4). */
export interface EventRecord {
  id: string;
  type: EventType;
  timestamp: string;
  data: Record<string, string>;
}

/** Names an event for good, whoever is told of it and however often. */
export function eventId(
  { accountId, position }: Pick<AccountEvent, "accountId" | "position">,
): string {
  return `evt_${accountId.replace(/^acc_/, "")}_${position}`;
}

/** Whether somebody with these scopes may be told of it. */
export function isToldTo(
  { type }: Pick<AccountEvent, "type">,
  scopes: readonly Scope[],
): boolean {
  // A row of a later version may be of a type that this one does not know.
  const scope: Scope | undefined = EVENT_SCOPES[type];
  return scope !== undefined && scopes.includes(scope);
}

/** The event as it is told. */
export function eventRecord(event: AccountEvent): EventRecord {
  return {
    id: eventId(event),
    type: event.type,
    timestamp: isoTime(event.atMs ?? event.position),
    data: { ...event.data },
  };
}
