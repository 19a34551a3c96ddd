/** The style of the published documents. */
export const DOCUMENT_STYLE = `
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
