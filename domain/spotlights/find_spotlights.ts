import type { Day } from "../day.ts";
import { type Month, monthOfDay } from "../month.ts";
import type { PublicRecord } from "./public_record.ts";
import type { PublicRecords } from "./public_records.ts";
import { positionOf } from "./public_snapshot.ts";

/** What is looked for among the public Spotlights. */
export interface FindSpotlights {
  /** Words that have to stand in the text or the advertiser's name, any case. */
  text: string;
  /** Null for any month. */
  month: Month | null;
  /** Days before this one; null for the newest. */
  before: Day | null;
  /** Most that are returned. */
  limit: number;
}

/** What was found, newest first. */
export interface FoundSpotlights {
  items: PublicRecord[];
  /** Set when more follow. */
  nextCursor: Day | null;
}

/** Looks through the Spotlights in memory for words, in a month or in all. */
export function findSpotlights(
  { snapshot }: PublicRecords,
  { text, month, before, limit }: FindSpotlights,
): FoundSpotlights {
  const all = snapshot.records;
  const words = folded(text).split(" ").filter((word) => word !== "");
  const items: PublicRecord[] = [];
  let at = before === null ? all.length : positionOf(all, before);
  while (at > 0 && items.length <= limit) {
    const record = all[--at];
    if (record === undefined) continue;
    if (month !== null && !record.day.startsWith(month)) continue;
    if (words.length === 0 || holds(record, words)) items.push(record);
  }
  const more = items.length > limit;
  if (more) items.pop();
  return { items, nextCursor: more ? items.at(-1)?.day ?? null : null };
}

/** The months that have a Spotlight, newest first. */
export function monthsOf({ snapshot }: PublicRecords): Month[] {
  const months = new Set(snapshot.records.map(({ day }) => monthOfDay(day)));
  return [...months].reverse();
}

/** What is looked through of each record, made once. */
const texts = new WeakMap<PublicRecord, string>();

function textOf(record: PublicRecord): string {
  const { headline, description, advertiser } = record;
  const text = texts.get(record) ??
    folded(`${headline} ${description} ${advertiser}`);
  texts.set(record, text);
  return text;
}

function holds(record: PublicRecord, words: readonly string[]): boolean {
  const text = textOf(record);
  return words.every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ");
}
