/**
 * Money that a person is to give back, that a bank took, and that came back on
 * appeal: it is still theirs to give.
 */
import { assert, assertEquals } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { HOUR_MS } from "../../../domain/day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import {
  refundDueInvoices,
  refundInvoice,
} from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Services } from "../../../domain/ports.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, PAID_CENTS } from "../../support/paid_day.ts";

const note = "goodwill";

/** The processor once a lost dispute was won on appeal, which its double can't. */
async function appealed(
  services: Services,
  disputeId: string,
  amountCents: number,
): Promise<Services> {
  const asked = await services.processor.retrieveDispute(disputeId);
  assert(asked.ok);
  const back = { id: "txn_appeal", amountCents };
  const value = {
    ...asked.value,
    standing: "won" as const,
    movements: [...asked.value.movements, back],
  };
  const retrieveDispute = () => Promise.resolve({ ok: true as const, value });
  return { ...services, processor: { ...services.processor, retrieveDispute } };
}

/** What operators were mailed of failed refunds, oldest first. */
async function alertsOf({ store }: Services): Promise<string[]> {
  const mails = await store.listMails({ limit: 99 });
  return mails.filter(({ kind }) => kind === "operator_alert")
    .map(({ subject }) => subject.includes("Over:") ? "over" : "failed");
}

for (const byHandCents of [0, 200]) {
  Deno.test(`money that is left to a person, of which a bank took all but ${byHandCents} cents that went by hand, is given back by nobody else after an appeal`, async () => {
    await using day = await openPaidDay();
    const { services, stripe, simulator: { control }, clock } = day.world;
    await refundSpotlight(services, { day: AUCTION_DAY, note });
    const { id: invoiceId, refunds: [refund], paymentId } = await day.invoice();
    control.failRefund(refund?.id ?? "");
    await syncRefund(services, refund?.id ?? "");
    const payment = paymentId ?? "";
    const amount = PAID_CENTS - byHandCents;
    const { id } = control.disputes.open(payment, { amount });
    await syncDispute(services, id);
    control.disputes.turn(id, "lost");
    await syncDispute(services, id);
    if (byHandCents > 0) {
      const byHand = { payment_intent: payment, amount: byHandCents };
      await stripe.refunds.create(byHand);
      await refundInvoice(services, { invoiceId });
    }
    await sendAlerts(services, []);
    assertEquals(await alertsOf(services), ["failed", "over"]);
    const gone = await day.invoice();
    assertEquals(gone.money, byHandCents > 0 ? "refunded" : "written_off");
    await syncDispute(await appealed(services, id, amount), id);
    const made = control.objects("refund").length;
    clock.advance(HOUR_MS);
    await refundDueInvoices(services);
    const { money, refundTrouble } = await day.invoice();
    assertEquals([money, refundTrouble], ["refund_failed", "refund_came_back"]);
    assertEquals(control.objects("refund").length, made);
    const failed = await services.store.listFailedRefunds({ limit: 9 });
    assertEquals(failed.map(({ id }) => id), [invoiceId]);
    await sendAlerts(services, []);
    assertEquals(await alertsOf(services), ["failed", "over", "failed"]);
  });
}
