import { withExamplesFirst } from "./example_names.ts";
import {
  type LinkRewriter,
  type MarkdownPart,
  markdownParts,
} from "./markdown.tsx";

/** Where the documentation for developers is. */
export const DEVELOPERS_PAGE = "/developers";

/** Its parts that stand on that page itself: how to begin. */
const ON_INDEX: readonly string[] = ["quick-start", "where-to-start"];

/** The documentation for developers, as pages by topic. */
export interface Topics {
  /** What stands on the first page. */
  onIndex: readonly MarkdownPart[];
  /** A page each. */
  pages: readonly MarkdownPart[];
  /** Where a heading is read: the path of its page, with its fragment. */
  placeOf(slug: string): string | null;
}

/** Cuts the document into its topics. */
export function topicsOf(markdown: string): Topics {
  const parts = markdownParts(withExamplesFirst(markdown));
  const isOnIndex = ({ slug }: MarkdownPart) => ON_INDEX.includes(slug);
  const onIndex = parts.filter(isOnIndex);
  const pages = parts.filter((part) => !isOnIndex(part));
  const places = new Map([
    ...onIndex.flatMap((part) =>
      [part, ...part.contents].map(({ slug }) =>
        [slug, `${DEVELOPERS_PAGE}#${slug}`] as const
      )
    ),
    ...pages.flatMap((part) => [
      [part.slug, topicPath(part)] as const,
      ...part.contents.map(({ slug }) =>
        [slug, `${topicPath(part)}#${slug}`] as const
      ),
    ]),
  ]);
  return { onIndex, pages, placeOf: (slug) => places.get(slug) ?? null };
}

/** A link of Markdown, and what stands before its address. */
const LINK = /(\]\()([^()\s]+)(?=\))/g;

/**
 * A topic in Markdown, read by itself: links to headings that stand elsewhere
 * have the whole address of the page that has them.
 */
export function topicMarkdown(
  { source }: Pick<MarkdownPart, "source">,
  rewrite: LinkRewriter,
  baseUrl: string,
): string {
  return source.replaceAll(LINK, (link, before: string, href: string) => {
    const to = rewrite(href);
    return to.startsWith(DEVELOPERS_PAGE) ? `${before}${baseUrl}${to}` : link;
  });
}

/** The page of a topic. */
export function topicPath({ slug }: Pick<MarkdownPart, "slug">): string {
  return `${DEVELOPERS_PAGE}/${slug}`;
}
