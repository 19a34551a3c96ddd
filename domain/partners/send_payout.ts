import { isSuspended } from "../accounts/eligibility.ts";
import { ProcessorUncertain, TemporaryFailure } from "../failure.ts";
import { invariant } from "../invariant.ts";
import { certainValue } from "../payments/outcome.ts";
import {
  BALANCE_INSUFFICIENT,
  type ProcessorTransfer,
} from "../payments/processor_partners.ts";
import type { Services, Transaction } from "../ports.ts";
import { backOffMs } from "../tasks/back_off.ts";
import {
  type Ended,
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import { DAY_MS } from "../day.ts";
import { bookLostTransfers } from "./book_lost_transfers.ts";
import {
  HELD_BACK,
  isPayoutDue,
  type Payout,
  PAYOUT_LEASE_MS,
  PAYOUT_PAUSE_MAX_MS,
} from "./payout.ts";
import {
  beginPayout,
  leastPayoutCents,
  type PaidOut,
  unsent,
  withoutPayout,
} from "./payout_balance.ts";
import { recordTransfer } from "./record_transfer.ts";
import { syncAccount } from "./sync_account.ts";
import { transferMetadata } from "./sync_transfer.ts";

/** Pauses after attempts that gave no answer. */
const PAUSES = { firstMs: 60_000, maxMs: PAYOUT_PAUSE_MAX_MS };
/** A payout that our balance can't cover waits for so long. */
const COVER_WITHIN_MS = 7 * DAY_MS;
/** What the processor was asked so long ago and does not have, it never made. */
const UNHEARD_MS = DAY_MS;

/** What an attempt came to. */
type Ending =
  | { kind: "made"; transfer: ProcessorTransfer }
  /** Nothing was sent, and the row says why. */
  | { kind: "not_sent" }
  | { kind: "refused"; code: string }
  | { kind: "uncertain" };

const PAYOUTS: TaskFamily<Payout, Ending> = {
  table: ({ payouts }) => payouts,
  idOf: ({ id }) => id,
  leaseMs: PAYOUT_LEASE_MS,
  isFree: isPayoutDue,
  runsOnHold: () => false,
  held: (payout, { untilMs }) => ({
    ...payout,
    attempts: payout.attempts + 1,
    dueAtMs: untilMs,
  }),
  run: send,
  after: record,
  report,
};

/**
 * Sends one payout, if it is due: `requested → sending → paid`, or `failed`,
 * or `canceled` where too much was taken back meanwhile, or the account was
 * suspended. One that our balance does not cover is `requested` again, so that
 * both are looked at each time. What was sent is looked for before anything is,
 * after a restore also what was sent of lost payouts, the amount is fixed before
 * the processor is asked, and each question carries the payout's own idempotency
 * key, another one after each refusal: however often this runs, in however many
 * isolates and around whatever crash, one transfer is made. Decision 0241 says
 * why.
 *
 * @throws {TemporaryFailure} when the store can't be reached; the payout is then
 * due again once its lease has ended
 */
export function sendPayout(
  services: Services,
  { payoutId }: { payoutId: string },
): Promise<void> {
  return runTask(services, PAYOUTS, [payoutId]);
}

async function send(
  services: Services,
  [payout]: Held<Payout>,
): Promise<Ending> {
  const { processor } = services;
  try {
    const found = certainValue(await processor.findTransfer(payout.id));
    if (found !== null) return { kind: "made", transfer: found };
    await bookLostTransfers(services, payout.partnerId);
    const begun = await begin(services, payout);
    if (begun === null) return { kind: "not_sent" };
    // A process that slept since: another may have sent it, under a key that the
    // processor has forgotten.
    if (services.clock.now() >= begun.dueAtMs) return { kind: "uncertain" };
    const { id: group, destination, amountCents } = begun;
    const metadata = transferMetadata(begun);
    const asked = await processor.createTransfer(
      { group, destination, amountCents, metadata },
      `payout:${group}:${begun.refusals}`,
    );
    if (asked.ok) return { kind: "made", transfer: asked.value };
    const { code } = asked;
    if (code !== BALANCE_INSUFFICIENT) {
      await lookAtAccount(services, destination);
    }
    return { kind: "refused", code };
  } catch (error) {
    if (error instanceof ProcessorUncertain) return { kind: "uncertain" };
    throw error;
  }
}

/** Whether the account can be paid at all; what it says waits for no retry. */
async function lookAtAccount(services: Services, id: string): Promise<void> {
  try {
    await syncAccount(services, id);
  } catch (error) {
    if (!(error instanceof TemporaryFailure)) throw error;
    services.log.info("partner.sync_failed", { error: error.name });
  }
}

/**
 * Fixes the amount before the processor is asked: until it has said no, what is
 * taken back is taken from later commissions. Null where nothing is to be sent,
 * or another has the payout by now.
 */
function begin(
  { store, clock }: Services,
  held: Payout,
): Promise<Payout | null> {
  return store.transact(async (tx) => {
    const [payout, balance, account, partner] = await tx.getMany([
      tx.payouts.ref(held.id),
      tx.partnerBalances.ref(held.partnerId),
      tx.accounts.ref(held.partnerId),
      tx.partners.ref(held.partnerId),
    ]);
    if (payout === null || balance === null || !isMine(payout, held)) {
      return null;
    }
    const nowMs = clock.now();
    const begun = begunOf({ balance, payout }, {
      isHeld: isSuspended(account),
      leastCents: leastPayoutCents(partner),
    }, nowMs);
    if (begun === null) return null;
    const isSent = begun.payout.state === "sending";
    const now = { ...begun.payout, ...isSent && { sentAtMs: nowMs } };
    tx.partnerBalances.save(begun.balance);
    tx.payouts.save(now);
    return isSent ? now : null;
  });
}

/**
 * One that the processor may still be sending stays as it is, whatever became of
 * its partner. Null for one that is over.
 */
function begunOf(
  { balance, payout }: PaidOut,
  { isHeld, leastCents }: { isHeld: boolean; leastCents: number },
  nowMs: number,
): PaidOut | null {
  if (payout.state === "requested") {
    return isHeld
      ? heldBack({ balance, payout })
      : beginPayout({ balance, payout }, leastCents);
  }
  if (payout.state !== "sending") return null;
  return isHeld && isUnheard(payout, nowMs)
    ? heldBack({ balance, payout: unsent(payout) })
    : { balance, payout };
}

/** Whether the last question is so old that no transfer can come of it. */
function isUnheard({ sentAtMs }: Payout, nowMs: number): boolean {
  return sentAtMs !== undefined && nowMs - sentAtMs >= UNHEARD_MS;
}

/** Nothing of an erasure waits for it then; after the lift it is asked for anew. */
function heldBack({ balance, payout }: PaidOut): PaidOut {
  const held = { ...payout, trouble: HELD_BACK };
  return withoutPayout({ balance, payout: held }, "canceled");
}

function isMine(payout: Payout, { attempts }: Payout): boolean {
  return payout.attempts === attempts;
}

/** A transfer is recorded whoever has the payout by now: the money has left. */
async function record(
  payout: Payout,
  { held, ending, nowMs }: Ended<Payout, Ending>,
  tx: Transaction,
): Promise<Payout | null> {
  if (ending?.kind === "made") {
    const balance = await tx.partnerBalances.find(payout.partnerId);
    invariant(balance !== null, "a payout is of a balance");
    const { transfer } = ending;
    return await recordTransfer(tx, { balance, payout }, transfer, nowMs);
  }
  const isOpen = payout.state === "requested" || payout.state === "sending";
  if (!isOpen || !isMine(payout, held)) return null;
  if (ending?.kind === "uncertain") {
    const dueAtMs = nowMs + backOffMs(payout.attempts, PAUSES);
    return { ...payout, dueAtMs, trouble: "processor_uncertain" };
  }
  if (ending?.kind !== "refused") return null;
  const { code: trouble } = ending;
  const refused = { ...payout, refusals: payout.refusals + 1, trouble };
  const isWaited = trouble === BALANCE_INSUFFICIENT &&
    nowMs - payout.requestedAtMs < COVER_WITHIN_MS;
  if (isWaited) {
    return { ...unsent(refused), dueAtMs: nowMs + PAYOUT_PAUSE_MAX_MS };
  }
  return await fail(tx, refused);
}

/** No money left us: what was asked for is payable again. */
async function fail(tx: Transaction, payout: Payout): Promise<Payout | null> {
  const balance = await tx.partnerBalances.find(payout.partnerId);
  if (balance === null) return null;
  const failed = withoutPayout({ balance, payout }, "failed");
  tx.partnerBalances.save(failed.balance);
  return failed.payout;
}

function report(
  { log }: Services,
  { held, ending, change }: TaskOutcome<Payout, Ending>,
): void {
  const { id: payout, attempts } = held;
  const after = change?.after.state;
  switch (ending?.kind) {
    case "made":
      return log.info("payout.paid", { payout, attempts });
    case "not_sent":
      return log.info("payout.not_sent", { payout });
    case "uncertain":
      return log.info("payout.uncertain", { payout, attempts });
    case "refused": {
      const fields = { payout, code: ending.code, state: after ?? held.state };
      return log.error("payout.refused", fields);
    }
  }
}
