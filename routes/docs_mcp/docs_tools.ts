/**
 * The documentation's tools, `read_docs_page` and `search_docs`, and no other
 * (contract §8.4).
 *
 * @module
 */
import { z } from "zod";
import {
  DOCS_SEARCH_DEFAULT,
  DOCS_SEARCH_MAX,
} from "../../domain/retrieval/limits.ts";
import {
  DOCS_PATHS,
  type DocsPath,
} from "../../domain/retrieval/docs_pages.ts";
import { readDocsPage } from "../../domain/retrieval/read_docs_page.ts";
import type { Retrieval } from "../../domain/retrieval/retrieval.ts";
import { searchDocs } from "../../domain/retrieval/search_docs.ts";
import { boundedText } from "../http/bounded_text.ts";
import { READS } from "../mcp/effects.ts";
import type { AnyCaller } from "../mcp/server.ts";
import { defineTool } from "../mcp/tool.ts";
import type { Tool } from "../mcp/types.ts";

/** A query of either tool (contract §8.4). */
const query = boundedText(2, 200);

/**
 * What both tools may answer instead: clients of 2025 hold refusals to the
 * schema too.
 */
const publicProblem = z.strictObject({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  docs: z.url().optional(),
});

const passage = z.strictObject({
  id: z.string().optional().describe("The page and its heading"),
  url: z.url().describe(
    "Where it is read, also those of hosts.md and terms.md, which " +
      "read_docs_page does not have",
  ),
  heading: z.string(),
  text: z.string().describe("Markdown"),
  score: z.number().describe("How well it fits: more is better"),
});

/** What the tools ask. */
export type DocsRetrieval = Pick<Retrieval, "index" | "documents">;

/** The two tools of the documentation. */
export function docsTools(retrieval: DocsRetrieval): Tool<AnyCaller>[] {
  return [readPage(retrieval), search(retrieval)];
}

function readPage(retrieval: DocsRetrieval): Tool<AnyCaller> {
  /** Pages are read once, so each is answered by the same object for good. */
  const pages = new Map<DocsPath, { text: string }>();
  async function wholePage(path: DocsPath): Promise<{ text: string }> {
    const page = pages.get(path) ??
      Object.freeze(await readDocsPage(retrieval, { path }));
    pages.set(path, page);
    return page;
  }
  return defineTool({
    name: "read_docs_page",
    title: "Read a page",
    description: "Reads one of five pages of Spotlight's documentation as " +
      "Markdown, or with a query only the passages of it that fit best. " +
      "Other addresses that search_docs names are opened as they are.",
    annotations: READS,
    scope: null,
    input: z.strictObject({
      path: z.enum(DOCS_PATHS).describe("The page"),
      query: query.optional().describe("What of the page is wanted"),
    }),
    output: z.union([
      z.strictObject({ text: z.string().describe("Markdown") }),
      publicProblem,
    ]),
    handle({ path, query }) {
      return query === undefined
        ? wholePage(path)
        : readDocsPage(retrieval, { path, query });
    },
  });
}

function search(retrieval: DocsRetrieval): Tool<AnyCaller> {
  return defineTool({
    name: "search_docs",
    title: "Search the documentation",
    description: "Finds the passages of Spotlight's documentation that fit a " +
      "query best, best first, with the address of each. Also searched are " +
      "hosts.md and terms.md, which read_docs_page does not have: open the " +
      "url of such a passage.",
    annotations: READS,
    scope: null,
    input: z.strictObject({
      query: query.describe("Words to look for"),
      limit: z.int().min(1).max(DOCS_SEARCH_MAX).default(DOCS_SEARCH_DEFAULT)
        .describe("How many passages at most"),
    }),
    output: z.union([
      z.strictObject({ passages: z.array(passage) }),
      publicProblem,
    ]),
    async handle(wanted) {
      return { passages: await searchDocs(retrieval, wanted) };
    },
  });
}
