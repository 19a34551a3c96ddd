import type { Services } from "../ports.ts";
import { unlessUncertain } from "./outcome.ts";
import type { ProcessorRefund } from "./processor_credit_notes.ts";
import { heldOf, type Returned } from "./returned.ts";

/** The trouble of an attempt that the processor gave no definite answer to. */
export const UNCERTAIN = "uncertain";

/** What an attempt to give back led to. */
export interface RefundResult {
  /** Every refund the processor then had, whoever made it. */
  refunds: readonly ProcessorRefund[];
  /** Why not all was given back: the processor's code, or {@linkcode UNCERTAIN}. */
  trouble: string | null;
}

/** A payment whose rest is to be given back. */
interface RefundOrder {
  paymentId: string;
  takenCents: number;
  returned: Returned;
  /** Of this attempt alone: the processor repeats a saved 500 for a day. */
  key: string;
}

/**
 * Gives back, without a document, what the processor still holds of a payment:
 * what somebody gave back by hand and what a bank took is no more there. While a
 * bank holds a part, nothing is given back: it may take more, or bring it back.
 */
export async function refundRest(
  { processor }: Pick<Services, "processor">,
  order: RefundOrder,
): Promise<RefundResult> {
  const result = await unlessUncertain(() => attempt(processor, order));
  return result ?? { refunds: [], trouble: UNCERTAIN };
}

async function attempt(
  processor: Services["processor"],
  { paymentId, takenCents, returned, key }: RefundOrder,
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
