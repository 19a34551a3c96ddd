/**
 * What a benchmark consists of. A suite prepares a contest, which is played in
 * rounds; a round runs everything that is compared, one after the other, so
 * that whatever else the machine does meets all of it alike.
 *
 * @module
 */
import type { Generator } from "./load/generator.ts";

/** How a benchmark is run. */
export interface BenchOptions {
  rounds: number;
  /** How long one line of the table runs in one round. */
  seconds: number;
  /** What asks the servers. */
  generator: Generator;
}

/** What one line of the table came to in one round. */
export interface Sample {
  /** What counts, per second. */
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU time of the measured process for each answer. */
  cpuUs?: number;
}

/** The samples of one round by the names of their lines, in their order. */
export type Round = ReadonlyMap<string, Sample>;

/** What a contest is to show, judged by the median over the rounds. */
export interface Target {
  name: string;
  unit: "×" | "ms" | "/s";
  /** The value has to be at least this … */
  atLeast?: number;
  /** … or below this; with neither it is only told. */
  below?: number;
  /** The value of one round. */
  of(round: Round): number;
}

/** A suite that is ready to run. */
export interface Contest {
  /** Runs untimed before the first round; throws on a wrong answer. */
  warmUp(): Promise<void>;
  playRound(): Promise<Round>;
  targets: readonly Target[];
  /** What a reader has to know, a sentence each. */
  notes: readonly string[];
}

/** A benchmark. */
export interface Suite {
  /** What it is called on the command line. */
  name: string;
  title: string;
  /** Whether it is about a store that is a network away. */
  inOwnNetwork?: true;
  /** Starts what is measured; what is left to `stack` ends after the last round. */
  prepare(options: BenchOptions, stack: AsyncDisposableStack): Promise<Contest>;
}

/** How many times the line `other` the line `name` does in a second. */
export function ratioTarget(
  name: string,
  other: string,
  atLeast?: number,
): Target {
  return {
    name: `${name} / ${other}`,
    unit: "×",
    ...atLeast !== undefined && { atLeast },
    of: (round) =>
      (round.get(name)?.perSecond ?? NaN) /
      (round.get(other)?.perSecond ?? NaN),
  };
}

/** How long one in a hundred answers of a line takes at least. */
export function p99Target(name: string, belowMs: number): Target {
  return {
    name: `${name}, p99`,
    unit: "ms",
    below: belowMs,
    of: (round) => round.get(name)?.p99Ms ?? NaN,
  };
}
