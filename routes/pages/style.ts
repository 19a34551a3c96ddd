import { strongEtag } from "../../domain/spotlights/public_record.ts";
import { ADVERTISER_STYLE } from "./advertiser_style.ts";

/** The style of the published documents. */
const DOCUMENT_STYLE = `
.prose h2, .prose h3, .prose h4 { scroll-margin-top: 1rem; }
.prose h3 { font-size: 1.08rem; margin: 1.8rem 0 .4rem; }
.prose li + li { margin-top: .3rem; }
.prose ul, .prose ol { padding-left: 1.4rem; }
.prose blockquote {
  margin: 1rem 0;
  padding: .1rem 1rem;
  border-left: 4px solid var(--line);
}
.prose hr { border: 0; border-top: 1px solid var(--line); }
.prose code { font-family: ui-monospace, monospace; font-size: .92em; }
.prose :not(pre) > code {
  background: var(--raised);
  border-radius: .25rem;
  padding: .08em .25em;
}
.prose pre {
  overflow-x: auto;
  overflow-wrap: normal;
  margin: 1rem 0;
  padding: .8rem 1rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .5rem;
  line-height: 1.45;
}
.prose .wide { margin: 1rem 0; }
:is(pre, .wide):focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
}
table.prose { border-collapse: collapse; width: 100%; font-size: .95rem; }
table.prose :is(th, td) {
  min-width: 8rem;
  padding: .45rem .8rem .45rem 0;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}
.anchor { color: var(--quiet); text-decoration: none; font-weight: 400; }
@media (hover: hover) {
  .anchor { opacity: 0; }
  :is(h2, h3, h4, h5, h6):hover > .anchor, .anchor:focus-visible { opacity: 1; }
}
.contents {
  margin: 1.25rem 0;
  padding: .2rem 1rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .6rem;
}
.contents ul { list-style: none; padding: 0; columns: 15rem; }
.contents li { break-inside: avoid; padding: .15rem 0; }
.contents .deeper { padding-left: 1rem; }
.contents li + li { margin: 0; }
@media (max-width: 30rem) { .contents .deeper { display: none; } }
`.trimStart();

/** The style of every page: light and dark, from 320 px up. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --raised: #f5f6f8;
  --ink: #1b1e23;
  --quiet: #545b66;
  --line: #d9dde3;
  --link: #0b57c2;
  --mark: #8a4b00;
  --edge: #757c87;
  --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b;
    --raised: #1e2329;
    --ink: #eceff3;
    --quiet: #a9b2be;
    --line: #363d46;
    --link: #8ab8ff;
    --mark: #f2b866;
    --edge: #8a939f;
    --wrong: #ff9d94;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { max-width: 44rem; margin: 0 auto; padding: 1rem; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
header a:first-child { font-weight: 700; margin-right: auto; }
@media (max-width: 26rem) { header a:first-child { flex-basis: 100%; } }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.6rem, 6vw, 2.4rem); margin: .4rem 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
article {
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .75rem;
  padding: 1.25rem;
}
article p { margin: .6rem 0; }
.label { color: var(--mark); font-weight: 600; font-size: .9rem; }
.quiet, footer { color: var(--quiet); font-size: .9rem; }
.copy { font-size: 1.15rem; }
ol.days { list-style: none; margin: 0; padding: 0; }
ol.days li { border-top: 1px solid var(--line); padding: .6rem 0; }
ol.days time { display: block; color: var(--quiet); font-size: .9rem; }
nav.around {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: .5rem 1rem;
  margin-top: 1.25rem;
}
form.stacked, .cards { display: grid; gap: 1rem; }
form.stacked { justify-items: start; margin: 1rem 0; }
.field { display: grid; gap: .25rem; width: 100%; max-width: 24rem; }
.field p { margin: 0; }
label { font-weight: 600; }
input, button { font: inherit; color: inherit; border-radius: .4rem; }
input {
  width: 100%;
  padding: .6rem .75rem;
  background: var(--paper);
  border: 1px solid var(--edge);
}
input[aria-invalid] { border-color: var(--wrong); }
button {
  min-height: 2.75rem;
  padding: .5rem 1.1rem;
  background: var(--paper);
  border: 1px solid var(--edge);
  cursor: pointer;
}
button.main {
  background: var(--link);
  border-color: var(--link);
  color: var(--paper);
  font-weight: 600;
}
button.danger { border-color: var(--wrong); color: var(--wrong); }
:is(input, button, summary):focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
}
.error { color: var(--wrong); }
.note { border-left: 4px solid; padding: .4rem .8rem; background: var(--raised); }
.cards { list-style: none; padding: 0; }
.cards > li {
  border: 1px solid var(--line);
  border-radius: .6rem;
  padding: .8rem 1rem;
}
.cards p { margin: 0; }
summary { cursor: pointer; color: var(--link); padding: .4rem 0; }
.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
${ADVERTISER_STYLE}${DOCUMENT_STYLE}`.trimStart();

/** Changes with the style, so that the style may be kept for a year. */
export const STYLE_PATH = `/style.css?v=${
  strongEtag(STYLE).replaceAll('"', "").slice(0, 10)
}`;

/** The service's sign: a lamp and its light. */
export const FAVICON =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
  `<rect width="32" height="32" rx="7" fill="#1b1e23"/>` +
  `<path d="M13 9h6l8 16H5z" fill="#f2b866"/>` +
  `<circle cx="16" cy="8" r="4" fill="#fff"/></svg>\n`;
