/**
 * The invoice of a bid that this store does not know, since the bid came after
 * the backup that the store was restored from. Its document, its money and what
 * becomes of that are in the books all the same, like those of any other: money
 * that stays with us, or that a bank takes, is found by a person otherwise, or
 * by nobody. Decision 0205 says why.
 *
 * @module
 */
import { DAY_MS, parseDay } from "../day.ts";
import {
  type Hold,
  isActiveHold,
  isNotedAsSold,
  lostTimesOf,
} from "../hold/hold.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import { INVOICE_MONEY, type PersonsTrouble } from "../invoices/invoice.ts";
import { bookLatePayment, bookWin } from "../invoices/invoice_books.ts";
import { paymentOfInvoice } from "../invoices/payment_of_invoice.ts";
import {
  type InvoiceOwner,
  isFinalized,
  recordInvoice,
} from "../invoices/record_invoice.ts";
import { countCharged } from "./count_charged.ts";
import { withPartner } from "../partners/commission.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { hasWinner } from "./settlement.ts";

/** Clocks differ, and what began before the backup may have ended after it. */
const MARGIN_MS = DAY_MS;
/** Whose an invoice is that does not say so, as those of older versions. */
const NOBODY = "unknown";

/**
 * Writes down an invoice whose bid the backup has not, and books its money: as
 * the sale of its day where an operator noted that it is one and nobody else has
 * bought the day since; otherwise as money that a person is to give back, by which
 * operators are told of it. Nothing is given back here. Harmless to repeat. Any
 * other invoice is left alone.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function recordUnknownBuyer(
  services: Services,
  found: ListedInvoice,
): Promise<void> {
  const { store, clock } = services;
  const hold = await store.holds.find();
  const owner = ownerSaidBy(found);
  if (hold === null || owner === null) return;
  const nowMs = clock.now();
  if (!isOfLostTime(hold, found, nowMs)) return;
  const paymentId = await paymentOfInvoice(services, found);
  const isNoted = isNotedAsSold(hold, found.id);
  await store.transact(async (tx) => {
    const invoice = await recordInvoice(tx, found, owner, nowMs);
    if (invoice?.money !== "none" || paymentId === null) return;
    const { metadata: { grant_id: grantId = null }, totalCents } = found;
    await countCharged(tx, grantId, totalCents, nowMs);
    const settlement = await tx.settlements.find(owner.day);
    if (isNoted && !hasWinner(settlement)) {
      const account = await tx.accounts.find(owner.accountId);
      if (account !== null) {
        tx.accounts.save({ ...account, paidWins: account.paidWins + 1 });
      }
      const sold = withPartner(invoice, account);
      bookWin(tx, sold, paymentId, nowMs, `sale:${invoice.id}`);
    } else {
      const taken = bookLatePayment(tx, invoice, paymentId, nowMs);
      const money = advance(INVOICE_MONEY, taken.money, "refund_failed");
      tx.invoices.save({
        ...taken,
        money,
        refundTrouble: "bid_unknown" satisfies PersonsTrouble,
      });
    }
  });
  await adoptRefunds(services, { invoiceId: found.id });
}

/** By our own metadata, which only we can write; null for no Spotlight's. */
function ownerSaidBy({ metadata }: ListedInvoice): InvoiceOwner | null {
  const { purpose, bid_id: bidId, account_id: accountId = NOBODY } = metadata;
  const day = parseDay(metadata["day"] ?? "");
  if (purpose !== "spotlight" || bidId === undefined || day === null) {
    return null;
  }
  return { accountId, day, bidId };
}

/**
 * Whether it got its number while a store was lost. Nothing is written down
 * before the release: the operator has still to say what it is.
 */
function isOfLostTime(
  hold: Hold,
  found: ListedInvoice,
  nowMs: number,
): boolean {
  if (isActiveHold(hold) || !isFinalized(found)) return false;
  const { finalizedAtMs } = found;
  return lostTimesOf(hold, nowMs).some(({ fromMs, untilMs }) =>
    finalizedAtMs >= fromMs - MARGIN_MS && finalizedAtMs <= untilMs + MARGIN_MS
  );
}
