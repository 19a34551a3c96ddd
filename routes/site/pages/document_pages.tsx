import type { Settings } from "../../../domain/ports.ts";
import type { PublishedDocuments } from "../../../domain/retrieval/docs_pages.ts";
import {
  openRoute,
  type Route,
  route,
  type RouteContext,
} from "../../route_table.ts";
import { assetHeaders, HOUR } from "../../assets.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import {
  type ContentsEntry,
  type MarkdownPage,
  markdownPage,
} from "./markdown.tsx";
import { SharedPage, sharedPageAnswer } from "../../pages/page_answer.ts";
import { textAnswer } from "../../http/text_answer.ts";
import { preferredType } from "../../http/preferred_type.ts";
import { SharedText } from "../../http/respond.ts";

type Addresses = Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">;

const HTML = "text/html";
const MARKDOWN = "text/markdown";

/** An answer depends on what was asked for: caches have to know. */
const VARY = { vary: "Accept" };

const MARKDOWN_HEADERS = {
  ...assetHeaders("text/markdown; charset=utf-8", HOUR),
  ...VARY,
};

/** A document with the service's own addresses written into it. */
export function withAddresses(text: string, settings: Addresses): string {
  return text.replaceAll("{base_url}", settings.baseUrl)
    .replaceAll("{auth_url}", settings.authUrl)
    .replaceAll("{docs_mcp_url}", settings.docsMcpUrl);
}

/** Every document with the addresses written into it. */
export function withAddressesIn(
  documents: PublishedDocuments,
  settings: Addresses,
): PublishedDocuments {
  return Object.fromEntries(
    Object.entries(documents).map((
      [path, text],
    ) => [path, withAddresses(text, settings)]),
  );
}

/** The path of the page that shows a document. */
export function pagePathOf(documentPath: string): string {
  return documentPath.replace(/\.md$/, "");
}

/**
 * The documents as Markdown and as pages for browsers (contract §15.3): each
 * under two paths, `/auth.md` and `/auth`. Whoever asks without a preference is
 * given Markdown at the first and HTML at the second; a browser prefers HTML at
 * both, and what names `text/markdown` is given that at both.
 */
export function documentRoutes(
  documents: PublishedDocuments,
  { baseUrl }: Pick<Settings, "baseUrl">,
): Route[] {
  const pages = new Map(
    Object.keys(documents).map((path) => [path, pagePathOf(path)]),
  );
  const rewrite = linksToPages(pages, baseUrl);
  return [...pages].flatMap(([path, pagePath]) => {
    const text = documents[path] ?? "";
    const markdown = new SharedText(text);
    const page = new SharedPage(
      <DocumentPage
        page={markdownPage(text, rewrite)}
        canonicalUrl={baseUrl + pagePath}
        markdownUrl={path}
      />,
    );
    const answer = (context: RouteContext, type: string) =>
      type === HTML
        ? sharedPageAnswer(context, page, VARY)
        : textAnswer(context, markdown, MARKDOWN_HEADERS);
    return [
      openRoute(route(
        "GET",
        path,
        (context) =>
          answer(context, preferredType(acceptOf(context), [MARKDOWN, HTML])),
      )),
      openRoute(route(
        "GET",
        pagePath,
        (context) =>
          answer(context, preferredType(acceptOf(context), [HTML, MARKDOWN])),
      )),
    ];
  });
}

function acceptOf(context: RouteContext): string | null {
  return context.req.raw.headers.get("accept");
}

/** On pages, links to documents lead to their pages. */
function linksToPages(
  pages: ReadonlyMap<string, string>,
  baseUrl: string,
): (href: string) => string {
  return (href) => {
    const local = href.startsWith(`${baseUrl}/`)
      ? href.slice(baseUrl.length)
      : href;
    const at = local.search(/[?#]|$/);
    const page = pages.get(local.slice(0, at));
    return page === undefined ? href : page + local.slice(at);
  };
}

/** What it is about comes first: the list of its parts may fill a screen. */
function DocumentPage(
  { page, canonicalUrl, markdownUrl }: {
    page: MarkdownPage;
    canonicalUrl: string;
    markdownUrl: string;
  },
): Html {
  return (
    <Layout
      title={`${page.title} – Spotlight`}
      canonicalUrl={canonicalUrl}
      markdownUrl={markdownUrl}
    >
      <div class="prose">
        {page.blocks.slice(0, page.openingLength)}
        {page.contents.length > 1 && <Contents entries={page.contents} />}
        {page.blocks.slice(page.openingLength)}
      </div>
    </Layout>
  );
}

function Contents({ entries }: { entries: readonly ContentsEntry[] }) {
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        {entries.map(({ depth, slug, text }) => (
          <li class={depth > 2 ? "deeper" : undefined}>
            <a href={`#${slug}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
