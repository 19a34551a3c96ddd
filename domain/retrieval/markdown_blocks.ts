/** A heading of a Markdown document with what stands under it. */
export interface MarkdownSection {
  /** 1 for the title, 2 for `##`, 3 for `###` and so on; 0 before any. */
  readonly level: number;
  /** As it reads, without marks of emphasis, code and links. */
  readonly heading: string;
  /** Paragraphs, lists, tables and fences of code, as they are written. */
  readonly blocks: readonly string[];
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const FENCE = /^\s*(```|~~~)/;

/** Cuts a document at its headings, and each part at its empty lines. */
export function markdownSections(markdown: string): MarkdownSection[] {
  const sections: { level: number; heading: string; blocks: string[] }[] = [
    { level: 0, heading: "", blocks: [] },
  ];
  let block: string[] = [];
  let isInFence = false;
  const endBlock = () => {
    if (block.length > 0) sections.at(-1)?.blocks.push(block.join("\n"));
    block = [];
  };
  for (const line of markdown.split(/\r?\n/)) {
    const heading = isInFence ? null : HEADING.exec(line);
    if (FENCE.test(line)) isInFence = !isInFence;
    if (heading !== null) {
      endBlock();
      const [, marks = "", text = ""] = heading;
      const level = marks.length;
      sections.push({ level, heading: plainInline(text), blocks: [] });
    } else if (!isInFence && line.trim() === "") endBlock();
    else block.push(line);
  }
  endBlock();
  return sections;
}

/** The words of a line of Markdown: links by their text, no marks. */
export function plainInline(text: string): string {
  return text.replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/(`|\*\*|\*)(.+?)\1/g, "$2");
}

/** How many words stand in the text, marks of Markdown left out. */
export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}_'’.:/-]*/gu)?.length ?? 0;
}
