import { type Outcome, unlessUncertain } from "../payments/outcome.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import { isMoneyGone } from "../payments/processor_disputes.ts";
import { refundedCents } from "../payments/returned.ts";
import type { Services } from "../ports.ts";

type ReadServices = Pick<Services, "processor">;

/**
 * Whether all the money that came for an invoice is gone again, as the processor
 * has it: given back, or taken back for good by the payer's bank, after which
 * nobody can give it back any more. Without its answer it is not.
 */
export async function isFullyRefunded(
  services: ReadServices,
  { paymentIds, totalCents, amountPaidCents }: ListedInvoice,
): Promise<boolean> {
  if (amountPaidCents === 0 || paymentIds.length === 0) return false;
  const refunded = await sumOf(services, paymentIds, refundedOf);
  if (refunded === null || refunded >= totalCents) return refunded !== null;
  // Asked only then, as it is seldom so.
  const lost = await sumOf(services, paymentIds, lostOf);
  return lost !== null && refunded + lost >= totalCents;
}

/** Cents of all payments; null without an answer. */
async function sumOf(
  { processor }: ReadServices,
  paymentIds: readonly string[],
  centsOf: (
    processor: Services["processor"],
    paymentId: string,
  ) => Promise<Outcome<number>>,
): Promise<number | null> {
  let sum = 0;
  for (const paymentId of paymentIds) {
    const asked = await unlessUncertain(() => centsOf(processor, paymentId));
    if (!asked?.ok) return null;
    sum += asked.value;
  }
  return sum;
}

async function refundedOf(
  processor: Services["processor"],
  paymentId: string,
): Promise<Outcome<number>> {
  const asked = await processor.listRefunds(paymentId);
  if (!asked.ok) return asked;
  return { ok: true, value: refundedCents({ refunds: asked.value }) };
}

/** What banks took of the payment for good, whatever they call it. */
async function lostOf(
  processor: Services["processor"],
  paymentId: string,
): Promise<Outcome<number>> {
  const asked = await processor.listDisputesOf(paymentId);
  if (!asked.ok) return asked;
  const value = asked.value
    .filter(({ standing }) => isMoneyGone(standing))
    .flatMap(({ movements }) => movements)
    .reduce((sum, { amountCents }) => sum - amountCents, 0);
  return { ok: true, value };
}
