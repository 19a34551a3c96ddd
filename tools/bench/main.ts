/**
 * Side-by-side benchmarks:
 *
 * ```sh
 * deno task bench [suite …] [--rounds=3] [--seconds=4] [--generator=wrk|own] [--here]
 * ```
 *
 * A suite that asks for it is measured in a network of its own, set as
 * docs/operations.md asks of the machine of a KV server; with `--here`, and where
 * Linux doesn't let us make one, it is measured in this machine's.
 *
 * @module
 */
import { SUITES } from "../../tests/bench/suites.ts";
import type { Generator } from "./load/generator.ts";
import { ownGenerator } from "./load/own.ts";
import { wrkGenerator } from "./load/wrk.ts";
import { hasOwnNetwork, runInOwnNetwork } from "./own_network.ts";
import { interrupt } from "./processes.ts";
import { renderRounds, renderTargets } from "./report.ts";
import type { BenchOptions, Round, Suite } from "./suite.ts";

const ROUNDS = 3;
const SECONDS = 4;
const HERE = "--here";

async function main(args: readonly string[]): Promise<void> {
  const options = await parseOptions(args);
  const wanted = args.filter((arg) => !arg.startsWith("--"));
  const unknown = wanted.find((name) => !SUITES.has(name));
  if (unknown !== undefined) stop(`no suite is called "${unknown}"`);
  for (const [name, load] of SUITES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const suite = await load();
    if (suite.inOwnNetwork && !args.includes(HERE)) {
      const isMeasured = await playApart(name, args);
      if (isMeasured) continue;
      say(
        "\nNo network of our own: measured in this machine's, see docs/operations.md",
      );
    }
    await play(suite, options);
  }
}

/** Tells whether it could be measured in a network of its own. */
async function playApart(
  name: string,
  args: readonly string[],
): Promise<boolean> {
  if (!await hasOwnNetwork()) return false;
  const further = args.filter((arg) => arg.startsWith("--"));
  const again = ["run", "-A", import.meta.filename ?? "", name, HERE];
  const code = await runInOwnNetwork([Deno.execPath(), ...again, ...further]);
  if (code !== 0) stop(`the suite "${name}" ended with code ${code}`);
  return true;
}

async function play(suite: Suite, options: BenchOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  say(`\n${suite.title}`);
  say(`${options.rounds} rounds, ${options.generator.name}, ${machine()}\n`);
  const contest = await suite.prepare(options, stack);
  await contest.warmUp();
  const rounds: Round[] = [];
  while (rounds.length < options.rounds) {
    rounds.push(await contest.playRound());
  }
  say(renderRounds(rounds));
  say(`\n${renderTargets(contest.targets, rounds)}\n`);
  for (const note of contest.notes) say(`- ${note}`);
}

async function parseOptions(args: readonly string[]): Promise<BenchOptions> {
  const given = new Map(
    args.filter((arg) => arg.startsWith("--") && arg !== HERE).map((arg) => {
      const [name = "", value = ""] = arg.slice(2).split("=");
      return [name, value];
    }),
  );
  const number = (name: string, otherwise: number) => {
    const value = Number(given.get(name) ?? otherwise);
    if (Number.isInteger(value) && value > 0) return value;
    stop(`--${name} must be a whole number above 0`);
  };
  const known = ["rounds", "seconds", "generator"];
  const strange = [...given.keys()].find((name) => !known.includes(name));
  if (strange !== undefined) stop(`no option is called "--${strange}"`);
  return {
    rounds: number("rounds", ROUNDS),
    seconds: number("seconds", SECONDS),
    generator: await pickGenerator(given.get("generator")),
  };
}

/** The cheaper one where there is a choice, so that servers are the limit. */
async function pickGenerator(name: string | undefined): Promise<Generator> {
  if (name === "own") return ownGenerator;
  if (name !== undefined && name !== "wrk") {
    stop(`--generator must be "wrk" or "own", current value is "${name}"`);
  }
  const wrk = await wrkGenerator();
  if (wrk === null && name === "wrk") stop("wrk is not installed");
  return wrk ?? ownGenerator;
}

function machine(): string {
  const [load = 0] = Deno.loadavg();
  return `${navigator.hardwareConcurrency} CPUs, ` +
    `load average ${load.toFixed(1)} before`;
}

function say(text: string): void {
  // deno-lint-ignore no-console -- this is what the task is for
  console.log(text);
}

function stop(problem: string): never {
  // deno-lint-ignore no-console -- for whoever typed the command
  console.error(`Cannot run the benchmarks: ${problem}`);
  Deno.exit(1);
}

/** Interrupted, the run still ends its servers and removes its files. */
async function run(): Promise<void> {
  let code = 0;
  const onSignal = () => {
    code = 130;
    interrupt();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, onSignal);
  }
  try {
    await main(Deno.args);
  } catch (error) {
    if (code === 0) throw error;
  }
  Deno.exit(code);
}

if (import.meta.main) await run();
