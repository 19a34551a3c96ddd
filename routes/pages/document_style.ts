/** The style of the published documents. */
export const DOCUMENT_STYLE: string = `
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
:is(.prose, .paste) pre {
  overflow-x: auto;
  overflow-wrap: normal;
  margin: 1rem 0;
  padding: .8rem 1rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .5rem;
  line-height: 1.45;
}
.paste pre { padding-right: 5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
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
.contents h2 { font-size: var(--type-3); margin: .6rem 0; }
.contents li:target { background: var(--lit); }
.docs { display: grid; gap: var(--space-5); }
.docs > * { min-width: 0; }
.topics ul { list-style: none; margin: 0; padding: 0; font-size: var(--type-1); }
.topics li ul { padding-left: 1rem; }
.topics li a { display: block; padding: .2rem 0; color: inherit; text-decoration: none; }
.topics li a:hover { text-decoration: underline; }
.topics [aria-current] { font-weight: 700; }
@media (min-width: 64rem) {
  main:has(> .docs), body:has(.docs) > :is(header, footer) { max-width: 72rem; }
  .docs { grid-template-columns: minmax(0, 1fr) 17rem; }
  .topics { border-left: 1px solid var(--line); padding-left: var(--space-4); }
}
.code { position: relative; }
.code .copy {
  position: absolute;
  top: .4rem;
  right: .4rem;
  min-height: 0;
  padding: .2rem .6rem;
  font-size: var(--type-1);
  background: var(--lit);
}
@media (hover: hover) {
  .prose .copy { opacity: 0; }
  .code:hover .copy, .copy:focus-visible { opacity: 1; }
}
.found { padding: 0; }
@media print { .topics, .code .copy { display: none; } }
`.trimStart();
