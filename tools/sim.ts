/**
 * `deno task sim --seeds 500 --steps 60 [--first 1] [--jobs 2]`: lives that many
 * seeds, each for that many days, shared among processes. What it came to is
 * looked at when a life is over and all that it began has ended. A seed that
 * breaks a promise is told with the command that lives it again.
 *
 * Store and processor answer at hand. With `--outside` they are Deno KV and a
 * server, as in the tests, which hold that a life is the same and takes several
 * times as long. With `--each` a seed is lived for 1 day, for 2, for 3 … and
 * looked at after each, until a promise is broken: that is the day to look at.
 *
 * With `--restored` the store is lost once or twice, at any commit: it is brought
 * back from a backup, on hold, and released by an operator who does what is said.
 *
 * With `--networked` the store is a KV Connect server, on whose line five calls
 * of a hundred go wrong, as the seed decides. It waits more than it works:
 * several jobs share a core.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { live, type Verdict } from "../tests/simulation/live.ts";
import { liveRestored } from "../tests/simulation/restored.ts";
import { Random } from "../tests/simulation/random.ts";
import type { Reach, Tally } from "../tests/simulation/world.ts";
import { IS_NETWORKED } from "../tests/support/test_kv.ts";
import { print, runTool, ToolFailure, wholeNumber } from "./command.ts";
import { FAULTS, withServer } from "./networked_runs.ts";
import { endGroupsWithMe, startGroup } from "./process_group.ts";

/** Promises of one seed that are told; the rest is counted. */
const TOLD = 10;
const PIPED = { stdout: "piped", stderr: "piped" } as const;
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
  networked: boolean;
  outside: boolean;
  each: boolean;
  restored: boolean;
}

function readOrder(args: string[]): Order {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "20" },
      steps: { type: "string", default: "60" },
      first: { type: "string", default: "1" },
      jobs: { type: "string", default: "1" },
      networked: { type: "boolean", default: false },
      outside: { type: "boolean", default: false },
      each: { type: "boolean", default: false },
      restored: { type: "boolean", default: false },
    },
  });
  return {
    seeds: wholeNumber("--seeds", values.seeds, 1, SEEDS_MAX),
    steps: wholeNumber("--steps", values.steps, 1, STEPS_MAX),
    first: wholeNumber("--first", values.first, 0, SEEDS_MAX),
    jobs: wholeNumber("--jobs", values.jobs, 1, JOBS_MAX),
    networked: values.networked,
    outside: values.outside,
    each: values.each,
    restored: values.restored,
  };
}

/** Lives the seeds here, one after the other; tells whether all held. */
async function liveAll(order: Order): Promise<boolean> {
  const { seeds, steps, first } = order;
  const total: Tally = {};
  const begun = performance.now();
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const { broken, tally, days } = await liveOne(seed, order);
    for (const [what, count] of Object.entries(tally)) {
      total[what] = (total[what] ?? 0) + count;
    }
    if (broken.length === 0) {
      await print(`Seed ${seed} held for ${days} days.`);
      continue;
    }
    failed += 1;
    await print([
      `Seed ${seed} broke ${broken.length} promises in ${days} days:`,
      ...broken.slice(0, TOLD).map((promise) => `  ${promise}`),
      `Replay it: deno task sim --seeds 1 --first ${seed} --steps ${days}` +
      (IS_NETWORKED ? " --networked" : order.outside ? " --outside" : "") +
      (order.restored ? " --restored" : ""),
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

/** All days of a seed at once, or one more each time until it breaks. */
async function liveOne(
  seed: number,
  { steps, outside, each, restored }: Order,
): Promise<Omit<Verdict, "seed"> & { days: number }> {
  const reach: Reach = outside || IS_NETWORKED ? "outside" : "at hand";
  for (let days = each ? 1 : steps;; days++) {
    const life = restored ? liveRestored(seed, days) : live(seed, days, reach);
    const verdict = await life.catch(thrown);
    if (days >= steps || verdict.broken.length > 0) return { ...verdict, days };
  }
}

/** What nobody expected ends a life, and not those after it. */
function thrown(error: unknown): Omit<Verdict, "seed"> {
  return { broken: [`it threw ${Deno.inspect(error)}`], tally: {} };
}

/** Shares the seeds among processes of this very command. */
async function share(order: Order): Promise<boolean> {
  const { seeds, first, jobs } = order;
  const each = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, nth) => ({
    first: first + nth * each,
    seeds: Math.min(each, seeds - nth * each),
  })).filter((part) => part.seeds > 0);
  const ended = await Promise.all(
    parts.map((part) => start({ ...order, ...part }).status),
  );
  return ended.every(({ code }) => code === 0);
}

/** Starts this very command, for a part of the seeds. */
function start(
  { first, seeds, steps, outside, each, restored }: Omit<
    Order,
    "jobs" | "networked"
  >,
  options: Deno.CommandOptions = {},
): Deno.ChildProcess {
  const args = Object.entries({ first, seeds, steps })
    .flatMap(([name, value]) => [`--${name}`, String(value)])
    .concat(
      outside ? ["--outside"] : [],
      each ? ["--each"] : [],
      restored ? ["--restored"] : [],
    );
  const script = import.meta.filename ?? "";
  return startGroup(Deno.execPath(), {
    ...options,
    args: ["run", "-A", script, ...args],
  });
}

/** As many seeds at a time as there are jobs. */
async function liveNetworked(order: Order): Promise<boolean> {
  const { seeds, first, jobs } = order;
  let next = first;
  let failed = 0;
  const lane = async () => {
    while (next < first + seeds) {
      if (!await liveOverServer(next++, order)) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  await print(
    failed === 0
      ? `Every promise of ${seeds} seeds held over the network.`
      : `${failed} seeds of ${seeds} failed over the network.`,
  );
  return failed === 0;
}

/**
 * Over a server of the seed's own, whose faults are of its dice, in a process
 * of its own, which is told of the server as tests are.
 */
async function liveOverServer(seed: number, order: Order): Promise<boolean> {
  const random = new Random(-seed).next;
  const { code, stdout, stderr } = await withServer(
    { ...FAULTS, quickAck: true, random },
    (env) =>
      start({ ...order, first: seed, seeds: 1 }, { env, ...PIPED }).output(),
  );
  const text = new TextDecoder();
  // Deno's client says on standard error of each call that went wrong.
  const errors = text.decode(stderr).replaceAll(/^KV Connect .*\n/gm, "");
  await print(text.decode(stdout) + errors);
  return code === 0;
}

if (import.meta.main) {
  endGroupsWithMe();
  await runTool(async (args) => {
    const order = readOrder(args);
    // The SDK writes down where each call came from, longer than the call takes.
    if (!order.each) Error.stackTraceLimit = 0;
    const held = order.networked
      ? await liveNetworked(order)
      : order.jobs > 1
      ? await share(order)
      : await liveAll(order);
    if (!held) throw new ToolFailure("A promise was broken");
  });
}
