import type { Settings } from "../../../domain/ports.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import { DOCS_SEARCH_MAX } from "../../../domain/retrieval/limits.ts";
import { refuse } from "../../../domain/refusal.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { preferredType } from "../../http/preferred_type.ts";
import { queryParam } from "../../http/query.ts";
import { SharedText } from "../../http/respond.ts";
import { textAnswer } from "../../http/text_answer.ts";
import {
  chargeNetworks,
  countVisitor,
  countVisits,
  type RateLimits,
} from "../../middleware/rate_limit.ts";
import {
  readVisitorGate,
  type SessionParts,
} from "../../middleware/session.ts";
import {
  htmlAnswer,
  SharedPage,
  sharedPageAnswer,
  WITH_SCRIPTS,
} from "../../pages/page_answer.ts";
import {
  openRoute,
  type Route,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import {
  type DocumentPages,
  HTML,
  MARKDOWN,
  MARKDOWN_HEADERS,
  VARY,
} from "./document_pages.tsx";
import {
  DOCS_SEARCH_PAGE,
  DocsSearchPage,
  type Found,
  QUERY_MAX,
  TopicPage,
} from "./topic_pages.tsx";
import { DEVELOPERS_PAGE, topicMarkdown, topicPath } from "./topics.ts";

/** What the pages of the documentation for developers are made of. */
export interface DevelopersParts extends RateLimits, SessionParts {
  documents: DocumentPages;
  retrieval: Pick<Retrieval, "index">;
  services: SessionParts["services"] & {
    settings: Pick<Settings, "baseUrl">;
  };
}

/** `/developers/…`: a page a topic, and the search in all documents. */
export function developersSurface(parts: DevelopersParts): Surface {
  const routes = [topicRoute(parts), searchRoute(parts)];
  return {
    prefix: DEVELOPERS_PAGE,
    enter: [
      countVisits(parts, routes),
      readVisitorGate(parts),
      countVisitor(parts),
    ],
    routes,
    answers: PAGE_ANSWERS,
  };
}

/**
 * A topic as a page and as Markdown, each under two paths as documents are: what
 * is given without a preference is a page, and Markdown where `.md` ends the path.
 */
function topicRoute({ documents, services }: DevelopersParts): Route {
  const { topics, rewriteOn } = documents;
  const { baseUrl } = services.settings;
  const bySlug = new Map(topics.pages.map((part) => [part.slug, {
    markdown: new SharedText(
      topicMarkdown(part, rewriteOn(topicPath(part)), baseUrl),
    ),
    page: new SharedPage(
      <TopicPage
        topics={topics}
        part={part}
        rewrite={rewriteOn(topicPath(part))}
        baseUrl={baseUrl}
      />,
    ),
  }]));
  return openRoute(route("GET", `${DEVELOPERS_PAGE}/:slug`, (context) => {
    const name = context.req.param("slug");
    const topic = bySlug.get(name.replace(/\.md$/, ""));
    if (topic === undefined) {
      refuse({ code: "not_found", message: "Cannot find the topic" });
    }
    const accept = context.req.raw.headers.get("accept");
    const type = name.endsWith(".md")
      ? preferredType(accept, [MARKDOWN, HTML])
      : preferredType(accept, [HTML, MARKDOWN]);
    return type === HTML
      ? sharedPageAnswer(context, topic.page, { ...VARY, ...WITH_SCRIPTS })
      : textAnswer(context, topic.markdown, MARKDOWN_HEADERS);
  }));
}

/** Looks for words; whoever asks pays for the work, and the networks around. */
function searchRoute(parts: DevelopersParts): Route {
  return route("GET", DOCS_SEARCH_PAGE, async (context) => {
    const query = queryOf(context);
    if (query !== "") await chargeNetworks(context, parts, "page_search");
    const found = query === "" ? [] : await findIn(parts, query);
    return htmlAnswer(context, <DocsSearchPage query={query} found={found} />);
  });
}

function queryOf(context: RouteContext): string {
  return (queryParam(context, "q") ?? "").slice(0, QUERY_MAX).trim();
}

async function findIn(
  { retrieval: { index }, documents }: DevelopersParts,
  query: string,
): Promise<Found[]> {
  const hits = await index.findPassages(query, DOCS_SEARCH_MAX);
  return hits.map(({ passage: { url, heading, title, text } }) => ({
    href: documents.rewriteOn(null)(url),
    heading,
    title,
    excerpt: excerptOf(text),
  }));
}

/** Longest beginning of a passage that is shown. */
const EXCERPT_MAX = 240;

/** What is looked at for it: marks and addresses are taken out. */
const EXCERPT_FROM = 4 * EXCERPT_MAX;

/** How a passage begins, without the marks of Markdown. */
function excerptOf(markdown: string): string {
  const start = markdown.slice(0, EXCERPT_FROM);
  const words = start.replaceAll(/```\w*( run| shown)?|[|#>]|-{3,}/g, " ")
    .replaceAll(/\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, "$1").replaceAll(
      /[`*]/g,
      "",
    )
    .replaceAll(/\s+/g, " ").trim();
  return words.length <= EXCERPT_MAX
    ? words
    : `${words.slice(0, EXCERPT_MAX).trimEnd()} …`;
}
