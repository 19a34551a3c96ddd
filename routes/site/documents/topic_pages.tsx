import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { Field } from "../pages/forms.tsx";
import type { LinkRewriter, MarkdownPart } from "./markdown.tsx";
import { Page } from "../pages/page.tsx";
import { DOCUMENT_SCRIPTS } from "../pages/script_routes.ts";
import { DEVELOPERS_PAGE, topicPath, type Topics } from "./topics.ts";

/** Where the documentation is searched. */
export const DOCS_SEARCH_PAGE = `${DEVELOPERS_PAGE}/search`;

/** Longest text that is looked for. */
export const QUERY_MAX = 200;

const ABOUT = "The APIs, the tool servers and the sandbox, with examples.";

/**
 * `/developers`: how to begin, and every topic. Its list has the fragments that
 * headings had while all was one page; `documents.js` leads on from them.
 */
export function DevelopersPage(
  { topics, opening, rewrite, baseUrl }: {
    topics: Topics;
    /** What the document is about, its title first. */
    opening: readonly Child[];
    rewrite: LinkRewriter;
    baseUrl: string;
  },
): Html {
  return (
    <Layout
      title="Spotlight for developers"
      description={ABOUT}
      canonicalUrl={baseUrl + DEVELOPERS_PAGE}
      markdownUrl={`${DEVELOPERS_PAGE}.md`}
      scripts={DOCUMENT_SCRIPTS}
    >
      <div class="prose">
        {opening}
        <SearchForm query="" />
        {topics.onIndex.map((part) => part.blocks(rewrite, 0))}
      </div>
      <nav class="contents" aria-labelledby="topics">
        <h2 id="topics">Topics</h2>
        <ul>
          {topics.pages.flatMap((part) => [
            <Entry entry={part} href={topicPath(part)} />,
            ...part.contents.map((entry) => (
              <Entry
                entry={entry}
                href={`${topicPath(part)}#${entry.slug}`}
                deeper
              />
            )),
          ])}
        </ul>
      </nav>
    </Layout>
  );
}

function Entry(
  { entry, href, deeper = false }: {
    entry: { slug: string; text: string };
    href: string;
    deeper?: boolean;
  },
) {
  return (
    <li id={entry.slug} class={deeper ? "deeper" : undefined}>
      <a href={href}>{entry.text}</a>
    </li>
  );
}

/** `/developers/{slug}`: one topic, beside the list of all. */
export function TopicPage(
  { topics, part, rewrite, baseUrl }: {
    topics: Topics;
    part: MarkdownPart;
    rewrite: LinkRewriter;
    baseUrl: string;
  },
): Html {
  const { pages } = topics;
  const at = pages.indexOf(part);
  return (
    <Layout
      title={`${part.text} – Spotlight for developers`}
      description={part.summary || ABOUT}
      canonicalUrl={baseUrl + topicPath(part)}
      markdownUrl={`${topicPath(part)}.md`}
      scripts={DOCUMENT_SCRIPTS}
    >
      <div class="docs">
        <div>
          <p class="quiet">
            <a href={DEVELOPERS_PAGE}>Developers</a> ·{" "}
            <a href="#topics">All topics</a>
          </p>
          <div class="prose">{part.blocks(rewrite, 1)}</div>
          <nav class="around" aria-label="Neighbouring topics">
            <Neighbour part={pages[at - 1]} rel="prev" />
            <Neighbour part={pages[at + 1]} rel="next" />
          </nav>
        </div>
        <TopicList topics={topics} current={part} />
      </div>
    </Layout>
  );
}

function Neighbour(
  { part, rel }: { part: MarkdownPart | undefined; rel: "prev" | "next" },
) {
  if (part === undefined) return null;
  return <a href={topicPath(part)} rel={rel}>{part.text}</a>;
}

/** Every topic; of the one that is shown, its headings too. */
function TopicList(
  { topics, current }: { topics: Topics; current: MarkdownPart },
) {
  return (
    <nav class="topics" aria-label="Topics" id="topics">
      <SearchForm query="" />
      <ul>
        {topics.pages.map((part) => {
          const isCurrent = part === current;
          return (
            <li>
              <a
                href={topicPath(part)}
                aria-current={isCurrent ? "page" : undefined}
              >
                {part.text}
              </a>
              {isCurrent && part.contents.length > 0 && (
                <ul>
                  {part.contents.map(({ slug, text }) => (
                    <li>
                      <a href={`#${slug}`}>{text}</a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** A passage that was found. */
export interface Found {
  href: string;
  heading: string;
  /** The title of the document. */
  title: string;
  /** How it begins, in plain words. */
  excerpt: string;
}

/** `/developers/search`: the passages that fit best. */
export function DocsSearchPage(
  { query, found }: { query: string; found: readonly Found[] },
): Html {
  return (
    <Page
      title="Search the documentation"
      description="Finds passages of the documentation for developers, of authorization and of terms."
    >
      <SearchForm query={query} />
      {query !== "" && found.length === 0 && (
        <p>
          Nothing fits. Try other words, or look through{" "}
          <a href={`${DEVELOPERS_PAGE}#topics`}>all topics</a>.
        </p>
      )}
      {found.length > 0 && (
        <ol class="cards found">
          {found.map(({ href, heading, title, excerpt }) => (
            <li>
              <p>
                <a href={href}>{heading}</a>
              </p>
              <p class="quiet">{title}</p>
              <p>{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </Page>
  );
}

function SearchForm({ query }: { query: string }) {
  return (
    <form method="get" action={DOCS_SEARCH_PAGE} class="search" role="search">
      <Field
        name="q"
        label="Search the documentation"
        value={query}
        maxlength={QUERY_MAX}
      />
      <button type="submit" class="plain">Search</button>
    </form>
  );
}
