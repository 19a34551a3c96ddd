import { unlessUncertain } from "../payments/outcome.ts";
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
    const asked = await unlessUncertain(() => processor.listRefunds(paymentId));
    if (!asked?.ok) return false;
    givenBack += refundedCents({ refunds: asked.value });
  }
  return givenBack >= totalCents;
}
