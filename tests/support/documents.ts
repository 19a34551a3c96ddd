/**
 * The published documents, taken apart: what is pasted, linked and named.
 *
 * @module
 */
import { HeadingSlugs } from "../../domain/retrieval/heading_slug.ts";
import { PUBLISHED, readDocuments } from "../../app/documents.ts";
import { TEST_SELLER } from "./seller.ts";

/** What is written into the documents in tests. */
export const DOCUMENT_FACTS = {
  seller: TEST_SELLER,
  auctionHours: { opensAtMinute: 0, closesAtMinute: 23 * 60 + 55 },
  simulatorUrl: null,
  operatorEmail: "operator@example.com",
};

/** Every published document by its path, addresses not yet filled in. */
export const DOCUMENTS: Readonly<Record<string, string>> = await readDocuments(
  DOCUMENT_FACTS,
);

/** The paths of the documents. */
export const DOCUMENT_PATHS: readonly string[] = PUBLISHED;

/** The text of a document. */
export function documentText(path: string): string {
  const text = DOCUMENTS[path];
  if (text === undefined) throw new Error(`There is no document ${path}`);
  return text;
}

/** A fenced block: its language, what becomes of it and its text. */
export interface Fence {
  language: string;
  /** `run`, `shown`, or `file=` and the name it is saved under. */
  mark: string;
  text: string;
}

/** The fenced blocks of a document, in order. */
export function fencesOf(document: string): Fence[] {
  return [...document.matchAll(/^```(\S*) ?([^\n]*)\n([^]*?)^```$/gm)]
    .map(([, language = "", mark = "", text = ""]) => ({
      language,
      mark,
      text,
    }));
}

/** A document without its fenced blocks. */
export function proseOf(document: string): string {
  return document.replaceAll(/^```[^]*?^```$/gm, "");
}

/** A heading with what follows it up to the next heading. */
export interface Section {
  level: number;
  heading: string;
  slug: string;
  body: string;
}

/** The sections of a document, in order. */
export function sectionsOf(document: string): Section[] {
  const slugs = new HeadingSlugs();
  // A comment in a fenced block is no heading.
  return proseOf(document).split(/^(?=#{1,6} )/m)
    .filter((text) => text.startsWith("#"))
    .map((text) => {
      const [first = "", ...rest] = text.split("\n");
      const heading = first.replace(/^#+ /, "");
      return {
        level: first.indexOf(" "),
        heading,
        slug: slugs.next(heading),
        body: rest.join("\n").trim(),
      };
    });
}

/** The section under a heading, without those below it. */
export function sectionOf(path: string, heading: string): string {
  const found = sectionsOf(documentText(path))
    .find((section) => section.heading === heading);
  if (found === undefined) throw new Error(`${path} has no "${heading}"`);
  return found.body;
}

/** Where a document's links lead, those in text only. */
export function linksOf(document: string): string[] {
  const prose = proseOf(document);
  const written = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  const bare = [...prose.matchAll(
    /(?<![`(<\w"])(?:\{\w+_url\}|https?:\/\/)[^\s`)>|]*[^\s`)>|.,:;]/g,
  )];
  return [
    ...written.map(([, address = ""]) => address),
    ...bare.map(([address]) => address),
  ];
}

/** What stands between backticks in a text. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

/** What stands between backticks in a column of the tables of a text. */
export function codeInColumn(text: string, column: number): string[] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.flatMap((row) => codeIn(row.split("|")[column + 1] ?? ""));
}
