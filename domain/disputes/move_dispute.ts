/**
 * What a dispute does to books, account and what was paid for.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  isLeftToPerson,
} from "../invoices/invoice.ts";
import { takenOf } from "../invoices/invoice_books.ts";
import { withMoneyNow } from "../invoices/invoice_money.ts";
import { withNoteDue } from "../invoices/missing_note.ts";
import { bookEntry, linesOf } from "../ledger/book_entry.ts";
import type { Movement } from "../ledger/entry.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { disputeEntryId } from "../ledger/entry_ids.ts";
import { takenBeside } from "../paid_metrics/books.ts";
import type { MetricsPayment } from "../paid_metrics/metrics_payment.ts";
import { withDisputed } from "../paid_metrics/returned.ts";
import { lossOf, type Taken } from "../payments/book_taken.ts";
import type {
  DisputeMovement,
  ProcessorDispute,
} from "../payments/processor_disputes.ts";
import {
  keptOf,
  NOTHING_RETURNED,
  type Returned,
  type Withholding,
  withWithheld,
} from "../payments/returned.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { withLost, withoutLost } from "./mark_lost.ts";
import {
  type Dispute,
  DISPUTE_STATES,
  type DisputeState,
  isBlocking,
  isLost,
  type Withheld,
  withheldCents,
  withheldIn,
} from "./dispute.ts";

/** What a dispute is about, as it stands in the store. */
export interface Disputed {
  dispute: Dispute;
  invoice: Invoice | null;
  account: Account | null;
  metrics: MetricsPayment | null;
}

/**
 * Moves a dispute, the books, the account and what was paid for, in the caller's
 * commit. Decision 0141 says why.
 *
 * @returns the dispute as it now stands; null when nothing has changed
 */
export function moveDispute(
  tx: Transaction,
  disputed: Disputed,
  found: ProcessorDispute,
  nowMs: number,
): Dispute | null {
  const { dispute: before, invoice, account, metrics } = disputed;
  const fresh = found.movements
    .filter(({ id }) => !before.movementIds.includes(id));
  if (before.state === found.standing && fresh.length === 0) return null;
  const paid = paidBy(disputed);
  const moved = bookMovements(tx, before, { found, fresh, paid }, nowMs);
  tx.disputes.save(moved);
  if (account !== null) {
    tx.accounts.save(withDisputeBlock(account, moved, nowMs));
  }
  const change: Withholding = {
    disputedCents: moved.heldCents - before.heldCents,
    lostCents: goneCents(moved) - goneCents(before),
  };
  if (invoice !== null) tx.invoices.save(withDispute(invoice, change, nowMs));
  if (metrics !== null) {
    const { paymentId } = moved;
    tx.metricsPayments.save(withDisputed(metrics, paymentId, change, nowMs));
  }
  return moved;
}

/**
 * Books each movement as the processor made it, so that both books have the
 * same lines, and then where the money stands by what the bank now says.
 */
function bookMovements(
  tx: Transaction,
  before: Dispute,
  { found, fresh, paid }: {
    found: ProcessorDispute;
    fresh: readonly DisputeMovement[];
    paid: Paid;
  },
  nowMs: number,
): Dispute {
  const { id, paymentId } = before;
  const moves = before.moves + 1;
  const common = { atMs: nowMs, kind: "dispute", paymentId } as const;
  for (const { id: movementId, amountCents } of fresh) {
    bookUnlessEmpty(tx, { ...common, id: disputeEntryId(id, movementId) }, {
      processor_clearing: amountCents,
      disputed_funds: -amountCents,
    });
  }
  const moved = fresh.reduce((sum, each) => sum - each.amountCents, 0);
  const held: Withheld = { ...before, heldCents: before.heldCents + moved };
  const cents = withheldCents(held);
  const due = dueCentsOf(paid, before);
  const after = withheldIn(found.standing, cents, due);
  const movement = movementBetween(held, after, paid);
  bookUnlessEmpty(tx, { ...common, id: `dispute:${id}:${moves}` }, movement);
  return {
    ...before,
    ...after,
    state: stateAfter(before.state, found.standing),
    amountCents: found.amountCents,
    evidenceDueAtMs: found.evidenceDueAtMs,
    movementIds: [...before.movementIds, ...fresh.map((each) => each.id)],
    moves,
  };
}

function bookUnlessEmpty(
  tx: Transaction,
  entry: Omit<LedgerEntry, "lines" | "reason">,
  movement: Movement,
): void {
  if (linesOf(movement).length > 0) bookEntry(tx, { ...entry, movement });
}

function stateAfter(from: DisputeState, to: DisputeState): DisputeState {
  return from === to ? from : advance(DISPUTE_STATES, from, to);
}

/** What a disputed payment took, and what went back of it. */
interface Paid {
  taken: Pick<Taken, "grossCents" | "revenue">;
  returned: Pick<Returned, "refunds" | "lostCents">;
}

function paidBy({ dispute, invoice, metrics }: Disputed): Paid {
  if (invoice !== null) return { taken: takenOf(invoice), returned: invoice };
  const surplus = metrics?.surplus
    ?.find(({ intentId }) => intentId === dispute.paymentId);
  if (surplus !== undefined) {
    return { taken: takenBeside(surplus), returned: surplus };
  }
  const taken = { grossCents: 0, revenue: "metrics_revenue" } as const;
  return { taken, returned: NOTHING_RETURNED };
}

/** What has to be booked besides what the processor moved. */
function movementBetween(
  from: Withheld,
  to: Withheld,
  { taken, returned }: Paid,
): Movement {
  const gone = goneCents(to) - goneCents(from);
  const lostCents = returned.lostCents + gone;
  const loss = lossOf(taken, { ...returned, lostCents }) -
    lossOf(taken, returned);
  return {
    disputed_funds: to.heldCents - from.heldCents,
    dispute_losses: loss,
    refunds_due: gone - loss,
  };
}

/** What of the payment was to be given back anyway, seen from before this dispute. */
function dueCentsOf({ taken, returned }: Paid, before: Dispute): number {
  if (taken.revenue !== null) return 0;
  const lostCents = returned.lostCents - goneCents(before);
  return keptOf(taken.grossCents, { ...returned, lostCents });
}

/** The account as the dispute leaves it. */
function withDisputeBlock(
  account: Account,
  dispute: Dispute,
  nowMs: number,
): Account {
  const others = (account.blockingDisputes ?? [])
    .filter((id) => id !== dispute.id);
  const blockingDisputes = isBlocking(dispute)
    ? [...others, dispute.id]
    : others;
  const marked = isLost(dispute)
    ? withLost(account, [dispute.id], nowMs)
    : withoutLost(account, [dispute.id]);
  const disputeOpen = blockingDisputes.length > 0;
  return { ...marked, blockingDisputes, disputeOpen };
}

/**
 * The invoice after its dispute has moved. A refund that is due is tried again
 * with what is left, also one that had failed for good, but for one that is left
 * to a person: they may have given the money back in another way.
 */
function withDispute(
  invoice: Invoice,
  change: Withholding,
  nowMs: number,
): Invoice {
  const now = withMoneyNow(withWithheld(invoice, change));
  const taken = withNoteDue(invoice, now, nowMs);
  const money = taken.money === "refund_failed" && !isLeftToPerson(taken)
    ? advance(INVOICE_MONEY, taken.money, "refunding")
    : taken.money;
  if (money !== "refunding") return taken;
  return { ...taken, money, dueAtMs: nowMs, refundTries: 0, refundRefusals: 0 };
}

function goneCents({ lostCents, dueCents }: Withheld): number {
  return lostCents + dueCents;
}
