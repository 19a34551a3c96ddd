import { DOCS_SEARCH_MAX } from "./limits.ts";
import type { Retrieval } from "./retrieval.ts";
import type { Passage } from "./search_index.ts";

/**
 * The passages of the documentation that fit best, best first.
 *
 * @throws {IndexNotReady} until this isolate has indexed everything once
 */
export async function searchDocs(
  { index }: Pick<Retrieval, "index">,
  { query, limit }: { query: string; limit: number },
): Promise<
  (Pick<Passage, "id" | "url" | "heading" | "text"> & { score: number })[]
> {
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
