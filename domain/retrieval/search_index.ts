import type { Day } from "../day.ts";
import { TemporaryFailure } from "../failure.ts";
import type { SearchedPath } from "./docs_pages.ts";

/** A settled day that fits a query. */
export interface SpotlightHit {
  readonly day: Day;
  /** How much of the query it answers, 0 to 1: compares with passages' too. */
  readonly score: number;
}

/** A part of a documentation page that is found and answered as a whole. */
export interface Passage {
  /** `auth.md#scopes`; further parts of a long section: `auth.md#scopes:2`. */
  readonly id: string;
  /** Where people read it, with the heading as fragment. */
  readonly url: string;
  /** The title of the page. */
  readonly title: string;
  /** The `##` heading that a deeper heading stands under. */
  readonly chapter: string | null;
  readonly heading: string;
  /** Markdown, without the heading. */
  readonly text: string;
  readonly path: SearchedPath;
  /** The place on its page, from 0. */
  readonly number: number;
}

/** A passage that fits a query. */
export interface PassageHit {
  readonly passage: Passage;
  /** How much of the query it answers, 0 to 1: compares with Spotlights' too. */
  readonly score: number;
}

/**
 * What is searched. Both lists are in a total order: by score (6 decimals),
 * then the newest day, or the page's path and the place on it. The same query
 * over the same contents is answered with the same lists, in every isolate.
 */
export interface SearchIndex {
  /** False until everything has been indexed once. */
  readonly isReady: boolean;
  /** @throws {IndexNotReady} */
  findSpotlights(
    query: string,
    limit: number,
  ): Promise<readonly SpotlightHit[]>;
  /** @throws {IndexNotReady} */
  findPassages(query: string, limit: number): Promise<readonly PassageHit[]>;
}

/** This isolate has only just started and has not indexed everything yet. */
export class IndexNotReady extends TemporaryFailure {
  override readonly name = "IndexNotReady";
  override readonly isOrdinary = true;
}
