/**
 * How long an outage of the store lasts for those who ask: in a time that
 * passes only when the test says so.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { nextTurn } from "../../adapters/time/system_time.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { guardedCommit } from "../../kv/commit.ts";
import { guardedRead } from "../../kv/guard.ts";
import type { KvAtomic, KvLike } from "../../kv/kv_like.ts";
import { markedCommits } from "../../kv/marked_commits.ts";
import { StoreProbe } from "../../kv/store_probe.ts";

const CALL_MS = 2_000;
/** Whoever asks in an outage is told so within this, once it is known. */
const REFUSED_WITHIN_MS = 250;
/** The service is back within this, once the store is. */
const BACK_WITHIN_MS = 1_000;
/** The platform's client sends again what has no answer, this often. */
const SENT_AGAIN_MS = 300;
/** Between two requests. */
const STEP_MS = 100;

/** Time that passes when it is told to, whose timers end in their order. */
class VirtualTime {
  nowMs = 0;
  readonly #waiting = new Set<{ run: () => void; atMs: number }>();

  readonly start = (run: () => void, ms: number): () => void => {
    const entry = { run, atMs: this.nowMs + ms };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  };

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.#waiting].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#waiting.delete(next);
      this.nowMs = next.atMs;
      next.run();
      await settled();
    }
    this.nowMs = untilMs;
    await settled();
  }
}

/** Until everything has happened that needs no time. */
async function settled(): Promise<void> {
  for (let n = 0; n < 3; n++) await nextTurn();
}

/** A store at the end of a line: what is asked while it is away waits. */
class FarStore {
  readonly #time: VirtualTime;
  #back: PromiseWithResolvers<void> | null = null;
  #version = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  leave(): void {
    this.#back = Promise.withResolvers();
  }

  return(): void {
    const back = this.#back;
    this.#back = null;
    this.#time.start(() => back?.resolve(), SENT_AGAIN_MS);
  }

  get kv(): KvLike {
    const get = async (key: Deno.KvKey) => {
      await this.#back?.promise;
      return { key, value: null, versionstamp: null };
    };
    const commit = async (): ReturnType<KvAtomic["commit"]> => {
      await this.#back?.promise;
      return { ok: true, versionstamp: `${++this.#version}` };
    };
    const atomic = () => ({
      check() {},
      set() {},
      delete() {},
      sum() {},
      commit,
    });
    const isNotAsked = () => {
      throw new TypeError("Nobody asks for this");
    };
    return {
      get,
      atomic,
      getMany: isNotAsked,
      list: isNotAsked,
      watch: isNotAsked,
      close: isNotAsked,
    };
  }
}

interface Answer {
  beganMs: number;
  endedMs: number;
  isGood: boolean;
}

/** Asks all the time, before, in and after an outage of that length. */
async function liveThrough(outageMs: number) {
  const time = new VirtualTime();
  const far = new FarStore(time);
  const kv = markedCommits(far.kv, { owner: "process" });
  const told: { why: string | null; atMs: number }[] = [];
  const probe = new StoreProbe({
    kv,
    onChange: (why) => told.push({ why, atMs: time.nowMs }),
    callMs: CALL_MS,
    nowMs: () => time.nowMs,
    startTimer: time.start,
  });
  const { patience } = probe;
  const answers: Answer[] = [];
  const ask = async (call: () => Promise<unknown>) => {
    const beganMs = time.nowMs;
    const isGood = await call().then(() => true, (error) => {
      assert(error instanceof TemporaryFailure, String(error));
      return false;
    });
    answers.push({ beganMs, endedMs: time.nowMs, isGood });
  };
  const askFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      void ask(() => guardedRead(() => kv.get(["any"]), patience));
      void ask(() =>
        guardedCommit(kv, (atomic) => atomic.set(["any"], 1), { patience })
      );
      await time.pass(STEP_MS);
    }
  };
  await probe.look();
  await askFor(1_000);
  far.leave();
  await askFor(outageMs);
  far.return();
  const backMs = time.nowMs;
  await askFor(5_000);
  await Promise.all([probe.stop(), time.pass(CALL_MS)]);
  return { answers, told, backMs };
}

// A probe that has no answer takes 2 s, and half a second passes until the next.
for (const outageMs of [2_500, 2_900, 3_300, 3_700, 4_500, 25_000]) {
  Deno.test(`in an outage of ${outageMs} ms requests fail within 250 ms of the first time-out, and are served within a second of its end`, async () => {
    const { answers, told, backMs } = await liveThrough(outageMs);
    const failed = answers.filter(({ isGood }) => !isGood);
    const knownMs = Math.min(...failed.map(({ endedMs }) => endedMs));
    assertEquals(knownMs, 1_000 + CALL_MS);
    const slowest = Math.max(
      ...failed.map(({ beganMs, endedMs }) =>
        endedMs - Math.max(beganMs, knownMs)
      ),
    );
    assert(slowest <= REFUSED_WITHIN_MS, `${slowest} ms`);
    const servedMs = backMs + BACK_WITHIN_MS;
    const late = failed.filter(({ endedMs }) => endedMs > servedMs);
    assertEquals(late, []);
    assert(answers.some(({ isGood, endedMs }) => isGood && endedMs > backMs));
    assertEquals(told.map(({ why }) => why), ["no answer in time", null]);
    assert((told[1]?.atMs ?? Infinity) <= servedMs, JSON.stringify(told));
  });
}
