/**
 * `deno task sim --seeds 500 --steps 60 [--first 1]`: lives that many seeds, each
 * for that many days. The first that breaks a promise is told with the command
 * that lives it again.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { live } from "./live.ts";
import type { Tally } from "./world.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    steps: { type: "string", default: "60" },
    first: { type: "string", default: "1" },
  },
});
const seeds = Number(values.seeds);
const steps = Number(values.steps);
const first = Number(values.first);
const total: Tally = {};
const begun = performance.now();
let broken = 0;

for (let seed = first; seed < first + seeds; seed++) {
  const verdict = await live(seed, steps);
  for (const [what, count] of Object.entries(verdict.tally)) {
    total[what] = (total[what] ?? 0) + count;
  }
  if (verdict.broken.length === 0) continue;
  broken += 1;
  console.log(`Seed ${seed} broke ${verdict.broken.length} promises:`);
  for (const promise of verdict.broken.slice(0, 10)) {
    console.log(`  ${promise}`);
  }
  console.log(
    `Replay it: deno task sim --seeds 1 --first ${seed} --steps ${steps}`,
  );
}

const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(`\n${seeds} seeds of ${steps} days in ${seconds} s:`);
for (const [what, count] of Object.entries(total).toSorted()) {
  console.log(`  ${String(count).padStart(8)}  ${what}`);
}
console.log(broken === 0 ? "Every promise held." : `${broken} seeds failed.`);
Deno.exit(broken === 0 ? 0 : 1);
