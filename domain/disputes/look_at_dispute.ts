import type { Account } from "../accounts/account.ts";
import { Contention, ProcessorUncertain } from "../failure.ts";
import { type Invoice, INVOICE_MONEY } from "../invoices/invoice.ts";
import { bookEntry, linesOf } from "../ledger/book_entry.ts";
import type { MetricsPayment } from "../paid_metrics/metrics_payment.ts";
import type { ProcessorDispute } from "../payments/processor_disputes.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Dispute,
  DISPUTE_STATES,
  type DisputeState,
  isBlocking,
  movementOf,
  wayTo,
} from "./dispute.ts";
import { type DisputedPayment, disputedPayment } from "./disputed_payment.ts";

/** Looks that may be overtaken by others before one gives up. */
const TRIES_MAX = 5;

/** Another look ended while the processor was asked: its answer may be older. */
class Overtaken extends Error {}

/** What a dispute is about, as it stands in the store. */
interface Disputed {
  dispute: Dispute;
  invoice: Invoice | null;
  account: Account | null;
  metrics: MetricsPayment | null;
}

/**
 * Brings books, account and invoice in line with a dispute as the processor has
 * it now. `open` holds the money and blocks the account, `won` ends both,
 * `lost` writes the money off and leaves the account blocked until an operator
 * lifts it. Harmless to repeat, in any order, and beside itself: whoever was
 * overtaken asks again, so that an old answer never undoes a newer one.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 * @throws {Contention} after being overtaken five times
 */
export async function lookAtDispute(
  services: Services,
  disputeId: string,
): Promise<void> {
  for (let nth = 0; nth < TRIES_MAX; nth++) {
    try {
      return await look(services, disputeId);
    } catch (thrown) {
      if (!(thrown instanceof Overtaken)) throw thrown;
    }
  }
  throw new Contention("The dispute was looked at again and again");
}

async function look(services: Services, disputeId: string): Promise<void> {
  const { store, clock, processor, log } = services;
  const before = await store.disputes.find(disputeId);
  const asked = await processor.retrieveDispute(disputeId);
  if (!asked.ok) {
    throw new ProcessorUncertain(`The processor refused: ${asked.code}`);
  }
  const payment = await disputedPayment(services, asked.value);
  if (payment === null) {
    log.error("dispute.of_unknown_payment", { dispute: disputeId });
    return;
  }
  const moved = await store.transact(async (tx) => {
    const disputed = await read(tx, asked.value, payment);
    if (disputed === null) return null;
    if (disputed.dispute.moves !== (before?.moves ?? 0)) throw new Overtaken();
    return move(tx, disputed, asked.value, clock.now());
  });
  if (moved === null) return;
  const { state, reason } = moved;
  log.error("dispute.moved", { dispute: disputeId, state, reason });
}

async function read(
  tx: Transaction,
  found: ProcessorDispute,
  payment: DisputedPayment,
): Promise<Disputed | null> {
  const { paymentId } = payment;
  if (payment.kind === "metrics") {
    const [standing, metrics] = await tx.getMany([
      tx.disputes.ref(found.id),
      tx.metricsPayments.ref(payment.metricsPaymentId),
    ]);
    const dispute = standing ?? newDispute(found, paymentId, null);
    return { dispute, metrics, invoice: null, account: null };
  }
  const [standing, invoice] = await tx.getMany([
    tx.disputes.ref(found.id),
    tx.invoices.ref(payment.invoiceId),
  ]);
  if (invoice === null) return null;
  const account = await tx.accounts.find(invoice.accountId);
  const dispute = standing ?? newDispute(found, paymentId, invoice);
  return { dispute, invoice, account, metrics: null };
}

function newDispute(
  found: ProcessorDispute,
  paymentId: string,
  invoice: Invoice | null,
): Dispute {
  return {
    id: found.id,
    state: "unseen",
    amountCents: found.amountCents,
    paymentId,
    accountId: invoice?.accountId ?? null,
    invoiceId: invoice?.id ?? null,
    reason: found.reason,
    openedAtMs: found.createdAtMs,
    evidenceDueAtMs: found.evidenceDueAtMs,
    loss: "dispute_losses",
    moves: 0,
  };
}

/** One commit moves dispute, books, account and what was paid for. */
function move(
  tx: Transaction,
  { dispute: standing, invoice, account, metrics }: Disputed,
  found: ProcessorDispute,
  nowMs: number,
): Dispute | null {
  const way = wayTo(standing.state, found.standing);
  if (way.length === 0) return null;
  let moved: Dispute = {
    ...standing,
    evidenceDueAtMs: found.evidenceDueAtMs,
    // The loss an entry named is the loss that is taken back.
    loss: standing.state === "lost" ? standing.loss : lossOf(invoice),
  };
  for (const state of way) moved = step(tx, moved, state, nowMs);
  tx.disputes.save(moved);
  const { id, state } = moved;
  if (account !== null) block(tx, account, id, isBlocking(state));
  if (invoice !== null) writeOff(tx, invoice, standing.state, state, nowMs);
  if (metrics !== null) endRefund(tx, metrics, state);
  return moved;
}

function step(
  tx: Transaction,
  dispute: Dispute,
  to: DisputeState,
  nowMs: number,
): Dispute {
  const { id, paymentId } = dispute;
  const moves = dispute.moves + 1;
  const movement = movementOf(dispute, to);
  if (linesOf(movement).length > 0) {
    bookEntry(tx, {
      id: `dispute:${id}:${moves}`,
      atMs: nowMs,
      kind: "dispute",
      paymentId,
      movement,
    });
  }
  const state = advance(DISPUTE_STATES, dispute.state, to);
  return { ...dispute, state, moves };
}

/** Money that was to be given back is, when the bank takes it. */
function lossOf(invoice: Invoice | null): Dispute["loss"] {
  const isDue = invoice !== null && !invoice.wasSold &&
    invoice.money !== "refunded";
  return isDue ? "refunds_due" : "dispute_losses";
}

function block(
  tx: Transaction,
  account: Account,
  disputeId: string,
  isBlocked: boolean,
): void {
  const others = (account.blockingDisputes ?? [])
    .filter((id) => id !== disputeId);
  const blockingDisputes = isBlocked ? [...others, disputeId] : others;
  const disputeOpen = blockingDisputes.length > 0;
  tx.accounts.save({ ...account, blockingDisputes, disputeOpen });
}

function writeOff(
  tx: Transaction,
  invoice: Invoice,
  from: DisputeState,
  to: DisputeState,
  nowMs: number,
): void {
  const { money } = invoice;
  if (to === "lost" && INVOICE_MONEY[money].includes("written_off")) {
    tx.invoices.save({ ...invoice, money: "written_off" });
  }
  if (from === "lost" && money === "written_off") {
    const back = invoice.refundReason === null ? "sold" : "refunding";
    const next = advance(INVOICE_MONEY, money, back);
    tx.invoices.save({ ...invoice, money: next, dueAtMs: nowMs });
  }
}

/** A report's money that the bank took can't be given back once more. */
function endRefund(
  tx: Transaction,
  payment: MetricsPayment,
  to: DisputeState,
): void {
  if (to !== "lost" || payment.state !== "refunding") return;
  tx.metricsPayments.save({ ...payment, state: "refunded" });
}
