import type { MailPart } from "./mail_content.ts";

/** Columns of a line; a longer word, such as an address, has a line of its own. */
const LINE_MAX = 72;

/** A mail as plain text, its lines wrapped. */
export function renderText(parts: readonly MailPart[]): string {
  return `${parts.map(textOf).join("\n\n")}\n`;
}

function textOf(part: MailPart): string {
  if (typeof part === "string") return wrap(part);
  if ("facts" in part) {
    return part.facts.map(([name, value]) =>
      wrap(`${name}: ${value}`, "", "  ")
    )
      .join("\n");
  }
  if ("quote" in part) return wrap(part.quote, "  ");
  if ("code" in part) return `    ${part.code}`;
  const label = "button" in part ? part.button : part.link;
  return `${wrap(`${label}:`)}\n${part.url}`;
}

/**
 * One paragraph, whatever white space it had: a line break in somebody's name
 * begins no line that looks like ours.
 */
function wrap(text: string, first = "", later = first): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/u).filter((each) => each !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    const indent = lines.length === 0 ? first : later;
    if (line !== "" && columns(indent + longer) > LINE_MAX) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  lines.push((lines.length === 0 ? first : later) + line);
  return lines.join("\n");
}

function columns(text: string): number {
  return [...text].length;
}
