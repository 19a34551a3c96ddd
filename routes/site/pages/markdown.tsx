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

/** Turns the address of a link into the one it leads to on a page. */
export type LinkRewriter = (href: string) => string;

/** Reads a document whole, and makes HTML of it. */
export function markdownPage(
  text: string,
  rewrite: LinkRewriter = (href) => href,
): MarkdownPage {
  const tokens = lexer(text) as MarkedToken[];
  const slugs = new HeadingSlugs();
  const headings = new Map<Token, ContentsEntry>();
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    const words = plainText(token.tokens);
    const slug = slugs.next(words);
    headings.set(token, { depth: token.depth, slug, text: words });
  }
  const [title, ...rest] = headings.values();
  const firstPart = tokens.findIndex((token) =>
    token.type === "heading" && token.depth > 1
  );
  const writer = { headings, rewrite };
  return {
    title: title?.text ?? "",
    contents: rest.filter(({ depth }) => depth === 2 || depth === 3),
    blocks: blocks(writer, tokens),
    openingLength: firstPart < 0 ? tokens.length : firstPart,
  };
}

/** What the parts of a document need to know of the whole. */
interface Writer {
  headings: ReadonlyMap<Token, ContentsEntry>;
  rewrite: LinkRewriter;
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
  const Tag = `h${Math.min(token.depth, 6)}` as "h2";
  const text = inlines(writer, token.tokens);
  if (entry === undefined) return <Tag>{text}</Tag>;
  if (token.depth === 1) return <h1 id={entry.slug}>{text}</h1>;
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
