/**
 * Anything that may happen to durable tasks between two workers, and what has
 * to be true of it. The tasks are rows of the outbox with rules of their own.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type OutboxMail, saveMail } from "../../../domain/mail/outbox_mail.ts";
import type { Services } from "../../../domain/ports.ts";
import { backOffMs } from "../../../domain/tasks/back_off.ts";
import { isDue } from "../../../domain/tasks/due.ts";
import { runTask, type TaskFamily } from "../../../domain/tasks/run_task.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  type CrashPoint,
  isCrash,
  MISHAPS,
  NETWORK_FAULTS,
  type NetworkFault,
} from "../../support/faults.ts";
import { openTestStore, type TestProcess } from "../../support/store.ts";

/** Attempts a task of these stories has. */
export const ATTEMPTS_MAX = 3;
/** How long its lease is, ms. */
export const LEASE_MS = 60_000;
const RETRIES = { firstMs: 10_000, maxMs: 15_000 };
const TASKS = 2;
const WORKERS = 2;

/** By what a family tells whose lease it is: as mails do, or as documents. */
export type Fence = "owner" | "attempts";

/** One thing that happens. */
export type Event =
  | { kind: "begin"; worker: number; task: number }
  | { kind: "end"; nth: number; how: "done" | "failed" | "dies" }
  | { kind: "dies_at_commit"; worker: number; when: CrashPoint["when"] }
  | { kind: "store_fault"; worker: number; fault: StoreFault }
  | { kind: "pass"; ms: number }
  | { kind: "release" };

type Ending = (Event & { kind: "end" })["how"];
type StoreFault =
  | "conflict"
  | "fail_before"
  | "fail_after"
  | "locked"
  | NetworkFault;

const worker = fc.nat({ max: WORKERS - 1 });

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("begin" as const),
      worker,
      task: fc.nat({ max: TASKS - 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("end" as const),
      nth: fc.nat({ max: 2 }),
      how: fc.constantFrom<Ending>("done", "failed", "failed", "dies"),
    }),
  },
  {
    weight: 7,
    // Back as well: the clock of a machine may be put right.
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.integer({ min: -LEASE_MS / 2, max: 2 * LEASE_MS }),
    }),
  },
  fc.record({
    kind: fc.constant("dies_at_commit" as const),
    worker,
    when: fc.constantFrom(...MISHAPS),
  }),
  fc.record({
    kind: fc.constant("store_fault" as const),
    worker,
    fault: fc.constantFrom<StoreFault>(
      "conflict",
      "fail_before",
      "fail_after",
      "locked",
      ...NETWORK_FAULTS,
    ),
  }),
  fc.record({ kind: fc.constant("release" as const) }),
);

/** A story: whether its store begins on hold, and what happens. */
export const story: fc.Arbitrary<{ onHold: boolean; events: Event[] }> = fc
  .record({
    onHold: fc.boolean(),
    events: fc.array(event, { minLength: 30, maxLength: 80 }),
  });

/** Work that goes on until the story says how it ends. */
interface Run {
  worker: Worker;
  id: string;
  attempt: number;
  leaseUntilMs: number;
  end(how: "done" | "failed"): void;
  over: Promise<void>;
}

/** One process. */
interface Worker extends TestProcess {
  services: Services;
}

/** Tells one story from its beginning to its end and checks it all along. */
export class TaskStory {
  readonly #store;
  readonly #fence: Fence;
  readonly #workers: Worker[] = [];
  #underWay: Run[] = [];
  #isOnHold: boolean;
  /** Work begun, by task; and how it ended where that was written down. */
  readonly #runs = new Map<string, number>();
  readonly #done = new Set<string>();
  readonly #written = new Set<string>();
  readonly #seen = new Map<string, OutboxMail>();
  readonly log = new MemoryLog();

  private constructor(
    store: Awaited<ReturnType<typeof openTestStore>>,
    fence: Fence,
    onHold: boolean,
  ) {
    this.#store = store;
    this.#fence = fence;
    this.#isOnHold = onHold;
  }

  /** Tells the story; throws what was not as it has to be. */
  static async tell(
    fence: Fence,
    { onHold, events }: { onHold: boolean; events: readonly Event[] },
  ): Promise<TaskStory> {
    await using store = await openTestStore();
    const told = new TaskStory(store, fence, onHold);
    await told.#open();
    for (const each of events) {
      await told.#happen(each);
      await told.#check();
    }
    await told.#close();
    return told;
  }

