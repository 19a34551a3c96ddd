/** The style of advertisements, and of the pages that show them. */
export const STAGE_STYLE = `
.lead { font-size: var(--type-3); }
.stage {
  container-type: inline-size;
  margin: var(--space-3) 0;
  padding: clamp(1.25rem, 5vw, 2.6rem) clamp(1.1rem, 5vw, 2.6rem);
  border: 1px solid var(--line);
  border-radius: 1rem;
  background:
    radial-gradient(90% 70% at 50% 0, var(--glow), transparent) no-repeat var(--lit);
}
.stage > * { margin: 0; }
.stage + section { margin-top: var(--space-4); }
.stage .headline { font-size: var(--type-6); font-weight: 700; letter-spacing: -.02em; margin: var(--space-2) 0 var(--space-3); }
.stage .copy { font-size: var(--type-3); max-width: 34em; }
.stage .payer { color: var(--quiet); margin: var(--space-3) 0 var(--space-4); }
.stage .payer bdi { color: var(--ink); font-weight: 600; }
.stage .button { font-size: var(--type-2); padding: .65rem clamp(.8rem, 4vw, 1.4rem); max-width: 100%; }
.until { text-align: center; color: var(--quiet); font-size: var(--type-1); }
.offer {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: var(--space-1) var(--space-3);
  padding: var(--space-3) 0;
  border-block: 1px solid var(--line);
}
.offer > * { margin: 0; }
ol.days { list-style: none; margin: 0; padding: 0; display: grid; gap: var(--space-3); }
@media (min-width: 40rem) { ol.days { grid-template-columns: 1fr 1fr; } }
ol.days li {
  border: 1px solid var(--line);
  border-radius: var(--round);
  padding: var(--space-2) var(--space-3);
  background: var(--lit);
}
ol.days .more { display: grid; align-content: center; border-style: dashed; background: none; }
ol.days time { display: block; color: var(--quiet); font-size: var(--type-1); }
ol.days a { font: 600 var(--type-3)/1.25 var(--display); color: inherit; display: block; padding: .15rem 0; }
form.search { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: end; margin: var(--space-3) 0; }
form.search .field { flex: 1 1 14rem; width: auto; }
form.search button { min-height: 3rem; }
`;

/** The style of pages on paper. */
export const PRINT_STYLE = `
@media print {
  :root { color-scheme: light; --paper: #fff; --lit: #fff; --raised: #fff; --glow: #fff; --ink: #000; --quiet: #333; --link: #000; --line: #bbb; --mark: #7d4700; }
  body { display: block; }
  details::details-content { content-visibility: visible; height: auto; }
  header, footer, form, .skip, .screen, main > nav { display: none; }
}
`;
