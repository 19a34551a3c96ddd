/**
 * A mail as HTML: one column, styles on the elements, nothing that is loaded.
 * Colours are the reader's own, so that it is readable in the light and in the
 * dark; the button alone has two of its own, which suit each other.
 *
 * @module
 */
import type { MailFact, MailPart } from "./mail_content.ts";

const BODY = "margin:0;padding:24px 16px";
const COLUMN = "max-width:36em;margin:0 auto;overflow-wrap:anywhere;" +
  "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const MARK = "margin:0 0 24px;font-weight:600;letter-spacing:.02em";
const HEADING = "margin:0 0 16px;font-size:22px;line-height:1.3";
const PARAGRAPH = "margin:0 0 16px";
const TABLE = "margin:0 0 16px;border-collapse:collapse";
const NAME = "padding:4px 16px 4px 0;text-align:left;vertical-align:top;" +
  "font-weight:400;opacity:.75";
const VALUE = "padding:4px 0;vertical-align:top;font-weight:600";
const QUOTE =
  "margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid #b7791f";
const CODE = "margin:0 0 16px;font:600 28px/1.4 ui-monospace,monospace;" +
  "letter-spacing:.06em";
const BUTTON = "display:inline-block;padding:10px 20px;border-radius:6px;" +
  "background-color:#f2b13c;color:#1c1710;font-weight:600;text-decoration:none";
const LINK = "color:inherit";

/** The whole document of a mail. */
export function renderHtml(
  heading: string,
  parts: readonly MailPart[],
): string {
  const title = escapeHtml(heading);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="${BODY}">
<div style="${COLUMN}">
<p style="${MARK}">Spotlight</p>
<h1 style="${HEADING}">${title}</h1>
${parts.map(htmlOf).join("\n")}
</div>
</body>
</html>
`;
}

function htmlOf(part: MailPart): string {
  if (typeof part === "string") return paragraph(escapeHtml(part));
  if ("facts" in part) {
    return `<table style="${TABLE}">
${part.facts.map(rowOf).join("\n")}
</table>`;
  }
  if ("quote" in part) {
    return `<p dir="auto" style="${QUOTE}">${escapeHtml(part.quote)}</p>`;
  }
  if ("code" in part) {
    return `<p style="${CODE}">${escapeHtml(part.code)}</p>`;
  }
  return "button" in part
    ? paragraph(anchor(part.url, part.button, BUTTON))
    : paragraph(anchor(part.url, part.link, LINK));
}

function rowOf([name, value]: MailFact): string {
  return `<tr><th scope="row" style="${NAME}">${escapeHtml(name)}</th>` +
    `<td dir="auto" style="${VALUE}">${escapeHtml(value)}</td></tr>`;
}

function paragraph(html: string): string {
  return `<p style="${PARAGRAPH}">${html}</p>`;
}

function anchor(url: string, label: string, style: string): string {
  return `<a href="${escapeHtml(url)}" style="${style}">${
    escapeHtml(label)
  }</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that stands for itself, between tags and in attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => ENTITIES[each] ?? each);
}
