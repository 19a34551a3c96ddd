/**
 * What is indexed of a Spotlight and of a passage.
 *
 * @module
 */
import { plainInline } from "../../domain/retrieval/markdown_blocks.ts";
import type { Passage } from "../../domain/retrieval/search_index.ts";
import type { PublicRecord } from "../../domain/spotlights/public_record.ts";
import { dayTerms } from "./days.ts";
import type { TextDocument, TextIndexOptions } from "./text_index.ts";

/** Spotlights, by day; of several with one score the newest comes first. */
export const SPOTLIGHTS: TextIndexOptions = {
  fields: {
    headline: { weight: 2, usualLength: 8 },
    description: { weight: 1, usualLength: 20 },
    advertiser: { weight: 2, usualLength: 3 },
    day: { weight: 4, usualLength: 5, isTerms: true },
  },
  compareIds: (a, b) => a < b ? 1 : -1,
};

/** Passages, by id; several with one score come in the order of the pages. */
export function passageOptions(passages: readonly Passage[]): TextIndexOptions {
  const ordered = passages.toSorted((a, b) =>
    a.path === b.path ? a.number - b.number : a.path < b.path ? -1 : 1
  );
  const places = new Map(ordered.map(({ id }, place) => [id, place]));
  return {
    fields: {
      heading: { weight: 3, usualLength: 4 },
      chapter: { weight: 1, usualLength: 4 },
      title: { weight: 1, usualLength: 3 },
      text: { weight: 1, usualLength: 70 },
    },
    compareIds: (a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0),
  };
}

/** What is indexed of a Spotlight. */
export function spotlightDocument(record: PublicRecord): TextDocument {
  const { day, headline, description, advertiser } = record;
  return {
    id: day,
    texts: { headline, description, advertiser, day: dayTerms(day).join(" ") },
  };
}

/** What is indexed of a passage. */
export function passageDocument(passage: Passage): TextDocument {
  const { id, heading, chapter, title, text } = passage;
  return {
    id,
    texts: {
      heading,
      chapter: chapter ?? "",
      title,
      text: plainInline(text),
    },
  };
}
