/**
 * Ends the turns of all who did not win a day that is sold. As a rule they were
 * passed over before, or never tried. Where an invoice was adopted, as after a
 * backup was restored, another candidate may be half way.
 *
 * @module
 */
import { isFullyRefunded } from "../invoices/is_fully_refunded.ts";
import { unlessUncertain } from "../payments/outcome.ts";
import type { ProcessorInvoice } from "../payments/processor.ts";
import { passOverAsLost } from "./pass_over.ts";
import type { Saga, Turn } from "./saga.ts";
import type { CandidateStep } from "./settlement.ts";
import { isWait, type Progress, report } from "./step_progress.ts";

/** Steps of candidates of whom nothing is under way. */
const AT_REST: readonly CandidateStep[] = ["waiting", "passed_over", "won"];

/**
 * Passes over all others that are half way, with their invoices written down as
 * they are, before the win is published. Their bids are lost, not failed. While
 * one of their invoices is paid, or may be, the day waits for a person.
 */
export async function passOverOthers(
  saga: Saga,
  winner: Turn,
): Promise<Progress> {
  let { settlement } = winner;
  for (const [position, candidate] of settlement.candidates.entries()) {
    if (position === winner.position || AT_REST.includes(candidate.step)) {
      continue;
    }
    const progress = await passOverOther(saga, {
      settlement,
      position,
      candidate,
    });
    if (isWait(progress)) return progress;
    settlement = progress;
  }
  return settlement;
}

async function passOverOther(saga: Saga, other: Turn): Promise<Progress> {
  const { invoiceId } = other.candidate;
  if (invoiceId === null) return await passOverAsLost(saga, other, null);
  const { processor } = saga.services;
  const asked = await unlessUncertain(() =>
    processor.retrieveInvoice(invoiceId)
  );
  if (asked === null) return { wait: "another bid's invoice is not known yet" };
  const invoice = asked.ok ? asked.value : null;
  if (invoice === null || await isOver(saga, invoice)) {
    return await passOverAsLost(saga, other, invoice);
  }
  const why = "another bid has paid for the day";
  report(saga, other, "settlement.day_taken", { why });
  return { wait: "the invoice of another bid is paid too, or may still be" };
}

/** Whether nothing was kept for it and nothing can come but by mistake. */
async function isOver(
  { services }: Saga,
  invoice: ProcessorInvoice,
): Promise<boolean> {
  const { status } = invoice;
  if (status === "draft" || status === "void") return true;
  return status === "paid" && await isFullyRefunded(services, invoice);
}
