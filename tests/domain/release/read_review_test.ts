/** What a review looks at, and how it tells things apart. */
import { assert, assertEquals } from "@std/assert";
import { addDays, DAY_MS, HOUR_MS, startOfDayMs } from "../../../domain/day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { readReview } from "../../../domain/release/read_review.ts";
import { reviewHold } from "../../../domain/release/release_store.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { openPaidDay } from "../../support/paid_day.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("a review looks from a day before the backup on, or before the first day that is not settled, until a day from now", async () => {
  await using day = await openPaidDay();
  const { clock } = day.world;
  clock.set(`${addDays(AUCTION_DAY, 1)}T00:10:00.000Z`);
  await advanceAuctions(day.world.services);
  clock.set(`${addDays(AUCTION_DAY, 3)}T12:00:00.000Z`);
  const spans: { from: number; until: number }[] = [];
  const { services } = day.world.another((real) => ({
    ...real,
    listInvoices(span, ...given) {
      spans.push(span);
      return real.listInvoices(span, ...given);
    },
  }));
  const fromOf = async (backupAtMs: number | null) => {
    await readReview(services, { backupAtMs, acknowledged: [] });
    const span = spans.at(-1);
    assertEquals(span?.until, clock.now() + DAY_MS);
    return span?.from;
  };
  const now = clock.now();
  // The auction day is settled, and none after it.
  const unsettledMs = startOfDayMs(addDays(AUCTION_DAY, 1));
  assertEquals(await fromOf(now - HOUR_MS), unsettledMs - DAY_MS);
  await advanceAuctions(services);
  assertEquals(await fromOf(now - DAY_MS), now - 2 * DAY_MS);
  // As backups of old, which don't say when they were made.
  assertEquals(await fromOf(null), now - 61 * DAY_MS);
});

for (const kind of ["inquiry", "chargeback"] as const) {
  Deno.test(`a review names what became of a bank's ${kind} that was opened long before the backup`, async () => {
    await using day = await openPaidDay();
    const { world } = day;
    const { clock, services, simulator: { control } } = world;
    const { paymentId } = await day.invoice();
    const { id } = control.disputes.open(paymentId ?? "", { kind });
    await syncDispute(services, id);
    clock.set(`${addDays(AUCTION_DAY, 9)}T12:00:00.000Z`);
    await advanceAuctions(services);
    const backup = await backupOf(world);
    clock.advance(HOUR_MS);
    control.disputes.turn(id, kind === "inquiry" ? "escalated" : "won");
    await using into = await openTestStore({ clock });
    await restoreInto(into, backup);
    const { items } = await reviewHold(gatedOver(world, into));
    assertEquals(items, [{ kind: "dispute_to_book", disputeId: id }]);
  });
}

Deno.test("a review names a bank's inquiry since the backup, though no money moved", async () => {
  await using day = await openPaidDay();
  const { world } = day;
  const { control } = world.simulator;
  const { paymentId } = await day.invoice();
  const backup = await backupOf(world);
  world.clock.advance(HOUR_MS);
  const { id } = control.disputes.open(paymentId ?? "", { kind: "inquiry" });
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const { items } = await reviewHold(gatedOver(world, into));
  assertEquals(items, [{ kind: "dispute_to_book", disputeId: id }]);
});

Deno.test("a review names every movement of a payment that is of nothing here", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  const { id } = await world.stripe.paymentIntents.create({
    amount: 500,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
  });
  await world.stripe.refunds.create({ payment_intent: id });
  await restoreInto(into, backup);
  const { items } = await reviewHold(gatedOver(world, into));
  assertEquals(items.map(({ kind }) => kind), [
    "movement_unknown",
    "movement_unknown",
  ]);
  assert(items.every((item) => "paymentId" in item && item.paymentId === id));
});
