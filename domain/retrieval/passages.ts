/**
 * The documentation as passages: the pages cut at their headings, long
 * sections cut again between paragraphs or rows of a table. The same pages
 * always give the same passages.
 *
 * @module
 */
import {
  docsPageUrl,
  type PublishedDocuments,
  SEARCHED_PATHS,
  type SearchedPath,
} from "./docs_pages.ts";
import { HeadingSlugs } from "./heading_slug.ts";
import { PASSAGE_WORDS_MAX } from "./limits.ts";
import {
  type MarkdownSection,
  markdownSections,
  wordCount,
} from "./markdown_blocks.ts";
import type { Passage } from "./search_index.ts";

/** The passages of all pages that are searched. */
export function passagesOf(
  documents: PublishedDocuments,
  baseUrl: string,
): Passage[] {
  return SEARCHED_PATHS.flatMap((path) => {
    const markdown = documents[path];
    return markdown === undefined ? [] : pagePassages(path, markdown, baseUrl);
  });
}

/** The passages of one page, in its order. */
export function pagePassages(
  path: SearchedPath,
  markdown: string,
  baseUrl: string,
): Passage[] {
  const sections = markdownSections(markdown);
  const title = sections.find(({ level }) => level === 1)?.heading ?? path;
  const slugs = new HeadingSlugs();
  const passages: Passage[] = [];
  let chapter: string | null = null;
  for (const { level, heading, blocks } of sections) {
    const slug = level === 0 ? "" : slugs.next(heading);
    if (level === 2) chapter = heading;
    const anchor = level < 2 || slug === "" ? "" : `#${slug}`;
    partsOf(blocks).forEach((text, at) => {
      passages.push({
        id: path.slice(1) + anchor + (at === 0 ? "" : `:${at + 1}`),
        url: docsPageUrl(baseUrl, path) + anchor,
        title,
        chapter: level > 2 ? chapter : null,
        heading: level === 0 ? title : heading,
        text,
        path,
        number: passages.length,
      });
    });
  }
  return passages;
}

/** Blocks joined while they stay within the size of a passage. */
function partsOf(blocks: MarkdownSection["blocks"]): string[] {
  const parts: string[] = [];
  let part = "";
  for (const block of blocks.flatMap(smallBlocks)) {
    const joined = part === "" ? block : `${part}\n\n${block}`;
    if (part !== "" && wordCount(joined) > PASSAGE_WORDS_MAX) {
      parts.push(part);
      part = block;
    } else part = joined;
  }
  return part === "" ? parts : [...parts, part];
}

/**
 * A block that is too long alone, cut between lines; the head of a table
 * stands over each of its pieces.
 */
function smallBlocks(block: string): string[] {
  if (wordCount(block) <= PASSAGE_WORDS_MAX) return [block];
  const lines = block.split("\n");
  const isTable = /^\|[\s:|-]+\|$/.test(lines[1] ?? "");
  const head = isTable ? lines.slice(0, 2) : [];
  const pieces: string[][] = [];
  for (const line of lines.slice(head.length)) {
    const piece = pieces.at(-1);
    const words = wordCount([...head, ...piece ?? [], line].join("\n"));
    if (piece === undefined || words > PASSAGE_WORDS_MAX) pieces.push([line]);
    else piece.push(line);
  }
  return pieces.map((piece) => [...head, ...piece].join("\n"));
}
