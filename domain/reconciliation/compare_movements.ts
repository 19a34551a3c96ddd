/**
 * Our entries against the processor's movements of its balance, one by one: a
 * movement and an entry match when payment, kind and signed amount are equal.
 *
 * @module
 */
import type { LedgerEntry, LedgerKind } from "../ledger/entry.ts";
import { balanceOf } from "../ledger/book_entry.ts";
import type { BalanceTransaction } from "../payments/processor_books.ts";
import type { Difference } from "./reconciliation.ts";

/** Both sides of a comparison. */
export interface Books {
  /** The movements of the day that is compared. */
  movements: readonly BalanceTransaction[];
  /** Everything booked of the payments of those movements. */
  entriesOfMovements: readonly LedgerEntry[];
  /** The entries of the day that is compared. */
  entries: readonly LedgerEntry[];
  /** The movements of that day and of the days before it. */
  movementsAround: readonly BalanceTransaction[];
}

type Kind = "charge" | "refund" | "dispute" | "other";

const KIND_OF_ENTRY: Readonly<Record<LedgerKind, Kind>> = {
  sale: "charge",
  late_payment: "charge",
  refund: "refund",
  dispute: "dispute",
};

/** Null for what the books don't know: it moves no buyer's money. */
const KIND_OF_MOVEMENT: Readonly<
  Record<BalanceTransaction["type"], Kind | null>
> = {
  charge: "charge",
  refund: "refund",
  dispute: "dispute",
  dispute_reversal: "dispute",
  payout: null,
  fee: null,
  other: "other",
};

/** Every movement without an entry, and every entry without a movement. */
export function compareMovements(books: Books): Difference[] {
  const booked = tally(books.entriesOfMovements.flatMap(keyOfEntry));
  const moved = tally(books.movementsAround.flatMap(keyOfMovement));
  const notBooked = books.movements
    .filter((movement) =>
      keyOfMovement(movement).some((key) => !take(booked, key))
    )
    .map(({ id, paymentId, amountCents }): Difference => ({
      kind: "not_booked",
      movementId: id,
      paymentId,
      amountCents,
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
  return [key(KIND_OF_ENTRY[entry.kind], entry.paymentId, cents)];
}

function keyOfMovement(movement: BalanceTransaction): string[] {
  const { type, paymentId, amountCents } = movement;
  const kind = KIND_OF_MOVEMENT[type];
  return kind === null ? [] : [key(kind, paymentId, amountCents)];
}

function key(kind: Kind, paymentId: string | null, cents: number): string {
  return `${kind}|${paymentId ?? ""}|${cents}`;
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