  /** How much happened, for the check that stories are not empty. */
  get facts(): Record<"runs" | "done" | "givenUp", number> {
    const rows = [...this.#seen.values()];
    return {
      runs: [...this.#runs.values()].reduce((sum, count) => sum + count, 0),
      done: rows.filter(({ state }) => state === "sent").length,
      givenUp: rows.filter(({ state }) => state === "given_up").length,
    };
  }

  async #open(): Promise<void> {
    const { store, clock } = this.#store;
    await store.transact((tx) => {
      for (let n = 0; n < TASKS; n++) {
        const mail = { to: "a@example.com", subject: "", text: "" };
        saveMail(tx, idOf(n), mail, clock.now());
      }
      if (!this.#isOnHold) return;
      tx.holds.save({
        kind: "restored",
        restoredAtMs: clock.now(),
        backupAtMs: null,
        isWhole: true,
        releasedAtMs: null,
        acknowledged: [],
      });
    });
    for (let n = 0; n < WORKERS; n++) this.#workers.push(this.#start());
    await this.#check();
  }

  #start(): Worker {
    const { clock, ids } = this.#store;
    const process = this.#store.another();
    const { store } = process;
    // All that the engine asks of the services.
    const services = { store, clock, ids, log: this.log } as unknown;
    return { ...process, services: services as Services };
  }

  async #happen(event: Event): Promise<void> {
    switch (event.kind) {
      case "begin":
        return await this.#begin(this.#alive(event.worker), idOf(event.task));
      case "end": {
        const run = this.#underWay[event.nth];
        if (run === undefined) return;
        if (event.how === "dies") run.worker.kv.crash();
        return await this.#end(run, event.how === "done" ? "done" : "failed");
      }
      case "dies_at_commit": {
        const { kv } = this.#alive(event.worker);
        const commit = kv.commits.length + 1;
        return kv.crashAt({ commit, when: event.when });
      }
      case "store_fault": {
        const { fault: kind } = event;
        const { kv } = this.#alive(event.worker);
        return kv.inject({ on: "commit", fault: { kind } });
      }
      case "pass":
        return this.#store.clock.advance(event.ms);
      case "release":
        return await this.#release();
    }
  }

