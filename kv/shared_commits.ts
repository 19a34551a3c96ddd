import { deadline } from "./deadlines.ts";
import { isMisuse } from "./guard.ts";
import { keyText } from "./key_text.ts";
import type { KvAtomic, KvLike, KvWrite } from "./kv_like.ts";
import { atTurnsEnd } from "./turns_end.ts";

/** Checks of commits that travel together; the embedded store takes 100. */
const CHECKS_MAX = 60;
/** Writes of commits that travel together; the embedded store takes 1,000. */
const WRITES_MAX = 120;
/**
 * Commits that travel together; a longer one leaves the requests behind it with
 * nothing to do until it ends.
 */
const TOGETHER_MAX = 8;
/** While the store has the one, the answers to the other are dealt with. */
const UNDER_WAY_MAX = 2;
/** A commit that has not ended by then no longer keeps others waiting. */
const FORGOTTEN_AFTER_MS = 2_000;

type Ended = Deno.KvCommitResult | Deno.KvCommitError;
type Write = KvWrite & { options?: { expireIn?: number } | undefined };

interface Asked {
  checks: Deno.AtomicCheck[];
  writes: Write[];
  resolve: (ended: Ended) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets commits that wait for the embedded store travel together, as its only
 * writer takes one at a time. Those of one turn of the event loop, and those
 * that come while two are under way, are put into the next as long as none
 * writes what another checks or writes: each then holds at the same moment as
 * the others, with all its checks. Nor does one begin that would have to tell
 * what is under way. Many bids, for one, check the same auction
 * and add to the same count. Where that fails, nothing was written, and each
 * goes alone and hears its own answer. Decision 0080 says why.
 */
export function sharedCommits(kv: KvLike): KvLike {
  const waiting: Asked[] = [];
  const underWay = new Set<Uses>();

  function next(): void {
    while (underWay.size < UNDER_WAY_MAX) {
      const uses: Uses = new Map();
      const together = takeTogether(waiting, uses, underWay);
      if (together.length === 0) return;
      begin(together, uses);
    }
  }

  function begin(together: readonly Asked[], uses: Uses): void {
    underWay.add(uses);
    const leave = () => {
      if (underWay.delete(uses)) next();
    };
    const callOff = deadline(FORGOTTEN_AFTER_MS, leave);
    send(kv, together).finally(() => {
      callOff();
      leave();
    });
  }

  const soon = atTurnsEnd(next);
  return {
    get: (key, options) => kv.get(key, options),
    getMany: (keys) => kv.getMany(keys),
    list: (selector, options) => kv.list(selector, options),
    atomic: () =>
      noted((asked) => {
        waiting.push(asked);
        soon();
      }),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

async function send(kv: KvLike, together: readonly Asked[]): Promise<void> {
  if (together.length === 1 || !await sentAsOne(kv, together)) {
    await Promise.all(together.map((asked) => sendAlone(kv, asked)));
  }
}

/** Takes down what a commit is to do. */
function noted(ask: (asked: Asked) => void): KvAtomic {
  const checks: Deno.AtomicCheck[] = [];
  const writes: Write[] = [];
  return {
    check: (...more) => checks.push(...more),
    set: (key, value, options) =>
      writes.push({ kind: "set", key, value, options }),
    delete: (key) => writes.push({ kind: "delete", key }),
    sum: (key, count) => writes.push({ kind: "sum", key, count }),
    commit: () =>
      new Promise((resolve, reject) => {
        ask({ checks, writes, resolve, reject });
      }),
  };
}

async function sendAlone(kv: KvLike, asked: Asked): Promise<void> {
  try {
    asked.resolve(await filled(kv, [asked]).commit());
  } catch (error) {
    asked.reject(error);
  }
}

/** False when nothing was written and each has to be sent alone. */
async function sentAsOne(
  kv: KvLike,
  together: readonly Asked[],
): Promise<boolean> {
  let atomic;
  try {
    atomic = filled(kv, together);
  } catch {
    return false;
  }
  try {
    const ended = await atomic.commit();
    if (!ended.ok) return false;
    together.forEach(({ resolve }) => resolve(ended));
  } catch (error) {
    // One of them, or all of them together, are nothing the store takes.
    if (isMisuse(error)) return false;
    together.forEach(({ reject }) => reject(error));
  }
  return true;
}

function filled(kv: KvLike, together: readonly Asked[]): KvAtomic {
  const atomic = kv.atomic();
  for (const { checks, writes } of together) {
    if (checks.length > 0) atomic.check(...checks);
    for (const write of writes) {
      if (write.kind === "sum") atomic.sum(write.key, write.count);
      else if (write.kind === "delete") atomic.delete(write.key);
      else atomic.set(write.key, write.value, write.options);
    }
  }
  return atomic;
}

/**
 * What a commit does with a key, as far as others may do the same beside it:
 * `s` adds to it, `w` writes it, else it checks for that very versionstamp.
 */
type Use = string;

/** What commits that travel together do, with every key any of them names. */
type Uses = Map<string, Use>;

/**
 * As many as go together, in their order; none while the first would have to
 * tell that something else is under way.
 */
function takeTogether(
  waiting: Asked[],
  taken: Uses,
  underWay: Iterable<Uses>,
): readonly Asked[] {
  let [checks, writes, count] = [0, 0, 0];
  for (const asked of waiting) {
    checks += asked.checks.length;
    writes += asked.writes.length;
    const fits = checks <= CHECKS_MAX && writes <= WRITES_MAX &&
      count < TOGETHER_MAX;
    if (count > 0 && !fits) break;
    const uses = usesOf(asked);
    if (!agree(taken, uses)) break;
    if (![...underWay].every((others) => agree(others, uses))) break;
    uses.forEach((use, key) => taken.set(key, use));
    count += 1;
  }
  return waiting.splice(0, count);
}

function usesOf({ checks, writes }: Asked): Uses {
  const uses: Uses = new Map();
  for (const { key, versionstamp } of checks) {
    uses.set(keyText(key), `checked ${versionstamp}`);
  }
  for (const { kind, key } of writes) {
    const text = keyText(key);
    uses.set(text, kind === "sum" && !uses.has(text) ? "s" : "w");
  }
  return uses;
}

/** Whether no commit could tell that the other went along with it. */
function agree(taken: Uses, uses: Uses): boolean {
  for (const [key, use] of uses) {
    const other = taken.get(key);
    if (other !== undefined && (other !== use || use === "w")) return false;
  }
  return true;
}
