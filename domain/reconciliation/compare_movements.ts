/**
 * Our entries against the processor's movements of its balance, one by one: a
 * movement and an entry match when payment, kind and signed amount are equal,
 * and, for what may happen to a payment more than once in equal parts, when the
 * entry is that very refund's or dispute's.
 *
 * @module
 */
import { balanceOf } from "../ledger/book_entry.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { payoutEntryId, payoutReversalEntryId } from "../ledger/commission.ts";
import {
  disputeEntryId,
  refundEntryId,
  refundFailureEntryId,
} from "../ledger/entry_ids.ts";
import type {
  BalanceMovement,
  BalanceTransaction,
} from "../payments/processor_books.ts";
import type { Difference } from "./reconciliation.ts";

/** What is compared of a movement. */
export type ComparedMovement = Omit<BalanceTransaction, "createdAtMs">;

/** Both sides of a comparison. */
export interface Books {
  /** The movements of the day that is compared. */
  movements: readonly BalanceTransaction[];
  /** Everything booked, on whatever day, of the payments of both. */
  entriesOfPayments: readonly LedgerEntry[];
  /** The entries of the day that is compared. */
  entries: readonly LedgerEntry[];
  /** The movements of that day and of the days before it. */
  movementsAround: readonly ComparedMovement[];
}

/** Every movement without an entry, and every entry without a movement. */
export function compareMovements(books: Books): Difference[] {
  const booked = tally(books.entriesOfPayments.flatMap(keyOfEntry));
  const moved = tally(books.movementsAround.flatMap(keyOfMovement));
  // What an earlier day has booked of a movement is booked.
  bookedBefore(books).flatMap(keyOfEntry).forEach((key) => take(moved, key));
  const notBooked = books.movements
    .filter((movement) =>
      keyOfMovement(movement).some((key) => !take(booked, key))
    )
    .map(({ id, type, sourceId, paymentId, amountCents }): Difference => ({
      kind: "not_booked",
      ...isTransfer(type) && { isTransfer: true },
      movementId: id,
      paymentId,
      amountCents,
      ...type === "refund_failure" && { failedRefundId: sourceId },
    }));
  const notMoved = books.entries
    .filter((entry) => keyOfEntry(entry).some((key) => !take(moved, key)))
    .map((entry): Difference => ({
      kind: "not_moved",
      entryId: entry.id,
      paymentId: entry.paymentId,
      amountCents: balanceOf([entry], "processor_clearing"),
    }));
  return [...notBooked, ...notMoved, ...unbalanced(books.entries)];
}

/** What was booked of the payments before the first entry of the day. */
function bookedBefore({ entries, entriesOfPayments }: Books): LedgerEntry[] {
  const fromMs = Math.min(...entries.map(({ atMs }) => atMs));
  return entriesOfPayments.filter(({ atMs }) => atMs < fromMs);
}

/** Whether a movement is of a payout to a partner. */
export function isTransfer(type: BalanceMovement): boolean {
  return type === "transfer" || type === "transfer_reversal";
}

function unbalanced(entries: readonly LedgerEntry[]): Difference[] {
  return entries
    .map(({ id, lines }) => ({
      id,
      sum: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    }))
    .filter(({ sum }) => sum !== 0)
    .map(({ id, sum }) => ({
      kind: "unbalanced",
      entryId: id,
      amountCents: sum,
    }));
}

/** No key for an entry that moves nothing at the processor. */
function keyOfEntry(entry: LedgerEntry): string[] {
  const cents = balanceOf([entry], "processor_clearing");
  if (cents === 0) return [];
  const { id, kind, paymentId } = entry;
  const isTaking = kind === "sale" || kind === "late_payment";
  return [key(isTaking ? "charge" : id, paymentId, cents)];
}

/** None for what the books don't know: it moves no buyer's money. */
export function keyOfMovement(movement: ComparedMovement): string[] {
  const { id, type, sourceId, paymentId, amountCents } = movement;
  switch (type) {
    case "payout":
    case "fee":
      return [];
    case "charge":
    case "other":
      return [key(type, paymentId, amountCents)];
    case "refund":
      return [key(refundEntryId(sourceId), paymentId, amountCents)];
    case "refund_failure":
      return [key(refundFailureEntryId(sourceId), paymentId, amountCents)];
    case "dispute":
    case "dispute_reversal":
      return [key(disputeEntryId(sourceId, id), paymentId, amountCents)];
    case "transfer":
      return [key(payoutEntryId(sourceId), paymentId, amountCents)];
    case "transfer_reversal":
      return [key(payoutReversalEntryId(sourceId), paymentId, amountCents)];
  }
}

function key(what: string, paymentId: string | null, cents: number): string {
  return `${what}|${paymentId ?? ""}|${cents}`;
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0;
  if (left === 0) return false;
  counts.set(name, left - 1);
  return true;
}
