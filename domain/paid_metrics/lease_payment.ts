import { changeRows } from "../tasks/lease.ts";
import type { Services } from "../ports.ts";
import { METRICS_LEASE_MS } from "./limits.ts";
import { isLeased, type MetricsPayment } from "./metrics_payment.ts";

/**
 * Leases a payment to the caller and counts the attempt. Null when the payment
 * is not wanted any more, or another worker has the lease.
 */
export async function leasePayment(
  services: Pick<Services, "store" | "clock">,
  paymentId: string,
  isWanted: (payment: MetricsPayment, nowMs: number) => boolean,
): Promise<MetricsPayment | null> {
  const [change] = await changeRows(
    services,
    { table: ({ metricsPayments }) => metricsPayments },
    [paymentId],
    (payment: MetricsPayment, now) => {
      if (!isWanted(payment, now) || isLeased(payment, now)) return null;
      const leaseUntilMs = now + METRICS_LEASE_MS;
      const sweeps = payment.sweeps + 1;
      return { ...payment, leaseUntilMs, dueAtMs: leaseUntilMs, sweeps };
    },
  );
  return change?.after ?? null;
}

/** How a payment is named in the log: enough to find it, too little to use. */
export function logFieldsOf({ id, channel, day }: MetricsPayment): {
  payment: string;
  channel: string;
  day: string;
} {
  return { payment: id.slice(0, 12), channel, day };
}
