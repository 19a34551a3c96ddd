/**
 * Documents in Markdown as HTML. What marked reads is written by JSX, which
 * escapes every text: HTML in the source is shown as the characters it is made
 * of, and no attribute but those named here is ever written.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { HeadingSlugs } from "../../../domain/retrieval/heading_slug.ts";

/** A heading of a document, for its table of contents. */
export interface ContentsEntry {
  /** 2 for `##` and so on. */
  depth: number;
  slug: string;
  text: string;
}

/** A document, ready to be shown. */
export interface MarkdownPage {
  /** The words of its first heading. */
  title: string;
  contents: readonly ContentsEntry[];
  /** What it is made of, that heading first. */
  blocks: readonly Child[];
  /** How many of these stand before its first part. */
  openingLength: number;
}

/** A part of a document that begins with a `##` heading. */
export interface MarkdownPart extends ContentsEntry {
  /** Its `###` headings. */
  contents: readonly ContentsEntry[];
  /** The Markdown that it was written in. */
  source: string;
  /** What its first paragraph says, or begins with. */
  summary: string;
  /**
   * What it is made of, its heading first.
   *
   * @param rise by how much its headings are higher than in the document
   */
  blocks(rewrite: LinkRewriter, rise: number): Child[];
}

/** Turns the address of a link into the one it leads to on a page. */
export type LinkRewriter = (href: string) => string;

/** Reads a document whole, and makes HTML of it. */
export function markdownPage(
  text: string,
  rewrite: LinkRewriter = (href) => href,
): MarkdownPage {
  const { tokens, headings } = readMarkdown(text);
  const [title, ...rest] = headings.values();
  const firstPart = tokens.findIndex((token) =>
    token.type === "heading" && token.depth > 1
  );
  return {
    title: title?.text ?? "",
    contents: rest.filter(({ depth }) => depth === 2 || depth === 3),
    blocks: blocks({ headings, rewrite, rise: 0 }, tokens),
    openingLength: firstPart < 0 ? tokens.length : firstPart,
  };
}

/** The parts of a document, in its order, with the fragments they have in it. */
export function markdownParts(text: string): MarkdownPart[] {
  const { tokens, headings } = readMarkdown(text);
  const starts = tokens.flatMap((token, at) =>
    headings.get(token)?.depth === 2 ? [at] : []
  );
  return starts.flatMap((start, nth) => {
    const own = tokens.slice(start, starts[nth + 1]);
    const [entry, ...below] = own.flatMap((token) => headings.get(token) ?? []);
    return entry === undefined ? [] : [{
      ...entry,
      contents: below.filter(({ depth }) => depth === 3),
      source: own.map(({ raw }) => raw).join(""),
      summary: summaryOf(own),
      blocks: (rewrite: LinkRewriter, rise: number) =>
        blocks({ headings, rewrite, rise }, own),
    }];
  });
}

/** As much as search engines show. */
const SUMMARY_MAX = 155;

function summaryOf(tokens: readonly MarkedToken[]): string {
  const first = tokens.find(({ type }) => type === "paragraph");
  const words = first === undefined ? "" : plainText([first]);
  const text = words.replaceAll(/\s+/g, " ").trim();
  if (text.length <= SUMMARY_MAX) return text;
  return `${text.slice(0, text.lastIndexOf(" ", SUMMARY_MAX))} …`;
}

function readMarkdown(text: string): {
  tokens: readonly MarkedToken[];
  headings: ReadonlyMap<Token, ContentsEntry>;
} {
  const tokens = lexer(text) as MarkedToken[];
  const slugs = new HeadingSlugs();
  const headings = new Map<Token, ContentsEntry>();
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    const words = plainText(token.tokens);
    const slug = slugs.next(words);
    headings.set(token, { depth: token.depth, slug, text: words });
  }
  return { tokens, headings };
}

/** What the parts of a document need to know of the whole. */
interface Writer {
  headings: ReadonlyMap<Token, ContentsEntry>;
  rewrite: LinkRewriter;
  /** By how much headings are higher than in the document. */
  rise: number;
}

