/**
 * Requests that wait until there is something to tell their account. What this
 * process commits wakes them at once; what others commit they find by a look at
 * the store every two seconds, which nobody takes while nobody waits.
 *
 * @module
 */
import { TemporaryFailure } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Log, StartTimer, Store } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { EventWaits, Wait, WaitFor } from "./waits.ts";

/** Between two looks at what other processes have committed. */
export const LOOK_MS = 2_000;
/** Requests that wait at a time: of a connection, an account and a process. */
export const WAITS_MAX = { grant: 2, account: 10, process: 1_000 } as const;

/** What waiting stands on. */
export interface WaitParts {
  store: Pick<Store, "getMany" | "eventLogs">;
  startTimer: StartTimer;
  log: Log;
  /** Aborted when the service stops: nobody waits any more. */
  stopping: AbortSignal;
}

/** Lets requests wait, those of each process by itself. */
export function createEventWaits(parts: WaitParts): EventWaits {
  const { stopping } = parts;
  const waiting = new Set<Waiting>();
  const looks = lookingFor(parts, waiting);
  stopping.addEventListener(
    "abort",
    () => waiting.forEach((each) => each.over()),
  );
  return {
    begin(waitFor) {
      const one = new Waiting(
        waitFor,
        parts.startTimer,
        () => waiting.delete(one),
      );
      makeRoom(waiting, waitFor);
      waiting.add(one);
      if (stopping.aborted || waitFor.gone.aborted) one.over();
      looks.begin();
      return one;
    },
    wake(accountIds) {
      for (const each of waiting) {
        if (accountIds.includes(each.accountId)) each.wake();
      }
    },
  };
}

/** A newer request of the same client is most often the older one's successor. */
function makeRoom(
  waiting: ReadonlySet<Waiting>,
  { grantId, accountId }: WaitFor,
): void {
  const all = [...waiting];
  const ofAccount = all.filter((each) => each.accountId === accountId);
  const ofGrant = ofAccount.filter((each) => each.grantId === grantId);
  // A set keeps the order in which they came.
  if (ofGrant.length >= WAITS_MAX.grant) ofGrant[0]?.over();
  else if (ofAccount.length >= WAITS_MAX.account) ofAccount[0]?.over();
  else if (all.length >= WAITS_MAX.process) longestOfMost(all)?.over();
}

/**
 * Of the account with the most requests the one that has waited longest: an
 * account costs nothing to make, and a hundred of them would else have all
 * others' requests give way as often as they ask.
 */
function longestOfMost(all: readonly Waiting[]): Waiting | undefined {
  const lines = [...Map.groupBy(all, ({ accountId }) => accountId).values()];
  const most = Math.max(...lines.map(({ length }) => length));
  return lines.find(({ length }) => length === most)?.[0];
}

class Waiting implements Wait {
  readonly accountId: string;
  readonly grantId: string;
  readonly stillMay: () => Promise<unknown>;
  /** Behind which place something new is. */
  seen = 0;
  isOver = false;
  readonly #leave: () => void;
  readonly #callOff: () => void;
  readonly #gone: AbortSignal;
  #failure: unknown = null;
  #isWoken = false;
  #go: (() => void) | null = null;

  constructor(waitFor: WaitFor, startTimer: StartTimer, leave: () => void) {
    const { accountId, grantId, stillMay, gone, ms } = waitFor;
    this.accountId = accountId;
    this.grantId = grantId;
    this.stillMay = stillMay;
    this.#leave = leave;
    this.#gone = gone;
    this.#callOff = startTimer(this.over, ms);
    gone.addEventListener("abort", this.over, { once: true });
  }

  readonly over = (): void => {
    this.isOver = true;
    this.end();
    this.#go?.();
  };

  /** Has its request end as one that may not wait any more. */
  fail(failure: unknown): void {
    this.#failure = failure;
    this.over();
  }

  wake(): void {
    this.#isWoken = true;
    this.#go?.();
  }

  async next(after: number): Promise<void> {
    invariant(this.#go === null, "a request waits for one thing at a time");
    this.seen = Math.max(this.seen, after);
    if (!this.isOver && !this.#isWoken) {
      await new Promise<void>((resolve) => this.#go = resolve);
    }
    this.#go = null;
    this.#isWoken = false;
    if (this.#failure !== null) throw this.#failure;
  }

  end(): void {
    this.#callOff();
    this.#gone.removeEventListener("abort", this.over);
    this.#leave();
  }
}

/** Looks at the store again and again, while somebody waits. */
function lookingFor(
  { store, startTimer, log }: WaitParts,
  waiting: ReadonlySet<Waiting>,
): { begin(): void } {
  let isOn = false;
  function later(): void {
    isOn = waiting.size > 0;
    if (isOn) startTimer(look, LOOK_MS);
  }
  async function look(): Promise<void> {
    try {
      await wakeBehind(store, waiting);
      await Promise.all([...waiting].map(judge));
    } catch (failure) {
      // The next look tells; a request that ends meanwhile asks by itself.
      if (!(failure instanceof TemporaryFailure)) {
        log.error("event.poll_failed", { error: String(failure) });
      }
    }
    later();
  }
  return {
    begin() {
      if (!isOn) later();
    },
  };
}

async function wakeBehind(
  store: WaitParts["store"],
  waiting: ReadonlySet<Waiting>,
): Promise<void> {
  const accountIds = [...new Set([...waiting].map((each) => each.accountId))];
  const logs = await readAll(
    store,
    accountIds.map((accountId) => store.eventLogs.ref(accountId)),
  );
  const places = new Map(logs.map((log) => [log?.accountId, log?.position]));
  for (const each of waiting) {
    const place = places.get(each.accountId) ?? 0;
    if (place <= each.seen) continue;
    each.seen = place;
    each.wake();
  }
}

async function judge(one: Waiting): Promise<void> {
  try {
    await one.stillMay();
  } catch (failure) {
    if (!(failure instanceof TemporaryFailure)) one.fail(failure);
  }
}