  /** The worker, or who came in the place of one that died. */
  #alive(nth: number): Worker {
    const worker = this.#workers[nth];
    if (worker !== undefined && !worker.kv.dead) return worker;
    return this.#workers[nth] = this.#start();
  }

  /** Begins a task, and goes on once its work is under way or it was left. */
  async #begin(worker: Worker, id: string): Promise<void> {
    for (const { kv } of this.#workers) await kv.arrive();
    const begun = Promise.withResolvers<void>();
    const family = this.#family(worker, begun.resolve, () => over);
    const over = runTask(worker.services, family, [id]).catch((error) => {
      const isTold = isCrash(error) || worker.kv.dead ||
        /confirm|store|commit/i.test(String(error));
      assert(isTold, String(error));
    });
    await Promise.race([begun.promise, over]);
  }

  async #end(run: Run, how: "done" | "failed"): Promise<void> {
    this.#underWay = this.#underWay.filter((each) => each !== run);
    if (how === "done") this.#done.add(run.id);
    run.end(how);
    await run.over;
  }

  #family(
    worker: Worker,
    begun: () => void,
    over: () => Promise<void>,
  ): TaskFamily<OutboxMail, "done" | "failed"> {
    const fence = this.#fence;
    return {
      table: ({ outbox }) => outbox,
      idOf: ({ id }) => id,
      leaseMs: LEASE_MS,
      isFree: ({ state, dueAtMs }, nowMs) =>
        isDue(state === "waiting" ? dueAtMs : null, nowMs),
      isUsedUp: ({ attempts }) => attempts >= ATTEMPTS_MAX,
      runsOnHold: () => false,
      held: (row, { owner, untilMs }) => ({
        ...row,
        attempts: row.attempts + 1,
        leaseOwner: fence === "owner" ? owner : null,
        dueAtMs: untilMs,
      }),
      run: (_, [held]) => {
        const ending = Promise.withResolvers<"done" | "failed">();
        this.#enter({
          worker,
          id: held.id,
          attempt: held.attempts,
          leaseUntilMs: held.dueAtMs,
          end: ending.resolve,
          get over() {
            return over();
          },
        });
        begun();
        return ending.promise;
      },
      after: (row, { held, ending, nowMs }) => {
        if (ending === "done") {
          return row.state === "sent"
            ? null
            : { ...row, state: "sent", leaseOwner: null };
        }
        const isMine = fence === "owner"
          ? row.leaseOwner === held.leaseOwner
          : row.attempts === held.attempts;
        if (row.state !== "waiting" || !isMine) return null;
        const free = { ...row, leaseOwner: null };
        return row.attempts >= ATTEMPTS_MAX
          ? { ...free, state: "given_up" }
          : { ...free, dueAtMs: nowMs + backOffMs(row.attempts, RETRIES) };
      },
      report: (_, { held, ending, change }) => {
        if (change === null || ending === "done") return;
        const attempt = `${held.id}:${held.attempts}:${ending === null}`;
        assert(!this.#written.has(attempt), `${attempt} was written twice`);
        this.#written.add(attempt);
      },
    };
  }

  /** Work begins: nobody else may be at it within a lease, nor on hold. */
  #enter(run: Run): void {
    const { id, attempt } = run;
    const nowMs = this.#store.clock.now();
    assert(!this.#isOnHold, `${id} was begun on hold`);
    assertEquals(run.leaseUntilMs, nowMs + LEASE_MS);
    assert(attempt <= ATTEMPTS_MAX, `${id} was begun ${attempt} times`);
    for (const other of this.#underWay) {
      if (other.id !== id || other.worker.kv.dead) continue;
      assert(other.leaseUntilMs <= nowMs, `${id} was leased twice`);
      assert(other.attempt < attempt, `${id} was begun twice as ${attempt}`);
    }
    this.#runs.set(id, (this.#runs.get(id) ?? 0) + 1);
    this.#underWay.push(run);
  }

  async #release(): Promise<void> {
    if (!this.#isOnHold) return;
    this.#isOnHold = false;
    await this.#store.store.transact(async (tx) => {
      const hold = await tx.holds.find();
      assert(hold !== null);
      tx.holds.save({ ...hold, releasedAtMs: this.#store.clock.now() });
    });
  }

  /** What has to be true of every row after whatever happened. */
  async #check(): Promise<void> {
    for (let n = 0; n < TASKS; n++) {
      const row = await this.#store.store.outbox.find(idOf(n));
      assert(row !== null, `${idOf(n)} was lost`);
      const { id, state, attempts } = row;
      const before = this.#seen.get(id);
      assert(attempts <= ATTEMPTS_MAX, `${id} has ${attempts} attempts`);
      assert((this.#runs.get(id) ?? 0) <= attempts, `${id} was not counted`);
      assert(attempts >= (before?.attempts ?? 0), `${id} forgot an attempt`);
      assert(state !== "sent" || this.#done.has(id), `${id} was never done`);
      if (before?.state === "sent") assertEquals(row, before);
      if (state === "given_up") assertEquals(attempts, ATTEMPTS_MAX, id);
      this.#seen.set(id, row);
    }
  }

  /** Both workers go on without trouble: every task comes to an end. */
  async #close(): Promise<void> {
    await this.#release();
    for (const { kv } of this.#workers) kv.crash();
    for (const run of this.#underWay) run.end("failed");
    await Promise.all(this.#underWay.map(({ over }) => over));
    this.#underWay = [];
    const { store, clock } = this.#store;
    clock.advance(2 * LEASE_MS);
    for (let round = 0; round <= ATTEMPTS_MAX; round++) {
      const due = await store.listDue("mails", clock.now(), { limit: TASKS });
      for (const { id } of due) {
        await Promise.all(
          [0, 1].map((nth) => this.#begin(this.#alive(nth), id)),
        );
        const [run] = this.#underWay;
        if (run !== undefined) await this.#end(run, "done");
        assertEquals(this.#underWay, [], `${id} was begun by both`);
      }
      await this.#check();
      clock.advance(2 * LEASE_MS);
    }
    const states = [...this.#seen.values()].map(({ state }) => state);
    assert(!states.includes("waiting"), `${states}`);
  }
}

function idOf(n: number): string {
  return `mail_${n}`;
}
