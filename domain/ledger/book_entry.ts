import { invariant } from "../invariant.ts";
import type { Transaction } from "../ports.ts";
import type {
  LedgerAccount,
  LedgerEntry,
  LedgerLine,
  Movement,
} from "./entry.ts";

/** The lines of a movement, without those of zero. */
export function linesOf(movement: Movement): LedgerLine[] {
  return Object.entries(movement)
    .filter(([, amountCents]) => amountCents !== 0)
    .map(([account, amountCents]) => ({
      account: account as LedgerAccount,
      amountCents,
    }));
}

/** The movement that takes back another. */
export function reversed(movement: Movement): Movement {
  return Object.fromEntries(
    Object.entries(movement).map(([account, cents]) => [
      account,
      // Never minus zero, which is not what zero reads back as.
      cents === 0 ? 0 : -cents,
    ]),
  );
}

/** What an account holds after some entries, cents. */
export function balanceOf(
  entries: readonly Pick<LedgerEntry, "lines">[],
  account: LedgerAccount,
): number {
  return entries.flatMap(({ lines }) => lines)
    .filter((line) => line.account === account)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/**
 * Books an entry in the commit of what it books. The only way into the ledger:
 * an entry sums to zero, moves something and is in whole cents.
 * Decision 0140 says why.
 */
export function bookEntry(
  tx: Pick<Transaction, "ledger">,
  entry: Omit<LedgerEntry, "lines" | "reason"> & { movement: Movement },
): void {
  const { movement, ...rest } = entry;
  const lines = linesOf(movement);
  const sum = lines.reduce((total, { amountCents }) => total + amountCents, 0);
  invariant(sum === 0, `the entry ${entry.id} sums to zero`);
  invariant(lines.length > 0, `the entry ${entry.id} moves something`);
  invariant(
    lines.every(({ amountCents }) => Number.isSafeInteger(amountCents)),
    `the entry ${entry.id} is in whole cents`,
  );
  invariant(
    entry.paymentId !== null ||
      lines.every(({ account }) => account !== "processor_clearing"),
    `the entry ${entry.id} names the payment whose money moved`,
  );
  tx.ledger.save({ ...rest, reason: entry.id, lines });
}
