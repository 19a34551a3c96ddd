import { DOCS_SEARCH_MAX } from "./limits.ts";
import { oneOfEachSection, PASSAGES_A_SECTION } from "./one_of_each_section.ts";
import type { Retrieval } from "./retrieval.ts";
import type { Passage } from "./search_index.ts";

/**
 * The sections of the documentation that fit best, best first, each by the
 * passage of it that does.
 *
 * @throws {IndexNotReady} until this isolate has indexed everything once
 */
export async function searchDocs(
  { index }: Pick<Retrieval, "index">,
  { query, limit }: { query: string; limit: number },
): Promise<
  (Pick<Passage, "id" | "url" | "heading" | "text"> & { score: number })[]
> {
  const wanted = Math.min(limit, DOCS_SEARCH_MAX);
  const hits = await index.findPassages(query, wanted * PASSAGES_A_SECTION);
  return oneOfEachSection(hits, wanted).map((
    { passage: { id, url, heading, text }, score },
  ) => ({
    id,
    url,
    heading,
    text,
    score,
  }));
}
