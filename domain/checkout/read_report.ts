import { invariant } from "../invariant.ts";
import {
  isOnSale,
  type MetricsReading,
  readMetricsReport,
} from "../paid_metrics/metrics_report.ts";
import { beginRefund, refundPayment } from "../paid_metrics/refund_payment.ts";
import type { Services } from "../ports.ts";
import { refuseCheckout } from "./acp_error.ts";
import { findSession, type ReadSession } from "./read_session.ts";
import { type CheckoutSession, paymentIdOf } from "./session.ts";

/**
 * The report of a session whose payment is confirmed (contract §6.6). When its
 * day was removed since, the payment is given back.
 *
 * @throws {Refused} `session_not_found`, `unpaid`, `report_gone`
 */
export async function readReport(
  services: Services,
  asked: ReadSession,
): Promise<MetricsReading> {
  const session = await findSession(services, asked);
  const { status, day } = session;
  if (status !== "completed") refuseCheckout({ kind: "unpaid", status });
  if (session.refundBegunAtMs !== null) {
    return refuseCheckout({ kind: "report_gone", day });
  }
  if (!isOnSale(await services.store.spotlights.find(day))) {
    await beginSessionRefund(services, session);
    await refundPayment(services, { paymentId: paymentIdOf(session) });
    return refuseCheckout({ kind: "report_gone", day });
  }
  return await readMetricsReport(services, day);
}

/** A day that was removed never comes back, so it is not read again here. */
function beginSessionRefund(
  { store, clock }: Pick<Services, "store" | "clock">,
  { id, attempts }: CheckoutSession,
): Promise<void> {
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const [session, payment] = await tx.getMany([
      tx.checkoutSessions.ref(id),
      tx.metricsPayments.ref(paymentIdOf({ id, attempts })),
    ]);
    invariant(session !== null && payment !== null, "what is paid for is kept");
    if (session.refundBegunAtMs !== null) return;
    beginRefund(tx, payment, nowMs);
    tx.checkoutSessions.save({
      ...session,
      refundBegunAtMs: nowMs,
      updatedAtMs: nowMs,
    });
  });
}
