/** The style of figures: numbers that matter, tables and plots. */
export const FIGURES_STYLE = `
dl.stats {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: var(--space-3);
  margin: var(--space-4) 0;
}
dl.stats > div { border-top: 1px solid var(--line); padding-top: var(--space-2); }
dl.stats dt { color: var(--quiet); font-size: var(--type-1); }
dl.stats dd { margin: 0; }
dl.stats strong { display: block; font: 600 clamp(1.2rem, 5.5vw, 1.6rem)/1.25 var(--display); }
table.figures { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
table.figures caption { text-align: left; color: var(--quiet); font-size: var(--type-1); padding-bottom: var(--space-1); }
table.figures :is(th, td) {
  padding: .45rem .8rem .45rem 0;
  border-top: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
  font-weight: 400;
}
table.figures :is(th, td):last-child { padding-right: 0; }
table.figures thead th { border: 0; color: var(--quiet); font-size: var(--type-1); vertical-align: bottom; }
table.figures .number { text-align: right; }
table.figures td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
table.figures tbody th { overflow-wrap: anywhere; min-width: 7.5rem; }
table.figures tbody th > .quiet { display: block; }
time.short { white-space: nowrap; }
@media (max-width: 40rem) { table.figures .roomy { display: none; } }
/* On a phone as much of a row is seen as can be read. */
@media (max-width: 24rem) {
  table.figures { font-size: var(--type-1); }
  table.figures :is(th, td) { padding-right: .5rem; }
  table.figures tbody th { min-width: 5.5rem; }
  .desk table.figures :is(th, td):not(:last-child) { padding-right: .4rem; }
  .desk table.stacked thead { display: none; }
  .desk table.stacked :is(caption, tbody, tr, th, td) { display: block; }
  .desk table.stacked tr { border-top: 1px solid var(--line); padding: .45rem 0; }
  .desk table.stacked tbody :is(th, td) { border: 0; padding: .1rem 0; text-align: left; white-space: normal; }
  .desk table.stacked td::before { content: attr(data-column) ": "; color: var(--quiet); }
}
.plot { margin: var(--space-3) 0; }
.plot > p { margin: 0; }
.plot svg { display: block; width: 100%; height: 9rem; overflow: visible; }
.plot figcaption { display: flex; justify-content: space-between; gap: var(--space-2); }
svg .grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
svg .bar { fill: var(--mark); }
.share { display: grid; grid-template-columns: 3.2rem 1fr; align-items: center; min-width: min(16rem, 36vw); }
.share > span { font-variant-numeric: tabular-nums; }
.share svg { display: block; width: 100%; height: .5rem; }
.invoice {
  position: relative;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: var(--round);
  background: var(--lit);
  padding: var(--space-2) var(--space-4) var(--space-4);
}
.invoice h2 { font-size: var(--type-3); margin: var(--space-4) 0 var(--space-1); }
.invoice .wide { margin-top: var(--space-4); }
.invoice address { font-style: normal; }
.invoice .parties p { margin: var(--space-1) 0; }
.parties { display: grid; gap: 0 var(--space-4); grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); }
.cancelled::after {
  content: "Cancelled";
  position: absolute;
  inset: 40% 0 auto;
  text-align: center;
  font: 700 clamp(3rem, 14vw, 6rem)/1 var(--display);
  color: var(--wrong);
  opacity: .22;
  transform: rotate(-14deg);
  pointer-events: none;
}
@media (max-width: 30rem) { .invoice { padding-inline: var(--space-3); } }
`;
