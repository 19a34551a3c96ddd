import { ProcessorUncertain } from "../failure.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import { refundedCents } from "../payments/returned.ts";
import type { Services } from "../ports.ts";

/**
 * Whether all the money that came for an invoice was given back, as the
 * processor has it. Without its answer it was not.
 */
export async function isFullyRefunded(
  { processor }: Pick<Services, "processor">,
  { status, paymentIds, totalCents, amountPaidCents }: ListedInvoice,
): Promise<boolean> {
  const hasMoney = status === "paid" || amountPaidCents > 0;
  if (!hasMoney || paymentIds.length === 0) return false;
  let givenBack = 0;
  for (const paymentId of paymentIds) {
    const refunds = await refundsOf(processor, paymentId);
    if (refunds === null) return false;
    givenBack += refundedCents({ refunds });
  }
  return givenBack >= totalCents;
}

async function refundsOf(
  processor: Services["processor"],
  paymentId: string,
) {
  try {
    const asked = await processor.listRefunds(paymentId);
    return asked.ok ? asked.value : null;
  } catch (error) {
    if (error instanceof ProcessorUncertain) return null;
    throw error;
  }
}
