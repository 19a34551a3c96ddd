/** The style of the pages on which advertisers decide something. */
export const ADVERTISER_STYLE = `
fieldset {
  width: 100%;
  min-width: 0;
  margin: 0;
  border: 1px solid var(--line);
  border-radius: .6rem;
  padding: .4rem 1rem 1rem;
}
legend { font-weight: 700; padding: 0 .4rem; }
fieldset .field, fieldset .tick { margin-top: .8rem; }
form.stacked > section { width: 100%; }
.tick { display: grid; grid-template-columns: auto 1fr; gap: .2rem .7rem; }
.tick input { margin: .1rem 0 0; }
.tick p { margin: 0; }
.tick:has(> input[name=choice]:not(:checked)) details { display: none; }
form:not(:has(#scope-bids-write:checked)) fieldset.mandate > :not(legend, .tick) {
  display: none;
}
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .8rem; }
textarea { resize: vertical; }
dl.facts {
  display: grid;
  grid-template-columns: minmax(7rem, max-content) 1fr;
  gap: .35rem 1.2rem;
  margin: 1rem 0;
}
dl.facts dt { color: var(--quiet); }
dl.facts dd { margin: 0; }
.note.warning { border-color: var(--mark); }
.agent h2 { margin: 0; }
.agent h3 { font-size: 1rem; margin: var(--space-3) 0 .2rem; }
.agent ul { margin: .2rem 0; padding-left: 1.2rem; columns: 17rem; }
.agent li { break-inside: avoid; }
.agent .buttons { margin-top: var(--space-3); }
.agent dl.facts { margin: .2rem 0; }
.wide { overflow-x: auto; position: relative; }
ul.counts {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr));
  gap: var(--space-2);
  list-style: none;
  margin: var(--space-3) 0;
  padding: 0;
}
ul.counts a {
  display: block;
  height: 100%;
  padding: var(--space-2) var(--space-3);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--lit);
  color: inherit;
  text-decoration: none;
}
ul.counts a:hover { border-color: var(--ink); }
ul.counts strong { display: block; font: 600 var(--type-4)/1.2 var(--display); }
ul.counts .none a { border-color: var(--line); background: none; color: var(--quiet); }
ol.way { padding-left: 1.6rem; }
ol.way > li { padding: var(--space-2) 0 var(--space-2) var(--space-2); }
ol.way > li::marker { font-weight: 600; }
ol.way p { margin: 0; }
ol.way p + p { margin-top: var(--space-2); }
ol.way > :not([aria-current]) { color: var(--quiet); }
ol.way .done strong { font-weight: 400; }
.next {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: var(--space-2) var(--space-4);
  margin: var(--space-3) 0;
  padding: var(--space-3);
  border: 1px solid var(--line);
  border-radius: var(--round);
  background: var(--lit);
}
.next p { margin: 0; }
/* The auction that is open is what these pages are about. */
.auction {
  margin: var(--space-4) 0;
  padding: var(--space-4) clamp(1.1rem, 4vw, 2rem);
  border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--lit);
}
.auction > h2 { margin-top: 0; }
.auction > :last-child { margin-bottom: 0; }
.auction > form.stacked, .auction > .next {
  margin-top: var(--space-4);
  padding: var(--space-4) 0 0;
  border: 0;
  border-top: 1px solid var(--line);
  border-radius: 0;
}
.auction form.stacked > :is(h3, p) { margin: 0; }
/* Bids of earlier days: when and how much in columns of their own. */
ul.history { list-style: none; margin: var(--space-3) 0; padding: 0; }
ul.history > li {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 var(--space-4);
  padding: var(--space-2) 0;
  border-top: 1px solid var(--line);
}
ul.history > li:last-child { border-bottom: 1px solid var(--line); }
ul.history > li > div { grid-column: 1 / -1; }
ul.history p { margin: 0; }
ul.history .number { font-variant-numeric: tabular-nums; text-align: right; }
@media (min-width: 40rem) {
  ul.history > li { grid-template-columns: 7rem 7.5rem 1fr; }
  ul.history > li > div { grid-column: auto; }
}
/* Things with one button each. */
ul.rows { list-style: none; margin: var(--space-3) 0; padding: 0; }
ul.rows > li {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: var(--space-2) var(--space-4);
  padding: var(--space-2) 0;
  border-top: 1px solid var(--line);
}
ul.rows p, ul.rows form { margin: 0; }
ul.rows > li > div { flex: 1 1 16rem; }
ol.timeline { list-style: none; margin: var(--space-2) 0; padding: 0; }
ol.timeline > li { position: relative; border-left: 2px solid var(--line); padding: 0 0 var(--space-2) var(--space-3); }
ol.timeline > li::before {
  content: "";
  position: absolute;
  left: calc(-.4rem - 1px);
  top: .5rem;
  width: .8rem;
  height: .8rem;
  border: 2px solid var(--edge);
  border-radius: 50%;
  background: var(--edge);
}
ol.timeline > .ahead::before { background: var(--paper); }
ol.timeline > .now::before { background: var(--amber); border-color: var(--mark); }
ol.timeline > .wrong::before { background: var(--wrong); border-color: var(--wrong); }
ol.timeline p { margin: 0; }
ol.timeline > .ahead > p { color: var(--quiet); }
ol.timeline time { font-variant-numeric: tabular-nums; color: var(--quiet); }
section.note { margin: var(--space-3) 0; }
.note h2 { font-size: var(--type-3); margin: .2rem 0; }
.note > p:last-child { margin-bottom: .4rem; }
ol.steps { padding-left: 1.4rem; }
ol.steps li { margin: .5rem 0; }
@media (max-width: 24rem) {
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin-bottom: .6rem; }
}
`;
