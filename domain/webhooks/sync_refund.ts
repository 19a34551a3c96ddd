import { sendAlert } from "../alerts/send_alerts.ts";
import {
  type PaymentPurpose,
  purposeOfPayment,
} from "../disputes/sync_dispute.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import { orderedByHand, takenOf } from "../invoices/invoice_books.ts";
import { withMoneyNow } from "../invoices/invoice_money.ts";
import { invariant } from "../invariant.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  type PersonsTrouble,
} from "../invoices/invoice.ts";
import { adoptUnknownFigures } from "../paid_metrics/adopt_unknown_figures.ts";
import { bookMetricsRefundFailure } from "../paid_metrics/refund_failure.ts";
import { bookRefundFailure } from "../payments/book_taken.ts";
import { certainValue } from "../payments/outcome.ts";
import { keptOf, unbookedRefunds } from "../payments/returned.ts";
import type {
  ProcessorRefund,
  RefundStanding,
} from "../payments/processor_credit_notes.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";

/**
 * Brings books and rows in line with a refund that came back from the payer's
 * bank: the money is ours again, and is owed again. An invoice's is left to a
 * person, who is told at once, since the card that did not take it will not take
 * it the next time; that of a report is tried again. Any other refund is left
 * alone. Harmless to repeat, in any order.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function syncRefund(
  services: Services,
  refundId: string,
): Promise<void> {
  const refund = certainValue(
    await services.processor.retrieveRefund(refundId),
  );
  if (!refund.hasFailed) return;
  const { id, amountCents } = refund;
  const paid = await purposeOrAdopted(services, refund);
  if (paid === null) {
    services.log.error("refund.of_unknown_payment", { refund: id });
    return;
  }
  const isNew = paid.kind === "invoice"
    ? await takeBack(services, paid.invoiceId, { id, amountCents })
    : await bookMetricsRefundFailure(services, paid, { id, amountCents });
  if (isNew) services.log.error("refund.came_back", { refund: id });
}

/** What it was of; figures that a restored store has lost are written down. */
async function purposeOrAdopted(
  services: Services,
  refund: RefundStanding,
): Promise<PaymentPurpose | null> {
  const paid = await purposeOfPayment(services, refund);
  if (paid !== null) return paid;
  const asked = refund.paymentId === null
    ? null
    : await services.processor.retrievePayment(refund.paymentId);
  if (!asked?.ok) return null;
  await adoptUnknownFigures(services, asked.value);
  return await purposeOfPayment(services, refund);
}

/** @returns whether it was not known before */
async function takeBack(
  services: Services,
  invoiceId: string,
  failed: ProcessorRefund,
): Promise<boolean> {
  const { store, clock } = services;
  const known = await store.transact(async (tx) => {
    const invoice = await tx.invoices.find(invoiceId);
    // Else the store lost a row: the event waits, and operators are alerted.
    invariant(invoice !== null, "a payment that is booked has its invoice");
    const nowMs = clock.now();
    const after = bookRefundFailure(
      tx,
      takenOf(invoice),
      invoice,
      failed,
      nowMs,
    );
    if (after === invoice) return { invoice, isNew: false };
    const moved = wasOfAll(invoice, failed)
      ? leftToPerson(orderedByHand(tx, after, BY_HAND, nowMs))
      : withMoneyOwed(after);
    tx.invoices.save(moved);
    return { invoice: moved, isNew: true };
  });
  // Its credit note stays a document, and a restored store may not know that.
  if (await store.holds.find() !== null) {
    await adoptRefunds(services, { invoiceId });
  }
  const { money, number } = known.invoice;
  // A repeat too, since a crash may have come between the two: it tells once.
  if (money === "refund_failed") {
    await sendAlert(services, { kind: "refund_failed", subject: number });
  }
  return known.isNew;
}

/** Of a refund that is first heard of when it has come back. */
const BY_HAND = "given back at the processor";

/** Whether money that is sold was all to go back by a refund not booked before. */
function wasOfAll(invoice: Invoice, failed: ProcessorRefund): boolean {
  const refunds = [
    ...invoice.refunds,
    ...unbookedRefunds(invoice, [failed]),
  ];
  return invoice.money === "sold" &&
    keptOf(invoice.totalCents, { ...invoice, refunds }) === 0;
}

/** What had all been given back is owed again, and not tried by itself. */
function withMoneyOwed(invoice: Invoice): Invoice {
  const after = withMoneyNow(invoice);
  return invoice.money !== "refunded" || after.money === "refunded"
    ? after
    : leftToPerson({ ...after, money: invoice.money });
}

function leftToPerson(invoice: Invoice): Invoice {
  return {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "refund_failed"),
    refundTrouble: "refund_came_back" satisfies PersonsTrouble,
  };
}