function blocks(writer: Writer, tokens: readonly Token[]): Child[] {
  return tokens.map((token) => block(writer, token as MarkedToken));
}

function block(writer: Writer, token: MarkedToken): Child {
  switch (token.type) {
    case "heading":
      return heading(writer, token);
    case "paragraph":
      return <p>{inlines(writer, token.tokens)}</p>;
    case "code":
      return code(token.text);
    case "table":
      return table(writer, token);
    case "list":
      return list(writer, token);
    case "blockquote":
      return <blockquote>{blocks(writer, token.tokens)}</blockquote>;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "html":
      return <p>{token.raw.trim()}</p>;
    default:
      // The text of a list's item.
      return inline(writer, token);
  }
}

/** Everything but a title can be linked to, and says so. */
function heading(writer: Writer, token: Tokens.Heading): Child {
  const entry = writer.headings.get(token);
  const depth = Math.max(1, Math.min(token.depth, 6) - writer.rise);
  const Tag = `h${depth}` as "h2";
  const text = inlines(writer, token.tokens);
  if (entry === undefined) return <Tag>{text}</Tag>;
  if (depth === 1) return <h1 id={entry.slug}>{text}</h1>;
  return (
    <Tag id={entry.slug}>
      {text}{" "}
      <a
        class="anchor"
        href={`#${entry.slug}`}
        aria-label={`Link to “${entry.text}”`}
      >
        #
      </a>
    </Tag>
  );
}

/** Long lines are scrolled to, with the keyboard too. */
function code(text: string): Child {
  return (
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  );
}

function list(writer: Writer, token: Tokens.List): Child {
  const items = token.items.map((item) => listItem(writer, item));
  if (!token.ordered) return <ul>{items}</ul>;
  const first = Number(token.start);
  return first === 1 ? <ol>{items}</ol> : <ol start={first}>{items}</ol>;
}

function listItem(writer: Writer, { tokens }: Tokens.ListItem): Child {
  return <li>{blocks(writer, tokens)}</li>;
}

function table(writer: Writer, { header, rows }: Tokens.Table): Child {
  return (
    <div class="wide" tabindex={0}>
      <table class="prose">
        <thead>
          <tr>{header.map((cell) => tableCell(writer, cell))}</tr>
        </thead>
        <tbody>{rows.map((row) => tableRow(writer, row))}</tbody>
      </table>
    </div>
  );
}

function tableRow(writer: Writer, cells: readonly Tokens.TableCell[]): Child {
  return <tr>{cells.map((cell) => tableCell(writer, cell))}</tr>;
}

function tableCell(
  writer: Writer,
  { header, tokens }: Tokens.TableCell,
): Child {
  const words = inlines(writer, tokens);
  return header ? <th scope="col">{words}</th> : <td>{words}</td>;
}

function inlines(writer: Writer, tokens: readonly Token[]): Child[] {
  return tokens.map((token) => inline(writer, token as MarkedToken));
}

function inline(writer: Writer, token: MarkedToken): Child {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(writer, token.tokens)}</strong>;
    case "em":
      return <em>{inlines(writer, token.tokens)}</em>;
    case "del":
      return <del>{inlines(writer, token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(writer, token);
    case "text":
      return token.tokens ? inlines(writer, token.tokens) : token.text;
    case "escape":
      return token.text;
    case "html":
    default:
      return token.raw;
  }
}

/** A link that leads where a page may lead; of any other the words alone. */
function link(writer: Writer, token: Tokens.Link): Child {
  const words = inlines(writer, token.tokens);
  const href = writer.rewrite(token.href);
  return isSafe(href) ? <a href={href}>{words}</a> : words;
}

/** An address on this site, a fragment, or one of a few schemes. */
function isSafe(href: string): boolean {
  return /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(href);
}

/** The words of a line, as a reader sees them. */
function plainText(tokens: readonly Token[]): string {
  return (tokens as MarkedToken[]).map((token) => {
    if (token.type === "br") return " ";
    if ("tokens" in token && token.tokens) return plainText(token.tokens);
    return "text" in token ? String(token.text) : token.raw;
  }).join("");
}
