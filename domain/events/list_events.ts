import type { Scope } from "../oauth/grant.ts";
import type { Services } from "../ports.ts";
import { type AccountEvent, isToldTo } from "./event.ts";

/** Rows that are read at once, and how often: what may not be told is passed over. */
const ROWS_READ = 100;
const READS_MAX = 5;

/** Which events are asked for. */
export interface ListEvents {
  accountId: string;
  /** What the reader may be told of. */
  scopes: readonly Scope[];
  /** Only those behind this place; 0 for all that are kept. */
  after: number;
  limit: number;
}

/** Events, oldest first. */
export interface EventPage {
  events: AccountEvent[];
  /** Where to go on; behind events, too, that may not be told. */
  after: number;
  /** Whether more may follow at once. */
  hasMore: boolean;
}

/** Lists the events of an account that a reader may be told of, oldest first. */
export async function listEvents(
  { store }: Pick<Services, "store">,
  { accountId, scopes, after, limit }: ListEvents,
): Promise<EventPage> {
  const page: EventPage = { events: [], after, hasMore: true };
  for (let reads = 0; reads < READS_MAX; reads++) {
    const rows = await store.listEvents(accountId, {
      after: page.after,
      limit: ROWS_READ,
    });
    for (const row of rows) {
      if (page.events.length === limit) return page;
      page.after = row.position;
      if (isToldTo(row, scopes)) page.events.push(row);
    }
    if (rows.length < ROWS_READ) return { ...page, hasMore: false };
  }
  return page;
}
