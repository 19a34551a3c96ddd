import { ADVERTISER_STYLE } from "./advertiser_style.ts";
import { DOCUMENT_STYLE } from "./document_style.ts";
import { FIGURES_STYLE } from "./figures_style.ts";
import { FONTS } from "./fonts.ts";
import { PRINT_STYLE, STAGE_STYLE } from "./stage_style.ts";
import { versioned } from "./versioned.ts";

/**
 * The style of every page, light and dark, from 320 px up: six steps of type,
 * six of space, and one amber, kept for what is lit.
 */
export const STYLE = `
@font-face {
  font-family: Display;
  src: url("${FONTS.latin.path}") format("woff2");
  font-weight: 400 700;
  font-display: swap;
  unicode-range: ${FONTS.latin.range};
}
@font-face {
  font-family: Display;
  src: url("${FONTS.latinExt.path}") format("woff2");
  font-weight: 400 700;
  font-display: swap;
  unicode-range: ${FONTS.latinExt.range};
}
/* As wide and high as the face above, so that nothing moves when that comes. */
@font-face {
  font-family: Fallback;
  src: local("Arial"), local("Liberation Sans"), local("Helvetica Neue"), local("Roboto");
  size-adjust: 91%;
  ascent-override: 112.6%;
  descent-override: 24.7%;
  line-gap-override: 0%;
}
:root {
  color-scheme: light dark;
  --paper: #fbf8f2;
  --raised: #f3ede1;
  --lit: #fffdf8;
  --ink: #221c13;
  --quiet: #60574a;
  --line: #e0d7c6;
  --edge: #84796a;
  --link: #1d4a94;
  --amber: #ffb43a;
  --glow: #ffe2ac;
  --mark: #7d4700;
  --wrong: #a8221a;
  --type-1: .9rem;
  --type-2: 1.0625rem;
  --type-3: 1.25rem;
  --type-4: 1.6rem;
  --type-5: clamp(1.8rem, 6vw, 2.4rem);
  --type-6: clamp(2.5rem, 8cqi, 3.5rem);
  --space-1: .3rem;
  --space-2: .6rem;
  --space-3: 1rem;
  --space-4: 1.5rem;
  --space-5: 2.4rem;
  --space-6: 4rem;
  --round: .6rem;
  --display: Display, Fallback, ui-sans-serif, system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14110c;
    --raised: #1f1b14;
    --lit: #241e13;
    --ink: #f4eee2;
    --quiet: #b9ae9b;
    --line: #3b3428;
    --edge: #918673;
    --link: #9fc3ff;
    --glow: #55401a;
    --mark: #f2b866;
    --wrong: #ff9d94;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--paper);
  color: var(--ink);
  font: var(--type-2)/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer {
  width: 100%;
  max-width: 46rem;
  margin: 0 auto;
  padding: var(--space-3);
}
.desk > :is(header, main, footer) { max-width: 64rem; }
.desk main > :is(p, ul, ol, form, details):not(.counts, .cards) { max-width: 46rem; }
main { flex: 1; padding-bottom: var(--space-5); }
header { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); align-items: baseline; justify-content: space-between; }
header nav { font-size: var(--type-1); }
header ul { display: flex; flex-wrap: wrap; gap: 0 1.1rem; list-style: none; margin: 0; padding: 0; }
header a { display: inline-block; color: inherit; text-decoration: none; padding: .3rem 0; border-bottom: 3px solid transparent; }
header a:hover { border-color: var(--edge); }
header a[aria-current] { border-color: var(--amber); font-weight: 600; }
header .wordmark {
  font: 700 var(--type-3)/1.2 var(--display);
  letter-spacing: -.01em;
}
.wordmark svg { width: 1em; height: 1em; margin-right: .35em; vertical-align: -.12em; }
footer > p { margin: 0; padding-top: var(--space-3); border-top: 1px solid var(--line); }
footer ul { display: flex; flex-wrap: wrap; gap: var(--space-1) 1.25rem; list-style: none; margin: var(--space-2) 0 0; padding: 0; }
a { color: var(--link); text-underline-offset: .15em; }
:is(a, input, button, summary, select, textarea):focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
}
h1, h2, .headline { font-family: var(--display); line-height: 1.15; text-wrap: balance; }
h1 { font-size: var(--type-5); margin: .4rem 0; }
h2 { font-size: var(--type-4); font-weight: 600; margin: var(--space-5) 0 var(--space-2); }
h3 { font-size: var(--type-3); margin: var(--space-4) 0 var(--space-2); line-height: 1.25; }
.label { color: var(--mark); font-weight: 600; font-size: var(--type-1); }
.quiet, footer { color: var(--quiet); font-size: var(--type-1); }
nav.around {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: var(--space-2) var(--space-3);
  margin-top: var(--space-4);
}
:where(main :is(ul, ol)) { padding-left: 1.4rem; }
form.stacked, .cards { display: grid; gap: var(--space-3); }
form.stacked { justify-items: start; margin: var(--space-3) 0; }
.field { display: grid; gap: .25rem; width: 100%; max-width: 24rem; }
.field p { margin: 0; }
/* The place of the line that a script puts there, so that nothing moves. */
@media (scripting: enabled) {
  .field:has(> [data-counted]):not(:has(> [id$="-count"])) {
    padding-bottom: calc(.25rem + 1.55 * var(--type-1));
  }
}
/* A headline of its longest is seen whole. */
.field:has(> :is([data-counted], [inputmode=url])) { max-width: 36rem; }
label { font-weight: 600; }
input, button, select, textarea { font: inherit; color: inherit; border-radius: .4rem; }
input, select, textarea {
  width: 100%;
  min-height: 3rem;
  padding: .6rem .75rem;
  background: var(--lit);
  border: 1px solid var(--edge);
}
/* The label and hint of what a link leads to are seen, too. */
:is(input, select, textarea)[id] { scroll-margin-top: 6rem; }
input:is([type=checkbox], [type=radio]) { width: 1.4rem; height: 1.4rem; min-height: 0; accent-color: var(--ink); }
:is(input, select, textarea)[aria-invalid] { border-color: var(--wrong); }
button, .button {
  display: inline-block;
  min-height: 2.75rem;
  padding: .5rem 1.1rem;
  background: var(--paper);
  border: 1px solid var(--edge);
  border-radius: .4rem;
  color: inherit;
  text-decoration: none;
  cursor: pointer;
}
:is(button, .button):hover { border-color: var(--ink); }
:is(button, .button).main {
  background: var(--ink);
  border-color: var(--ink);
  color: var(--paper);
  font-weight: 600;
}
.button.lit {
  background: var(--amber);
  border-color: var(--amber);
  color: #221c13;
  font-weight: 600;
}
.button.lit:hover { border-color: #221c13; }
button.danger { border-color: var(--wrong); color: var(--wrong); }
.error { color: var(--wrong); }
.note { border-left: 4px solid; padding: .4rem .8rem; background: var(--raised); }
/* It has the focus so that it is read out, and takes no key. */
.note[tabindex]:focus { outline: none; }
div.note { margin: 1em 0; }
.note.error a { color: inherit; }
.note.error > :is(p, ul) { margin: 0; }
.note.error > ul { padding-left: 1.2rem; }
.note.error > ul:only-child:not(:has(li + li)) { padding: 0; list-style: none; }
.cards { list-style: none; padding: 0; }
.cards > li {
  border: 1px solid var(--line);
  border-radius: var(--round);
  padding: .8rem var(--space-3);
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
${STAGE_STYLE}${ADVERTISER_STYLE}${FIGURES_STYLE}${DOCUMENT_STYLE}${PRINT_STYLE}`
  .trimStart();

/** Where pages find the style. */
export const STYLE_PATH = versioned("/style.css", STYLE);

/** The service's sign, a lamp and its light, in a square of 32. */
export const LAMP: string =
  `<rect width="32" height="32" rx="7" fill="#14110c"/>` +
  `<path d="M13 9h6l8 16H5z" fill="#ffb43a"/>` +
  `<circle cx="16" cy="8" r="4" fill="#fffdf8"/>`;

/** The same as a file. */
export const FAVICON: string =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${LAMP}</svg>\n`;
