/**
 * A life whose store is lost: brought back from a backup of any of its commits,
 * on hold for a while, and released by an operator who does what is said.
 *
 * @module
 */
import { gatedPorts } from "../../domain/hold/gate.ts";
import type { Processor } from "../../domain/payments/processor.ts";
import type { Services } from "../../domain/ports.ts";
import { restoreInto } from "../support/restored_world.ts";
import {
  openTestStore,
  type TestProcess,
  type TestStore,
} from "../support/store.ts";
import { ALL } from "./facts.ts";
import { beginLife, calmDown, liveDays, type Verdict } from "./live.ts";
import type { Losses } from "./losses.ts";
import type { Random } from "./random.ts";
import { releaseStoreOf } from "./released.ts";
import { RememberingKv } from "./remembering_kv.ts";
import { brokenSince } from "./verify_restored.ts";
import type { Life, Tick } from "./world.ts";

/** Ticks of a day, about. */
const DAY_TICKS = 14;
/** More commits than a tick has, mostly. */
const COMMITS = 40;

/** When what happens to the store, in ticks of the life. */
interface Fate {
  backupAt: number;
  lostAt: number;
  releasedAt: number;
}

function fateOf(random: Random, fromTick: number): Fate {
  const backupAt = fromTick + random.between(0, 3 * DAY_TICKS);
  const lostAt = backupAt + random.pick([1, 3, 8, DAY_TICKS, 2 * DAY_TICKS]);
  const releasedAt = lostAt + random.pick([0, 1, 3, DAY_TICKS]);
  return { backupAt, lostAt, releasedAt };
}

/** Lives a seed's days, in which its store is lost once or twice. */
export async function liveRestored(
  seed: number,
  days: number,
): Promise<Verdict> {
  const clock = { now: () => 0 };
  let kv = new RememberingKv(() => clock.now());
  await using life = await beginLife(seed, "at hand", kv);
  clock.now = () => life.world.clock.now();
  const { random } = life;
  const losses: Losses = {
    lost: 0,
    isOnHold: false,
    erased: new Set(),
    noted: new Set(),
  };
  const losesMax = random.between(1, 2);
  let fate = fateOf(random, DAY_TICKS);
  let nth = 0;
  const tick = life.tick;
  life.tick = async (options) => {
    if (nth === fate.backupAt) kv.rememberAfter(random.between(0, COMMITS));
    const isLost = nth >= fate.lostAt && losses.lost < losesMax;
    if (isLost && kv.isRemembered && !losses.isOnHold) {
      const next = new RememberingKv(() => clock.now());
      await restoreLife(life, losses, kv, next);
      kv = next;
    }
    if (losses.isOnHold && nth >= fate.releasedAt) {
      if (await releaseStoreOf(life, losses)) fate = fateOf(random, nth);
    }
    nth += 1;
    await (losses.isOnHold
      ? actsOnNothing(life, tick, options)
      : tick(options));
  };
  await liveDays(life, days);
  const { control } = life.world.simulator;
  control.clearFaults();
  const isFree = !losses.isOnHold || await releaseStoreOf(life, losses);
  if (isFree) await calmDown(life);
  return {
    seed,
    broken: isFree
      ? await brokenSince(life, losses)
      : ["the store can't be released"],
    tally: life.tally,
  };
}

/** A tick on hold: the processor is asked for nothing but to be read. */
async function actsOnNothing(
  life: Life,
  tick: (options?: Tick) => Promise<void>,
  options?: Tick,
): Promise<void> {
  const { control } = life.world.simulator;
  control.clearRequests();
  await tick(options);
  for (const { method, path } of control.requests()) {
    if (method !== "GET") {
      life.broken.push(`on hold ${method} ${path} was asked`);
    }
  }
}

/** Goes on with the store as it was in the backup, on hold. */
async function restoreLife(
  life: Life,
  losses: Losses,
  lost: RememberingKv,
  kv: RememberingKv,
): Promise<void> {
  const { world, services: { store } } = life;
  const erased = await store.listErasedAccounts({ ...ALL, after: null });
  for (const { accountId } of erased) losses.erased.add(accountId);
  const into = await openTestStore({
    kv,
    clock: world.clock,
    ids: world.testStore.ids,
  });
  const { bytes } = await lost.backup();
  await restoreInto(into, bytes);
  await life.goOnWith(worldOver(life, into));
  await forgetLost(life, losses);
  losses.lost += 1;
  losses.isOnHold = true;
  life.count("store lost");
}

/** The same world with the gate that a process has. */
function worldOver({ world }: Life, into: TestStore): Life["world"] {
  const { processor: real } = world.services;
  const over = (
    { store, archive }: TestProcess,
    processor: Processor,
  ): Services => ({
    ...world.services,
    store,
    archive,
    ...gatedPorts(store, { ...world.services, processor }),
  });
  return {
    ...world,
    services: over(into, real),
    testStore: into,
    kv: into.kv,
    another(wrap = (same) => same, faults = []) {
      const other = into.another(faults);
      return { services: over(other, wrap(real)), kv: other.kv };
    },
  };
}

/** Who signed up after the backup is unknown, and what was decided is forgotten. */
async function forgetLost(life: Life, { erased }: Losses): Promise<void> {
  const { services: { store }, people, advertisers, endings } = life;
  const isKnown = async (id: string) =>
    erased.has(id) || await store.accounts.find(id) !== null;
  await keepOnly(people, ({ accountId }) => isKnown(accountId));
  await keepOnly(advertisers, async ({ account: { id }, adId }) => {
    const creative = await store.creatives.find(id, adId);
    return erased.has(id) || creative !== null;
  });
  // By what the store says: each day begins before the last night is over, so
  // that moments tell no order.
  await keepOnly(endings, async ({ partnerId, fromMs }) => {
    const decided = (await store.partners.find(partnerId))?.decidedAtMs ?? null;
    return erased.has(partnerId) || decided !== null && fromMs <= decided;
  });
  for (const ending of endings) {
    const partner = await store.partners.find(ending.partnerId);
    const { state, decidedAtMs } = partner ?? {};
    const isLast = state === "ended" && decidedAtMs === ending.fromMs;
    if (isLast) delete ending.untilMs;
  }
  life.shown.clear();
  life.kept.clear();
}

async function keepOnly<T>(
  list: T[],
  keeps: (each: T) => Promise<boolean>,
): Promise<void> {
  const kept: T[] = [];
  for (const each of list) if (await keeps(each)) kept.push(each);
  list.splice(0, Infinity, ...kept);
}
