import { bookRefundFailure } from "../payments/book_taken.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import type { Services } from "../ports.ts";
import { takenBeside, takenFor } from "./books.ts";
import { refundPauseMs } from "./limits.ts";
import type { MetricsPayment } from "./metrics_payment.ts";
import { returnedOf, withReturned } from "./returned.ts";

/**
 * Books that a refund of a report's payment, or of one beside it, came back. It
 * is given back again after the longest pause.
 *
 * @returns whether it was not known before
 */
export function bookMetricsRefundFailure(
  { store, clock }: Pick<Services, "store" | "clock">,
  { metricsPaymentId, paymentId }: {
    metricsPaymentId: string;
    paymentId: string;
  },
  failed: ProcessorRefund,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const payment = await tx.metricsPayments.find(metricsPaymentId);
    if (payment === null) return false;
    const nowMs = clock.now();
    let isNew = false;
    const surplus = payment.surplus?.map((each) => {
      if (each.intentId !== paymentId) return each;
      const taken = takenBeside(each);
      const after = bookRefundFailure(tx, taken, each, failed, nowMs);
      isNew = after !== each;
      return after;
    });
    let after: MetricsPayment = {
      ...payment,
      ...surplus !== undefined && { surplus },
    };
    if (payment.intentId === paymentId) {
      const before = returnedOf(payment);
      const taken = takenFor(payment);
      const now = bookRefundFailure(tx, taken, before, failed, nowMs);
      isNew = now !== before;
      after = withReturned(after, now);
    }
    if (!isNew) return false;
    const dueAtMs = nowMs + refundPauseMs(Infinity);
    tx.metricsPayments.save({ ...after, dueAtMs });
    return true;
  });
}
