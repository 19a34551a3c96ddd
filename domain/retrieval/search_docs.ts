import { DOCS_SEARCH_MAX } from "./limits.ts";
import type { Retrieval } from "./retrieval.ts";

/** What is looked for in the documentation. */
export interface SearchDocs {
  /** 2 to 200 characters. */
  query: string;
  /** 1 to 10. */
  limit: number;
}

/** A passage as the documentation tools answer it. */
export interface FoundPassage {
  /** `auth.md#scopes`. */
  id: string;
  url: string;
  heading: string;
  text: string;
  /** Larger is better; 6 decimals. */
  score: number;
}

/**
 * The passages of the documentation that fit best, best first.
 *
 * @throws {IndexNotReady} until this isolate has indexed everything once
 */
export async function searchDocs(
  { index }: Pick<Retrieval, "index">,
  { query, limit }: SearchDocs,
): Promise<FoundPassage[]> {
  const hits = await index.findPassages(
    query,
    Math.min(limit, DOCS_SEARCH_MAX),
  );
  return hits.map(({ passage: { id, url, heading, text }, score }) => ({
    id,
    url,
    heading,
    text,
    score,
  }));
}
