import type { ClickCount, ClickDimension } from "../domain/clicks/click.ts";
import type { Day } from "../domain/day.ts";
import type { ListOptions } from "../domain/ports.ts";
import { prefixes } from "./keys.ts";
import { allPages, PAGE, type PageReader } from "./pages.ts";
import { counterOf } from "./refs.ts";

/** The numbers of a day, in key order; only a page of them is of one moment. */
export async function listClickCounts(
  reader: PageReader,
  day: Day,
  { limit }: ListOptions,
): Promise<ClickCount[]> {
  const counts: ClickCount[] = [];
  const prefix = [...prefixes.clickCountsOf(day)];
  const pages = allPages(reader, { prefix }, Math.min(PAGE, limit));
  for await (const entries of pages) {
    counts.push(...entries.map(countOf));
    if (counts.length >= limit) break;
  }
  return counts.slice(0, limit);
}

function countOf({ key, value }: Deno.KvEntry<unknown>): ClickCount {
  const [dimension, name] = key.slice(-2);
  return {
    dimension: String(dimension) as ClickDimension,
    value: String(name),
    count: counterOf(value),
  };
}
