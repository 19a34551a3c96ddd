import { median } from "./statistics.ts";
import type { Round, Sample, Target } from "./suite.ts";

const NAME_WIDTH = 42;
const TARGET_WIDTH = 64;

/** The table of a suite: medians over the rounds, and the range in brackets. */
export function renderRounds(rounds: readonly Round[]): string {
  const names = [...rounds[0]?.keys() ?? []];
  const head = row("", "per second (range)", "p50", "p99", "CPU");
  return [head, ...names.map((name) => renderLine(name, rounds))].join("\n");
}

/** The targets with what was reached; the range is of single rounds. */
export function renderTargets(
  targets: readonly Target[],
  rounds: readonly Round[],
): string {
  return targets.map((target) => renderTarget(target, rounds)).join("\n");
}

function renderLine(name: string, rounds: readonly Round[]): string {
  const samples = rounds.map((round) => round.get(name) ?? { perSecond: NaN });
  const rates = samples.map((sample) => sample.perSecond);
  const range = `${count(Math.min(...rates))}–${count(Math.max(...rates))}`;
  return row(
    name,
    `${count(median(rates))} (${range})`,
    middle(samples, "p50Ms", "ms"),
    middle(samples, "p99Ms", "ms"),
    middle(samples, "cpuUs", "µs"),
  );
}

function renderTarget(target: Target, rounds: readonly Round[]): string {
  const values = rounds.map((round) => target.of(round));
  const value = median(values);
  const range = `${short(Math.min(...values))}–${short(Math.max(...values))}`;
  const reached = `${short(value)} ${target.unit} (${range})`;
  return `${target.name.padEnd(TARGET_WIDTH)} ${reached.padEnd(26)} ${
    judgement(target, value)
  }`.trimEnd();
}

function judgement({ atLeast, below }: Target, value: number): string {
  if (atLeast !== undefined) {
    return `at least ${atLeast}: ${value >= atLeast ? "met" : "MISSED"}`;
  }
  if (below === undefined) return "";
  return `below ${below}: ${value < below ? "met" : "MISSED"}`;
}

function middle(
  samples: readonly Sample[],
  field: "p50Ms" | "p99Ms" | "cpuUs",
  unit: string,
): string {
  const values = samples.flatMap((sample) => sample[field] ?? []);
  return values.length === 0 ? "" : `${short(median(values))} ${unit}`;
}

function row(name: string, rate: string, ...rest: string[]): string {
  const cells = rest.map((cell) => cell.padStart(9)).join("");
  return `${name.padEnd(NAME_WIDTH)} ${rate.padStart(26)}${cells}`.trimEnd();
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function short(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
