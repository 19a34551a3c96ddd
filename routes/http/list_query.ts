import { z } from "zod";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../domain/limits.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import type { Positions } from "./positions.ts";
import { integer, parseQuery, queryOf, refuseInput } from "./query.ts";
import type { RouteContext } from "../route_table.ts";

/** Longest cursor of ours. */
export const CURSOR_MAX = 1_000;

/** What the query of a list may say. */
export const LIST_QUERY = z.object({
  limit: integer(1, LIST_LIMIT_MAX).optional(),
  cursor: z.string().max(
    CURSOR_MAX,
    `must be of ${CURSOR_MAX} characters at most`,
  ).optional(),
});

/** What is asked of a list. */
export interface ListQuery {
  /** How many items are asked for (contract §7.1). */
  limit: number;
  /** The position behind the opaque cursor; null for the beginning. */
  after: string | null;
}

/**
 * Reads the query of a list; `action` begins the sentence of a refusal.
 *
 * @param position what positions of this list look like
 * @throws {Refused} `invalid_input`
 */
export function parseListQuery(
  context: RouteContext,
  action: string,
  position: RegExp,
): ListQuery {
  const asked = parseQuery(LIST_QUERY, queryOf(context.req.url), action);
  return positionedQuery(asked, action, position);
}

/**
 * The part of a list that a limit and an opaque cursor name.
 *
 * @param position what positions of this list look like
 * @throws {Refused} `invalid_input` for a cursor that is none of this list
 */
export function positionedQuery(
  asked: { limit?: number | undefined; cursor?: string | undefined },
  action: string,
  position: RegExp,
): ListQuery {
  const { limit = LIST_LIMIT_DEFAULT, cursor } = asked;
  if (cursor === undefined) return { limit, after: null };
  const after = fromBase64url(cursor);
  if (after === null || !position.test(after)) {
    refuseInput(`${action}: cursor must be the next_cursor of an answer`);
  }
  return { limit, after };
}

/** A page of a list; its cursor is opaque (contract §7.1). */
export interface ListAnswer<T> {
  items: T[];
  next_cursor: string | null;
}

/** What a page of a list is made of. */
export interface ListSource<Place, Item, Wire> {
  /** Lists what comes behind a place; null for the beginning. */
  list(
    part: { limit: number; before: Place | null },
  ): readonly Item[] | Promise<readonly Item[]>;
  /** Where an item is in the list. */
  placeOf(item: Item): Place;
  wire(item: Item): Wire;
}

/**
 * The page that is asked for. One item more than that is listed, which tells
 * whether there are more.
 */
export async function listPage<Place, Item, Wire>(
  positions: Positions<Place>,
  { limit, after }: ListQuery,
  { list, placeOf, wire }: ListSource<Place, Item, Wire>,
): Promise<ListAnswer<Wire>> {
  const before = positions.at(after);
  const following = await list({ limit: limit + 1, before });
  const items = following.slice(0, limit);
  const last = items.at(-1);
  const hasMore = following.length > limit && last !== undefined;
  return {
    items: items.map(wire),
    next_cursor: hasMore ? toBase64url(positions.of(placeOf(last))) : null,
  };
}
