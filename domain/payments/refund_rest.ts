import type { Services } from "../ports.ts";
import type { ProcessorRefund } from "./processor_credit_notes.ts";
import { heldOf, type Returned } from "./returned.ts";

/** What trying to give back came to. */
export interface RefundResult {
  /** Every refund the processor then had, whoever made it. */
  refunds: readonly ProcessorRefund[];
  /** Why not all was given back, in the processor's words; null when it was. */
  trouble: string | null;
}

/**
 * Gives back, without a document, what the processor still holds of a payment:
 * what somebody gave back by hand and what a bank took is no more there. While a
 * bank holds a part, nothing is given back: it may take more, or bring it back.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function refundRest(
  { processor }: Pick<Services, "processor">,
  { paymentId, takenCents, returned, key }: {
    paymentId: string;
    takenCents: number;
    returned: Returned;
    /** Of this attempt alone: the processor repeats a saved 500 for a day. */
    key: string;
  },
): Promise<RefundResult> {
  const found = await processor.listRefunds(paymentId);
  if (!found.ok) return { refunds: [], trouble: found.code };
  const refunds = found.value;
  const rest = heldOf(takenCents, { ...returned, refunds });
  if (returned.disputedCents > 0) return { refunds, trouble: "dispute_open" };
  if (rest === 0) return { refunds, trouble: null };
  const refund = await processor.refundPayment(paymentId, key, rest);
  if (!refund.ok) return { refunds, trouble: refund.code };
  const after = await processor.listRefunds(paymentId);
  return { refunds: after.ok ? after.value : refunds, trouble: null };
}
