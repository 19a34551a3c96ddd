/**
 * Pages for people, in plain HTML: they work in any browser, without scripts.
 *
 * @module
 */

import type { WireAnswer } from "../wire.ts";

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 32rem; padding: 1.5rem 1rem; }
label, legend { display: block; font-weight: 600; margin-top: 1rem; }
input, select, button { box-sizing: border-box; font: inherit; padding: .5rem; }
input, select { width: 100%; }
a { color: inherit; }
button { cursor: pointer; margin: 1rem .5rem 0 0; }
[role="alert"] { border-left: .25rem solid; padding-left: .75rem; }
`;

/** Text as it may stand in HTML, attributes included. */
export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/**
 * A page.
 *
 * @param body HTML, in which everything from outside is escaped
 */
export function page(status: number, title: string, body: string): WireAnswer {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Simulated processor</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
<p>This is a simulated payment processor: no real card, no real person.</p>
${body}
</main>
</body>
</html>
`;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // No rule for forms: browsers would hold it against the way back.
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    },
    body: html,
  };
}

/** Sends the browser on after a form. */
export function seeOther(location: string): WireAnswer {
  return { status: 303, headers: { location }, body: "" };
}

/** A link back to the seller's site, or nothing when there is no way back. */
export function linkTo(address: string | null, text: string): string {
  if (address === null) return "";
  return `<p><a href="${escape(address)}">${escape(text)}</a></p>`;
}

/** Something that went wrong. */
export function alert(text: string | null): string {
  return text === null ? "" : `<p role="alert">${escape(text)}</p>`;
}

/** A choice of one. */
export function select(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): string {
  const choices = options.map(([value, text]) =>
    `<option value="${escape(value)}">${escape(text)}</option>`
  );
  return `<label for="${name}">${escape(label)}</label>
<select id="${name}" name="${name}">
${choices.join("\n")}
</select>`;
}
