/**
 * A store that is lost a second time: what the first release left out is still
 * looked for.
 */
import { assert, assertEquals } from "@std/assert";
import { addDays, DAY_MS, HOUR_MS } from "../../../domain/day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcile } from "../../../domain/reconciliation/reconcile.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, PAID_CENTS } from "../../support/paid_day.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { EARNED_CENTS, openPayoutWorld } from "../../support/payout_world.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("a payout that a first release did not hear of is not paid again after a second restore", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  const first = await backupOf(day.world);
  clock.advance(HOUR_MS);
  await day.ask();
  await day.send();
  assertEquals(day.transfers(), [EARNED_CENTS]);
  clock.advance(HOUR_MS);
  await using into = await openTestStore({ clock });
  await restoreInto(into, first);
  await endHold(gatedOver(day.world, into));
  clock.advance(2 * DAY_MS);
  const second = await backupOf({ testStore: into, clock });
  clock.advance(HOUR_MS);
  await using again = await openTestStore({ clock });
  await restoreInto(again, second);
  const services = gatedOver(day.world, again);
  await endHold(services);
  clock.advance(HOUR_MS);
  const asked = await day.ask(services);
  await day.send(services);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await services.store.payouts.find(asked))?.state, "canceled");
  const balance = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals([balance?.payableCents, balance?.paidCents], [0, EARNED_CENTS]);
});

Deno.test("a payout that was made before a store was lost on hold, and again after its release, is not paid again after the third restore", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  const first = await backupOf(day.world);
  clock.advance(HOUR_MS);
  await day.ask();
  await day.send();
  await using into = await openTestStore({ clock });
  await restoreInto(into, first);
  // Lost again while it is on hold, and then once more after a release.
  const onHold = await backupOf({ testStore: into, clock });
  clock.advance(2 * DAY_MS);
  await using second = await openTestStore({ clock });
  await restoreInto(second, onHold);
  await endHold(gatedOver(day.world, second));
  clock.advance(2 * DAY_MS);
  const later = await backupOf({ testStore: second, clock });
  await using third = await openTestStore({ clock });
  await restoreInto(third, later);
  const services = gatedOver(day.world, third);
  const { hold, left } = await releaseStore(services, { acknowledged: [] });
  assert(hold?.releasedAtMs !== null);
  assertEquals(left, []);
  await day.ask(services);
  await day.send(services);
  assertEquals(day.transfers(), [EARNED_CENTS]);
});

Deno.test("a refund by hand and a dispute that two releases did not hear of are found by the nightly comparison, and nothing is given back twice", async () => {
  await using day = await openPaidDay();
  const { world } = day;
  const { services: lost, clock, stripe, simulator: { control } } = world;
  clock.set(`${addDays(AUCTION_DAY, 1)}T02:30:00.000Z`);
  await archiveDocuments(lost);
  await reconcile(lost);
  const first = await backupOf(world);
  clock.advance(HOUR_MS);
  const { id: invoiceId, paymentId } = await day.invoice();
  const payment = paymentId ?? "";
  await stripe.refunds.create({ payment_intent: payment, amount: 250 });
  const { id: disputeId } = control.disputes.open(payment, { amount: 100 });
  await using into = await openTestStore({ clock });
  await restoreInto(into, first);
  await endHold(gatedOver(world, into));
  // Before the first night after it.
  clock.advance(3 * DAY_MS);
  const second = await backupOf({ testStore: into, clock });
  await using again = await openTestStore({ clock });
  await restoreInto(again, second);
  const services = gatedOver(world, again);
  await endHold(services);
  await reconcile(services);
  const { store } = services;
  assertEquals((await store.disputes.find(disputeId))?.heldCents, 100);
  const [, report] = (await store.listReconciliations({ limit: 9 }))
    .toReversed();
  assertEquals(report?.differences.map(({ kind }) => kind), ["not_booked"]);
  control.disputes.turn(disputeId, "won");
  await syncDispute(services, disputeId);
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  const invoice = await store.invoices.find(invoiceId);
  assertEquals(invoice?.money, "refunded");
  assertEquals(control.objects("refund").map(({ amount }) => amount), [
    250,
    PAID_CENTS - 250,
  ]);
});

Deno.test("a refund of which no release heard, and that came back, leaves its credit note with the invoice and in the archive", async () => {
  await using day = await openPaidDay();
  const { world } = day;
  const backup = await backupOf(world);
  world.clock.advance(HOUR_MS);
  await refundSpotlight(world.services, { day: AUCTION_DAY, note: "goodwill" });
  const { refunds, creditNotes: [note] } = await day.invoice();
  const refundId = refunds[0]?.id ?? "";
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await endHold(services);
  world.simulator.control.failRefund(refundId);
  await syncRefund(services, refundId);
  const { id } = await day.invoice();
  const invoice = await services.store.invoices.find(id);
  assertEquals([invoice?.money, invoice?.failedRefunds], [
    "refund_failed",
    [refundId],
  ]);
  assertEquals(invoice?.creditNotes.map(({ number }) => number), [
    note?.number,
  ]);
  const archived = await services.store.archiveTasks.find(note?.number ?? "");
  assertEquals(archived?.documentId, note?.id);
});
