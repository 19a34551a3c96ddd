import { ProcessorUncertain } from "../../domain/failure.ts";
import type { Page, TimeSpan } from "../../domain/payments/outcome.ts";

/** Most objects the processor shows on one page. */
export const PAGE_MAX = 100;
/** Pages of one list that are read to its end. */
const PAGES_MAX = 10;

/** What a list is asked: a span of time, a place in it, and how much. */
export interface PageParams {
  created: { gte: number; lte: number };
  limit: number;
  starting_after?: string;
}

/**
 * Asks for one page of what was created in a span. The processor tells time in
 * whole seconds, so spans that follow on each other share nothing.
 */
export function pageParams(
  createdMs: TimeSpan,
  cursor: string | null,
  limit: number,
): PageParams {
  return {
    created: {
      gte: Math.ceil(createdMs.from / 1_000),
      lte: Math.floor(createdMs.until / 1_000),
    },
    limit: Math.min(limit, PAGE_MAX),
    ...(cursor === null ? {} : { starting_after: cursor }),
  };
}

/** Reads a page as the domain sees it; its cursor is the id of its last object. */
export function pageOf<A extends { id: string }, B>(
  convert: (object: A) => B,
): (listed: { data: A[]; has_more: boolean }) => Page<B> {
  return ({ data, has_more }) => ({
    items: data.map(convert),
    nextCursor: has_more ? data.at(-1)?.id ?? null : null,
  });
}

/**
 * Every object of a list, read page by page as it is asked for.
 *
 * @throws {ProcessorUncertain} after 1,000 objects, when there are more
 */
export async function* pageByPage<T extends { id: string }>(
  list: (
    page: Omit<PageParams, "created">,
  ) => Promise<{ data: T[]; has_more: boolean }>,
  tooMany: string,
): AsyncGenerator<T> {
  let after: { starting_after?: string } = {};
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data, has_more } = await list({ limit: PAGE_MAX, ...after });
    yield* data;
    const last = data.at(-1);
    if (!has_more || last === undefined) return;
    after = { starting_after: last.id };
  }
  throw new ProcessorUncertain(tooMany);
}

/**
 * All there is, of what is never more than one page.
 *
 * @throws {ProcessorUncertain} when there is more: a part would be taken for all
 */
export function wholeList<T>(
  { data, has_more }: { data: T[]; has_more: boolean },
  what: string,
): T[] {
  if (has_more) throw new ProcessorUncertain(`More ${what} than can be read`);
  return data;
}

/** The id of a related object, which may have been sent whole. */
export function idOf(related: string | { id: string }): string {
  return typeof related === "string" ? related : related.id;
}

/** The same for what may be absent. */
export function idOrNull(
  related: string | { id: string } | null | undefined,
): string | null {
  return related === null || related === undefined ? null : idOf(related);
}
