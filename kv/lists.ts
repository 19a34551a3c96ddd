import type { Bid, BidEvent } from "../domain/bids/bid.ts";
import { addDays, type Day } from "../domain/day.ts";
import type { ListOptions, Store } from "../domain/ports.ts";
import { guardedRead, type Patience } from "./guard.ts";
import { keys, prefixes } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { valueOf } from "./refs.ts";

/** Entries read in one round trip of a list. */
const PAGE = 500;

interface ListContext {
  kv: KvLike;
  patience: Patience;
  nowMs: () => number;
}

type Lists = Pick<
  Store,
  | "listBids"
  | "listOpenSettlements"
  | "listSpotlights"
  | "listHouseAds"
  | "listCreatives"
  | "listPaymentMethods"
  | "listGrants"
  | "listAccounts"
  | "listBidEvents"
  | "listLedger"
>;

/** The store's bounded lists, each page of them with its own deadline. */
export function lists(context: ListContext): Lists {
  const all = <T>(prefix: readonly string[], options: ListOptions) =>
    collect<T>(context, { prefix: [...prefix] }, options);
  return {
    listBids: (day, options) => all<Bid>(prefixes.bidsOf(day), options),
    listBidEvents: (bidId, options) =>
      all<BidEvent>(prefixes.bidEventsOf(bidId), options),
    listHouseAds: (options) => all(prefixes.houseAds, options),
    listCreatives: (accountId, options) =>
      all(prefixes.creativesOf(accountId), options),
    listPaymentMethods: (accountId, options) =>
      all(prefixes.paymentMethodsOf(accountId), options),
    listAccounts: (options) => all(prefixes.accounts, options),
    listLedger: (options) => all(prefixes.ledger, options),
    listSpotlights: (after, options) =>
      after === null
        ? all(prefixes.spotlights, options)
        : collect(context, spotlightsAfter(after), options),
    async listOpenSettlements(options) {
      const rows = await all<{ day: Day }>(prefixes.openSettlements, options);
      return await follow(context, rows.map(({ day }) => keys.settlement(day)));
    },
    async listGrants(accountId, options) {
      const rows = await all<{ grantId: string }>(
        prefixes.grantsOf(accountId),
        options,
      );
      return await follow(context, rows.map((row) => keys.grant(row.grantId)));
    },
  };
}

function spotlightsAfter(after: Day): Deno.KvListSelector {
  return {
    prefix: [...prefixes.spotlights],
    start: keys.spotlight(addDays(after, 1)),
  };
}

async function collect<T>(
  context: ListContext,
  selector: Deno.KvListSelector,
  options: ListOptions,
): Promise<T[]> {
  const values: T[] = [];
  let cursor: string | undefined;
  while (values.length < options.limit) {
    const page = await readPage(context, selector, {
      limit: Math.min(PAGE, options.limit - values.length),
      reverse: options.reverse ?? false,
      ...(cursor ? { cursor } : {}),
    });
    for (const entry of page.entries) {
      const value = valueOf<T>(entry, true, context.nowMs());
      if (value !== null) values.push(value);
    }
    if (page.cursor === "") break;
    cursor = page.cursor;
  }
  return values;
}

function readPage(
  { kv, patience }: ListContext,
  selector: Deno.KvListSelector,
  options: Deno.KvListOptions,
): Promise<{ entries: Deno.KvEntry<unknown>[]; cursor: string }> {
  return guardedRead(async () => {
    const iterator = kv.list<unknown>(selector, options);
    const entries: Deno.KvEntry<unknown>[] = [];
    for await (const entry of iterator) entries.push(entry);
    return { entries, cursor: iterator.cursor };
  }, patience);
}

/** Reads the records that index rows point at, ten in a round trip. */
async function follow<T>(
  context: ListContext,
  wanted: readonly Deno.KvKey[],
): Promise<T[]> {
  const values: T[] = [];
  for (let at = 0; at < wanted.length; at += 10) {
    const entries = await guardedRead(
      () => context.kv.getMany(wanted.slice(at, at + 10)),
      context.patience,
    );
    for (const entry of entries) {
      const value = valueOf<T>(entry, true, context.nowMs());
      if (value !== null) values.push(value);
    }
  }
  return values;
}
