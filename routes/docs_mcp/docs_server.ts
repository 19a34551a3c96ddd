import type { Settings } from "../../domain/ports.ts";
import {
  DOCS_PATHS,
  type DocsPath,
} from "../../domain/retrieval/docs_pages.ts";
import {
  type AnyCaller,
  HOUR,
  type Resource,
  type ServerDefinition,
} from "../mcp/server.ts";
import { type DocsRetrieval, docsTools } from "./docs_tools.ts";

const PAGES: Readonly<Record<DocsPath, string>> = {
  "/affiliate.md": "The affiliate programme: links, commission, payouts",
  "/developers.md": "The APIs, tool servers and the sandbox, with examples",
  "/auth.md": "How an agent gets a token, and what scopes let it do",
  "/versioning.md": "Versions, and how they change",
  "/privacy.md": "What is kept of whom, for how long, and why",
};

/** The documentation server: two tools, and the pages as resources. */
export function docsServer(
  retrieval: DocsRetrieval,
  { baseUrl }: Pick<Settings, "baseUrl">,
): ServerDefinition<AnyCaller> {
  return {
    // Name, version and revisions as in contract §8.1.
    info: { name: "spotlight-docs", title: "Spotlight docs", version: "1.0.0" },
    versions: { modern: ["2026-07-28"], legacy: ["2025-06-18"] },
    instructions: "The documentation of Spotlight, a daily auction for one " +
      "featured advertisement. Search it, then read the page that was found.",
    lists: HOUR,
    reads: HOUR,
    tools: docsTools(retrieval),
    resources: DOCS_PATHS.flatMap((path) => {
      const text = retrieval.documents[path];
      return text === undefined ? [] : [pageResource(baseUrl, path, text)];
    }),
  };
}

function pageResource(
  baseUrl: string,
  path: DocsPath,
  text: string,
): Resource<AnyCaller> {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? "";
  return {
    name: path.slice(1),
    uri: baseUrl + path,
    told: { title, description: PAGES[path], mimeType: "text/markdown" },
    scope: null,
    read: () => text,
  };
}
