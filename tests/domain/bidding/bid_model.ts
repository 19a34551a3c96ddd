/**
 * What bidding promises, in as few words as possible: the model that random
 * histories of the real thing are held against.
 *
 * @module
 */
import type { RefusalCode } from "../../../domain/refusal.ts";

/** A bid as the model sees it. */
export interface ModelBid {
  grant: string;
  account: string;
  day: string;
  key: string;
  amountCents: number;
}

/** The terms of a grant. */
export interface ModelTerms {
  maxBidCents: number;
  dailyCapCents: number;
  validUntilMs: number;
}

/** What the model says of a bid. */
export type ModelVerdict = "accepted" | "replayed" | RefusalCode;

/** A whole auction in a few maps. */
export class BidModel {
  readonly #terms: ReadonlyMap<string, ModelTerms>;
  readonly #closesAtMs: ReadonlyMap<string, number>;
  readonly #closed = new Set<string>();
  /** Live amounts by day and account. */
  readonly live = new Map<string, number>();
  /** Use by grant and the UTC day of placing. */
  readonly used = new Map<string, number>();
  /** The request each key of a grant is bound to. */
  readonly #keys = new Map<string, string>();

  constructor(
    terms: ReadonlyMap<string, ModelTerms>,
    closesAtMs: ReadonlyMap<string, number>,
  ) {
    this.#terms = terms;
    this.#closesAtMs = closesAtMs;
  }

  /** Freezes the ranking of a day. */
  close(day: string): void {
    this.#closed.add(day);
  }

  /** Judges a bid, and changes as it says. */
  place(bid: ModelBid, nowMs: number): ModelVerdict {
    const key = `${bid.grant} ${bid.key}`;
    const request = JSON.stringify([bid.day, bid.amountCents]);
    const bound = this.#keys.get(key);
    if (bound !== undefined) {
      return bound === request ? "replayed" : "idempotency_conflict";
    }
    const terms = this.#terms.get(bid.grant);
    if (terms === undefined || nowMs >= terms.validUntilMs) {
      return "mandate_expired";
    }
    const place = `${bid.day} ${bid.account}`;
    const live = this.live.get(place) ?? 0;
    const today = `${bid.grant} ${new Date(nowMs).toISOString().slice(0, 10)}`;
    const used = this.used.get(today) ?? 0;
    const after = used + Math.max(0, bid.amountCents - live);
    if (bid.amountCents > terms.maxBidCents || after > terms.dailyCapCents) {
      return "mandate_exceeded";
    }
    const closesAtMs = this.#closesAtMs.get(bid.day) ?? 0;
    if (this.#closed.has(bid.day) || nowMs >= closesAtMs) {
      return "auction_closed";
    }
    if (bid.amountCents <= live) return "bid_not_higher";
    this.live.set(place, bid.amountCents);
    this.used.set(today, after);
    this.#keys.set(key, request);
    return "accepted";
  }
}
