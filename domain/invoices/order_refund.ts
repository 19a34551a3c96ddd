import { type ActBy, actorOf, isSamePerson } from "../audit/operator_act.ts";
import type { Day } from "../day.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Invoice } from "./invoice.ts";
import { REFUND_REQUEST_MS, type RefundRequest } from "./refund_request.ts";
import { refundSpotlight } from "./refund_spotlight.ts";

/** What came of an operator's order. */
export interface RefundOrder {
  invoice: Invoice;
  /** What waits for another operator; null where the refund has begun. */
  request: RefundRequest | null;
}

/**
 * An operator's order to give the winner of a day its money back. Above the
 * threshold the first order waits, and the refund begins in the commit of
 * another operator's.
 *
 * @throws {Refused} `second_operator_needed` for whoever asked first; else as
 * {@linkcode refundSpotlight}
 */
export async function orderRefund(
  services: Services,
  { day, note, by }: { day: Day; note: string; by: ActBy },
): Promise<RefundOrder> {
  const { clock, settings } = services;
  let waiting: RefundRequest | null = null;
  const invoice = await refundSpotlight(services, {
    day,
    note,
    async admit(tx, invoice) {
      waiting = null;
      if (invoice.totalCents <= settings.refundFourEyesCents) return true;
      const first = await tx.refundRequests.find(day);
      if (first !== null && !isSamePerson(first.by, by)) {
        tx.refundRequests.remove(first);
        return true;
      }
      if (first !== null) refuseAgain(first);
      waiting = ask(tx, { day, invoiceId: invoice.id, note, by }, clock.now());
      return false;
    },
  });
  // Of an attempt that lost to two others, who have begun it.
  const hasBegun = invoice.money === "refunding" ||
    invoice.money === "refunded";
  return { invoice, request: hasBegun ? null : waiting };
}

function ask(
  tx: Transaction,
  asked: Pick<RefundRequest, "day" | "invoiceId" | "note" | "by">,
  atMs: number,
): RefundRequest {
  const expiresAtMs = atMs + REFUND_REQUEST_MS;
  const request = { ...asked, atMs, expiresAtMs };
  tx.refundRequests.save(request);
  tx.noteChange({ before: { waits: false }, after: { waits: true } });
  return request;
}

function refuseAgain({ day, by, expiresAtMs }: RefundRequest): never {
  refuse({
    code: "second_operator_needed",
    day,
    askedBy: actorOf(by),
    expiresAtMs,
  });
}
