import { refuse } from "../refusal.ts";
import type { DocsPath } from "./docs_pages.ts";
import { PAGE_SECTIONS_MAX } from "./limits.ts";
import type { Retrieval } from "./retrieval.ts";
import type { Passage } from "./search_index.ts";

/** Passages of all pages together, at most; a page has far fewer. */
const PASSAGES_MAX = 1_000;

/**
 * A page of the documentation as Markdown. With a query it is the title and
 * the passages that fit best, in the order of the page; the whole page when
 * none fits.
 *
 * @throws {Refused} `not_found` for a page that is not published
 * @throws {IndexNotReady} with a query, until everything was indexed once
 */
export async function readDocsPage(
  { index, documents }: Pick<Retrieval, "index" | "documents">,
  { path, query }: { path: DocsPath; query?: string },
): Promise<{ text: string }> {
  const page = documents[path];
  if (page === undefined) {
    return refuse({
      code: "not_found",
      message: `Cannot read "${path}": there is no such page`,
    });
  }
  if (query === undefined) return { text: page };
  const hits = await index.findPassages(query, PASSAGES_MAX);
  const fitting = hits.map(({ passage }) => passage)
    .filter((passage) => passage.path === path)
    .slice(0, PAGE_SECTIONS_MAX)
    .toSorted((a, b) => a.number - b.number);
  return { text: fitting.length === 0 ? page : excerpt(fitting) };
}

function excerpt(passages: readonly Passage[]): string {
  const title = passages[0]?.title ?? "";
  const parts = passages.map(({ heading, text }, at) =>
    heading === passages[at - 1]?.heading ? text : `## ${heading}\n\n${text}`
  );
  return [`# ${title}`, ...parts].join("\n\n") + "\n";
}
