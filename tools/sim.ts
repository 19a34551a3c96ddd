/**
 * `deno task sim --seeds 500 --steps 60 [--first 1] [--jobs 2]`: lives that many
 * seeds, each for that many days, shared among processes. A seed that breaks a
 * promise is told with the command that lives it again.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { live } from "../tests/simulation/live.ts";
import type { Tally } from "../tests/simulation/world.ts";
import { print, runTool, ToolFailure, wholeNumber } from "./command.ts";

/** Promises of one seed that are told; the rest is counted. */
const TOLD = 10;
/** Processes that live seeds at the same time, at most. */
const JOBS_MAX = 16;

const SEEDS_MAX = 100_000_000;
const STEPS_MAX = 3_650;

/** Which seeds are lived. */
interface Order {
  seeds: number;
  steps: number;
  first: number;
  jobs: number;
}

function readOrder(args: string[]): Order {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "20" },
      steps: { type: "string", default: "60" },
      first: { type: "string", default: "1" },
      jobs: { type: "string", default: "1" },
    },
  });
  return {
    seeds: wholeNumber("--seeds", values.seeds, 1, SEEDS_MAX),
    steps: wholeNumber("--steps", values.steps, 1, STEPS_MAX),
    first: wholeNumber("--first", values.first, 0, SEEDS_MAX),
    jobs: wholeNumber("--jobs", values.jobs, 1, JOBS_MAX),
  };
}

/** Lives the seeds here, one after the other; tells whether all held. */
async function liveAll({ seeds, steps, first }: Order): Promise<boolean> {
  const total: Tally = {};
  const begun = performance.now();
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const { broken, tally } = await live(seed, steps);
    for (const [what, count] of Object.entries(tally)) {
      total[what] = (total[what] ?? 0) + count;
    }
    if (broken.length === 0) continue;
    failed += 1;
    await print([
      `Seed ${seed} broke ${broken.length} promises:`,
      ...broken.slice(0, TOLD).map((promise) => `  ${promise}`),
      `Replay it: deno task sim --seeds 1 --first ${seed} --steps ${steps}`,
    ].join("\n"));
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  await print([
    `Seeds ${first} to ${first + seeds - 1}, ${steps} days each, ${seconds} s:`,
    ...Object.entries(total).toSorted().map(([what, count]) =>
      `  ${String(count).padStart(8)}  ${what}`
    ),
    failed === 0 ? "Every promise held." : `${failed} seeds failed.`,
  ].join("\n"));
  return failed === 0;
}

/** Shares the seeds among processes of this very command. */
async function share({ seeds, steps, first, jobs }: Order): Promise<boolean> {
  const each = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, nth) => ({
    first: first + nth * each,
    seeds: Math.min(each, seeds - nth * each),
  })).filter((part) => part.seeds > 0);
  const codes = await Promise.all(parts.map(async (part) => {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", import.meta.filename ?? ""],
        ...["--seeds", String(part.seeds), "--first", String(part.first)],
        ...["--steps", String(steps)],
      ],
    }).spawn().status;
    return code;
  }));
  return codes.every((code) => code === 0);
}

if (import.meta.main) {
  await runTool(async (args) => {
    const order = readOrder(args);
    const held = order.jobs > 1 ? await share(order) : await liveAll(order);
    if (!held) throw new ToolFailure("A promise was broken");
  });
}
