import type { Day } from "../day.ts";
import { refuseWhileOnHold } from "../hold/gate.ts";
import { invariant } from "../invariant.ts";
import { SETTLEMENT_UNCERTAIN_MS } from "../limits.ts";
import { backOffMs } from "../tasks/back_off.ts";
import { isAhead } from "../tasks/due.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Auction, phaseAt } from "../auction/auction.ts";
import { agreedTime, refuseUnlessBegun } from "./agreed_time.ts";
import { closeAuction } from "./close_auction.ts";
import type { Settlement } from "./settlement.ts";
import {
  isWait,
  PAUSE_MAX_MS,
  type Progress,
  type Wait,
  waitedAfter,
} from "./step_progress.ts";
import { chargeStep, isChargeStep } from "./charge.ts";
import { createInvoice } from "./draft.ts";
import { recheck } from "./recheck.ts";
import {
  changeSettlement,
  LEASE_MS,
  LeaseLost,
  newSaga,
  nextTurn,
  type Saga,
  type Turn,
  withLeaseRenewed,
} from "./saga.ts";
import { settleUnsold } from "./unsold_day.ts";

/** More steps than five candidates can take. */
const STEPS_MAX = 64;
/** Between attempts on an undecided settlement. */
const PAUSES = { firstMs: 1_000, maxMs: PAUSE_MAX_MS };
/** A settlement that waits for longer than this wants a person. */
const LATE_MS = 2 * SETTLEMENT_UNCERTAIN_MS;

/**
 * Works on the day's settlement as far as it goes: candidates in order, then
 * the house ad. Safe to run twice, in two isolates, late, and after a crash at
 * any point. With `force` it does not wait for the next attempt to be due.
 * Decision 0010 says why.
 *
 * @throws {Refused} `auction_not_closed` while the auction may still take bids,
 * `day_not_begun`
 * @throws {StoreOnHold} while the store is on hold
 */
export async function settleDay(
  services: Services,
  input: { day: Day; force?: boolean },
): Promise<Settlement> {
  const { day, force = false } = input;
  await refuseWhileOnHold(services);
  const existing = await ensureSettlement(services, day);
  if (existing.state === "settled") return existing;
  const saga = newSaga(services, day);
  try {
    const held = await takeLease(saga, force);
    if (held !== null) await runSteps(saga, held);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
  return await services.store.settlements.find(day) ?? existing;
}

/** The settlement's row, written now if a crash kept close from doing so. */
export async function ensureSettlement(
  services: Services,
  day: Day,
): Promise<Settlement> {
  const { store } = services;
  const [auction, existing] = await store.getMany([
    store.auctions.ref(day),
    store.settlements.ref(day),
  ]);
  if (existing?.state === "settled") return existing;
  await refuseUnlessBegun(services, day, "settle");
  if (existing !== null) return existing;
  await refuseUnlessClosed(services, auction, day);
  await closeAuction(services, { day });
  const settlement = await store.settlements.find(day);
  invariant(settlement !== null, `close began the settlement of ${day}`);
  return settlement;
}

/** A clock of ours that is ahead must not end an auction by an order to settle. */
async function refuseUnlessClosed(
  services: Services,
  auction: Auction | null,
  day: Day,
): Promise<void> {
  if (auction?.phase === "CLOSED") return;
  const code = "auction_not_closed";
  const own = phaseAt(auction, services.clock.now());
  if (own !== "CLOSED") return refuse({ code, day, phase: own, by: "own" });
  const phase = phaseAt(auction, (await agreedTime(services)).endsMs);
  if (phase !== "CLOSED") refuse({ code, day, phase, by: "processor" });
}

/** The settlement, leased to this worker; null when it is not due, or leased. */
export function takeLease(
  saga: Saga,
  force: boolean,
): Promise<Settlement | null> {
  const { store, clock } = saga.services;
  return store.transact(async (tx) => {
    const now = clock.now();
    const settlement = await tx.settlements.find(saga.day);
    invariant(settlement !== null, `the settlement of ${saga.day} began`);
    const busy = settlement.leaseOwner !== null &&
      isAhead(settlement.leaseUntilMs, now, LEASE_MS);
    const early = isAhead(settlement.dueAtMs, now, PAUSES.maxMs) && !force;
    if (settlement.state === "settled" || busy || early) return null;
    const held: Settlement = {
      ...withLeaseRenewed(settlement, now),
      leaseOwner: saga.owner,
      attempts: settlement.attempts + 1,
    };
    tx.settlements.save(held);
    return held;
  });
}

async function runSteps(saga: Saga, held: Settlement): Promise<void> {
  let settlement = held;
  for (let step = 0; step < STEPS_MAX; step++) {
    if (settlement.state === "settled") return;
    const turn = nextTurn(settlement);
    const progress = turn === null
      ? await settleUnsold(saga, settlement)
      : await runStep(saga, turn);
    if (isWait(progress)) return await releaseLease(saga, turn, progress);
    settlement = progress;
  }
  invariant(settlement.state === "settled", `${saga.day} settles in time`);
}

async function runStep(saga: Saga, turn: Turn): Promise<Progress> {
  const { step } = turn.candidate;
  if (step === "waiting") return await recheck(saga, turn);
  if (step === "creating") return await createInvoice(saga, turn);
  invariant(isChargeStep(step), `a candidate in ${step} is not worked on`);
  return await chargeStep(saga, turn, step);
}

/** Gives the lease back and says when to try again. */
export async function releaseLease(
  saga: Saga,
  turn: Turn | null,
  wait: Wait,
): Promise<void> {
  const { clock, log } = saga.services;
  const paused = await changeSettlement(saga, (settlement, _tx, nowMs) => ({
    ...settlement,
    ...turn === null ? { stall: null } : waitedAfter(saga, turn, wait, nowMs),
    leaseOwner: null,
    leaseUntilMs: 0,
    dueAtMs: nowMs + backOffMs(settlement.attempts + 1, PAUSES),
  }));
  const fields = { day: saga.day, bid: turn?.candidate.bidId, why: wait.wait };
  if (!isSettlementLate(paused, clock.now())) {
    log.info("settlement.waits", fields);
  } else log.error("settlement.late", fields);
}

/** Whether a settlement that is not finished wants a person. */
export function isSettlementLate(
  { createdAtMs }: Pick<Settlement, "createdAtMs">,
  nowMs: number,
): boolean {
  return nowMs - createdAtMs >= LATE_MS;
}
