/**
 * A process whose commits are marked, since its store is over a network.
 *
 * @module
 */
import { keys } from "../../kv/keys.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { markedCommits } from "../../kv/marked_commits.ts";
import { openKv } from "../../kv/open.ts";
import { createStore } from "../../kv/store.ts";
import { ManualClock } from "../support/clock.ts";
import type { FaultRule } from "../support/faults.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { testPatience } from "../support/store.ts";
import { bump, day, jobRun } from "./records.ts";

/** A day whose bids are counted. */
export const today = day("2026-11-20");
/** Where the marks are. */
export const MARKS = "commit_marks";

/** How long a call waits for the line: longer than a busy machine takes. */
export const GATE_MS = 20_000;

/** A process whose store is over a network. */
export async function openProcess(
  faults: readonly FaultRule[] = [],
) {
  const real = await openKv(":memory:");
  const faulty = new FaultyKv(real, faults);
  const patience = { ...testPatience(), callMs: GATE_MS };
  const kv = markedCommits(faulty, { owner: "one" });
  const retries: string[] = [];
  const store = createStore({
    kv,
    clock: new ManualClock(),
    patience,
    onRetry: (why) => retries.push(why),
  });
  return {
    real,
    faulty,
    kv,
    patience,
    store,
    retries,
    [Symbol.dispose]: () => real.close(),
  };
}

/** What is opened. */
export type Process = Awaited<ReturnType<typeof openProcess>>;

/** One effect by a commit that is soon given up. */
export function bumpAndGiveUp(process: Process): Promise<void> {
  return bump(process.store, () => void (process.patience.callMs = 20));
}

/** An effect that is had after another process has won the row. */
export async function bumpInRace(process: Process): Promise<void> {
  let runs = 0;
  await process.store.transact(async (tx) => {
    const run = await tx.jobRuns.find("a");
    runs += 1;
    if (runs === 1) {
      const other = process.real.atomic();
      other.set(keys.jobRun("a"), jobRun("a", 10));
      await other.commit();
    }
    tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
  });
}

/** How often it had an effect, by the row and by the count. */
export async function effects(kv: KvLike): Promise<[number, number]> {
  const run = await kv.get<{ lastSuccessMs: number }>(keys.jobRun("a"));
  const count = await kv.get<Deno.KvU64>(keys.bidCount(today));
  return [run.value?.lastSuccessMs ?? 0, Number(count.value?.value ?? 0n)];
}

/** How many marks there are. */
export async function countMarks(kv: KvLike): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix: [MARKS] })) count += 1;
  return count;
}

/** Waits until the store has dealt with what was sent to it before. */
export async function answered({ real }: Process): Promise<void> {
  await real.get(["any"]);
  const after = real.atomic();
  after.set(["any"], 1);
  await after.commit();
}
