/**
 * Lists as the Stripe API pages them: newest first, with cursors.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { Page, TableName, Tables } from "./objects.ts";
import { invalidRequest, resourceMissing } from "./errors.ts";
import { integer, nested, type Rule, text } from "./params.ts";

/** Longest page of a list; 10 if not asked for (Stripe API). */
export const MAX_LIMIT = 100;

/** Length of a page where none is asked for. */
export const DEFAULT_LIMIT = 10;

const RANGE_SHAPE = {
  gt: integer(),
  gte: integer(),
  lt: integer(),
  lte: integer(),
};

/** A span of time, epoch seconds; open where a bound is missing. */
export interface Range {
  /** After. */
  gt: number | undefined;
  /** At or after. */
  gte: number | undefined;
  /** Before. */
  lt: number | undefined;
  /** At or before. */
  lte: number | undefined;
}

const RANGE: Rule<Range> = nested(RANGE_SHAPE);

const CREATED: Rule<Range> = {
  read(value, name) {
    if (typeof value !== "string") return RANGE.read(value, name);
    const at = integer().read(value, name);
    return { gt: undefined, gte: at, lt: undefined, lte: at };
  },
};

/** The parameters every list takes. */
export const PAGING = {
  limit: integer(1, MAX_LIMIT),
  starting_after: text(255),
  ending_before: text(255),
};

/** Those and a filter on when an object was made. */
export const PAGING_BY_TIME = { ...PAGING, created: CREATED };

/** Paging as read. */
export interface Paging {
  /** Most objects on the page. */
  limit: number | undefined;
  /** Only what comes after this id, being older. */
  starting_after: string | undefined;
  /** Only what comes before this id, being newer. */
  ending_before: string | undefined;
  /** Only what was made in this span. */
  created?: Range | undefined;
}

/** What narrows a list. */
export interface Filter<T> {
  /** Only what is filed under a value; `undefined` means everything. */
  filed?: [index: string, value: string | undefined];
  /** A further condition. */
  where?: (object: T) => boolean;
}

/**
 * One page of a table.
 *
 * @param url path of the list
 * @throws {ApiError} 400 for two cursors, or one that names nothing
 */
export function listPage<N extends TableName>(
  call: Call,
  name: N,
  url: string,
  paging: Paging,
  filter: Filter<Tables[N]> = {},
): Page<Tables[N]> {
  const { starting_after, ending_before } = paging;
  const limit = paging.limit ?? DEFAULT_LIMIT;
  if (starting_after !== undefined && ending_before !== undefined) {
    throw invalidRequest(
      "You cannot parameterize both starting_after and ending_before.",
      { param: "ending_before" },
    );
  }
  const after = place(call, name, starting_after, "starting_after");
  const before = place(call, name, ending_before, "ending_before");
  const table = call.setting.books.tables[name];
  const found: Tables[N][] = [];
  for (const object of candidates(call, name, filter, after)) {
    if (before !== null && table.place(object.id) <= before) break;
    if (!isWanted(object, paging, filter)) continue;
    found.push(object);
    if (before === null && found.length > limit) break;
  }
  const has_more = found.length > limit;
  const data = before === null ? found.slice(0, limit) : found.slice(-limit);
  return { object: "list", data, has_more, url };
}

function* candidates<N extends TableName>(
  call: Call,
  name: N,
  filter: Filter<Tables[N]>,
  after: number | null,
): Generator<Tables[N]> {
  const table = call.setting.books.tables[name];
  const [index, value] = filter.filed ?? [];
  if (index === undefined || value === undefined) {
    yield* table.newestFirst(after ?? undefined);
    return;
  }
  for (const object of call.filed(name, index, value)) {
    if (after === null || table.place(object.id) < after) yield object;
  }
}

function isWanted<T extends object>(
  object: T,
  { created }: Paging,
  { where }: Filter<T>,
): boolean {
  if (created !== undefined) {
    const at = "created" in object ? Number(object.created) : 0;
    if (created.gt !== undefined && at <= created.gt) return false;
    if (created.gte !== undefined && at < created.gte) return false;
    if (created.lt !== undefined && at >= created.lt) return false;
    if (created.lte !== undefined && at > created.lte) return false;
  }
  return where === undefined || where(object);
}

function place(
  call: Call,
  name: TableName,
  id: string | undefined,
  param: string,
): number | null {
  if (id === undefined) return null;
  const at = call.setting.books.tables[name].place(id);
  if (at === -1) throw resourceMissing(name, id, param);
  return at;
}
