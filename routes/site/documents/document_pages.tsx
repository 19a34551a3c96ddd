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
import { PAGES as CATALOG } from "../../discovery/catalog.ts";
import { DevelopersPage } from "./topic_pages.tsx";
import { DEVELOPERS_PAGE, type Topics, topicsOf } from "./topics.ts";
import {
  type ContentsEntry,
  type LinkRewriter,
  type MarkdownPage,
  markdownPage,
} from "./markdown.tsx";
import {
  SharedPage,
  sharedPageAnswer,
  WITH_SCRIPTS,
} from "../../pages/page_answer.ts";
import { DOCUMENT_SCRIPTS } from "../pages/script_routes.ts";
import { textAnswer } from "../../http/text_answer.ts";
import { preferredType } from "../../http/preferred_type.ts";
import { SharedText } from "../../http/respond.ts";

type Addresses = Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">;

/** The media type of pages. */
export const HTML = "text/html";
/** The media type of documents. */
export const MARKDOWN = "text/markdown";

/** An answer depends on what was asked for: caches have to know. */
export const VARY = { vary: "Accept" };

/** The headers of a document in Markdown. */
export const MARKDOWN_HEADERS = {
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
function pagePathOf(documentPath: string): string {
  return documentPath.replace(/\.md$/, "");
}

/** The documents, and where their parts are read. */
export interface DocumentPages {
  documents: PublishedDocuments;
  /** The parts of the one for developers. */
  topics: Topics;
  /**
   * Where links of documents lead on pages.
   *
   * @param path the page that they stand on; null for none of these
   */
  rewriteOn(path: string | null): LinkRewriter;
}

/** Finds out which page shows what of the documents. */
export function documentPages(
  documents: PublishedDocuments,
  { baseUrl }: Pick<Settings, "baseUrl">,
): DocumentPages {
  const topics = topicsOf(documents[DEVELOPERS_DOCUMENT] ?? "");
  const toPage = linksToPages(documents, baseUrl);
  return {
    documents,
    topics,
    rewriteOn: (path) => (href) => {
      const whole = href.startsWith("#") && path?.startsWith(DEVELOPERS_PAGE)
        ? DEVELOPERS_PAGE + href
        : toPage(href);
      const [page, slug = ""] = whole.split("#");
      const place = page === DEVELOPERS_PAGE ? topics.placeOf(slug) : null;
      if (place === null) return whole;
      return place.split("#")[0] === path ? `#${slug}` : place;
    },
  };
}

/** What documents are about, by their path. */
const DESCRIPTIONS = new Map<string, string>(
  CATALOG.map(({ path, description }) => [path, `${description}.`]),
);

const DEVELOPERS_DOCUMENT = `${DEVELOPERS_PAGE}.md`;

/**
 * The documents as Markdown and as pages for browsers (contract §15.3): each
 * under two paths, `/auth.md` and `/auth`. Whoever asks without a preference is
 * given Markdown at the first and HTML at the second; a browser prefers HTML at
 * both, and what names `text/markdown` is given that at both.
 */
export function documentRoutes(
  pages: DocumentPages,
  { baseUrl }: Pick<Settings, "baseUrl">,
): Route[] {
  return Object.entries(pages.documents).flatMap(([path, text]) => {
    const markdown = new SharedText(text);
    const page = new SharedPage(
      <PageOf pages={pages} path={path} baseUrl={baseUrl} />,
    );
    const answer = (context: RouteContext, type: string) =>
      type === HTML
        ? sharedPageAnswer(context, page, { ...VARY, ...WITH_SCRIPTS })
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
        pagePathOf(path),
        (context) =>
          answer(context, preferredType(acceptOf(context), [HTML, MARKDOWN])),
      )),
    ];
  });
}

function PageOf(
  { pages, path, baseUrl }: {
    pages: DocumentPages;
    path: string;
    baseUrl: string;
  },
): Html {
  const { documents, topics, rewriteOn } = pages;
  const pagePath = pagePathOf(path);
  const rewrite = rewriteOn(pagePath);
  const page = markdownPage(documents[path] ?? "", rewrite);
  if (path !== DEVELOPERS_DOCUMENT) {
    return (
      <DocumentPage
        page={page}
        description={DESCRIPTIONS.get(path) ?? page.title}
        canonicalUrl={baseUrl + pagePath}
        markdownUrl={path}
      />
    );
  }
  const opening = page.blocks.slice(0, page.openingLength);
  return <DevelopersPage {...{ topics, opening, rewrite, baseUrl }} />;
}

function acceptOf(context: RouteContext): string | null {
  return context.req.raw.headers.get("accept");
}

/** On pages, links to documents lead to their pages. */
function linksToPages(
  documents: PublishedDocuments,
  baseUrl: string,
): LinkRewriter {
  return (href) => {
    const local = href.startsWith(`${baseUrl}/`)
      ? href.slice(baseUrl.length)
      : href;
    const at = local.search(/[?#]|$/);
    const path = local.slice(0, at);
    const isPage = Object.hasOwn(documents, `${path}.md`);
    return isPage || Object.hasOwn(documents, path)
      ? pagePathOf(path) + local.slice(at)
      : href;
  };
}

/** What it is about comes first: the list of its parts may fill a screen. */
function DocumentPage(
  { page, ...head }: {
    page: MarkdownPage;
    description: string;
    canonicalUrl: string;
    markdownUrl: string;
  },
): Html {
  return (
    <Layout
      title={`${page.title} – Spotlight`}
      scripts={DOCUMENT_SCRIPTS}
      {...head}
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
