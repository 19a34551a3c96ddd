/** What happens to a call instead of its plain answer. */
export type Fault =
  /** Fails; the store is not asked. */
  | { kind: "fail_before"; error?: Error }
  /** The store does it, and the answer is lost. */
  | { kind: "fail_after"; error?: Error }
  /** `{ ok: false }`, for commits. */
  | { kind: "conflict" }
  /**
   * The store does it, the answer is lost, and the client sends the commit
   * again by itself: the answer is what the second sending came to.
   */
  | { kind: "resent" }
  /**
   * Fails, and the client keeps the commit: it reaches the store only when the
   * test says so, by `arrive()`.
   */
  | { kind: "late" }
  /** `TypeError: database is locked`; nothing is applied. */
  | { kind: "locked" }
  /** Never answers, and does nothing. */
  | { kind: "hang" }
  /** The store does it, and never answers. */
  | { kind: "hang_after" }
  | { kind: "delay"; ms: number }
  /** Waits for the promise, then is passed on: an interleaving by hand. */
  | { kind: "hold"; until: Promise<unknown> };

/** Which calls a fault meets. */
export interface FaultRule {
  on: "commit" | "read" | "watch";
  fault: Fault;
  /** From the n-th call of its kind on, counted from 1; any when left out. */
  nth?: number;
  /** Only calls that touch such a key (of a list: its prefix or start). */
  key?: (key: Deno.KvKey) => boolean;
  /** How many calls it meets; 1 when left out. */
  times?: number;
}

/** Faults of a network's client alone: a store that has them is over a network. */
export const NETWORK_FAULTS = ["resent", "late"] as const;

/** One of them. */
export type NetworkFault = typeof NETWORK_FAULTS[number];

/** All that can go wrong with a commit: the process dies, or its line fails. */
export const MISHAPS = ["before", "after", ...NETWORK_FAULTS] as const;

/**
 * Where the n-th commit of a process goes wrong, counted from 1. It dies before
 * or after it, or lives on: the commit is sent again, or comes late, right
 * after the next commit of the same process.
 */
export interface CrashPoint {
  commit: number;
  when: typeof MISHAPS[number];
}

/** The process has died. Nothing else the "process" does may count. */
export class Crash extends Error {
  override readonly name = "Crash";

  constructor(message = "The process has died") {
    super(message);
  }
}

/** Whether an error, or what caused it, is a {@linkcode Crash}. */
export function isCrash(error: unknown): boolean {
  if (error instanceof Crash) return true;
  return error instanceof Error && isCrash(error.cause);
}

/** Matches keys of one family, by the first part of the key. */
export function keyOf(family: string): (key: Deno.KvKey) => boolean {
  return (key) => key[0] === family;
}

/** What an embedded store says while another process writes. */
export function lockedError(): TypeError {
  return new TypeError("database is locked");
}

/** What a remote store says when the network is gone. */
export function lostConnection(): Error {
  return new Error("connection reset by peer");
}

/**
 * Runs a scenario once for every commit it makes, dying before and after each,
 * until a run gets to its end alive; and with every fault of a network at each
 * of them. The scenario answers whether it died (`kv.dead`); it brings its own
 * fresh store, restarts and asserts. What a late commit throws is a crash to
 * it: nobody goes on with what was asked.
 *
 * @returns how often it died
 */
export async function everyCrashPoint(
  scenario: (point: CrashPoint) => Promise<boolean>,
  maxCommits = 200,
): Promise<number> {
  let count = 0;
  for (let commit = 1; commit <= maxCommits; commit++) {
    for (const when of ["before", "after"] as const) {
      if (!await scenario({ commit, when })) return count;
      count += 1;
    }
    for (const when of NETWORK_FAULTS) await scenario({ commit, when });
  }
  throw new Error(`The scenario still dies at commit ${maxCommits}`);
}
