/**
 * More than a review names or reads: no list of small sales hides a payout that
 * was paid, and what stays hidden is not paid again.
 */
import { assert, assertEquals } from "@std/assert";
import { HOUR_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  readReview,
  REVIEW_BOUNDS,
} from "../../../domain/release/read_review.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import {
  EARNED_CENTS,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

/** Sales before and after the payout, which is in the middle of every list. */
const SALES = 3;
const BOUNDS = { invoices: 9, movements: 9, disputes: 9, items: 2 };

/** Figures that were sold, a payout, and figures again. */
async function payAndSell(day: PayoutWorld): Promise<void> {
  const { world } = day;
  world.clock.advance(HOUR_MS);
  for (let nth = 0; nth < SALES; nth++) await sellFigures(day, -nth);
  world.clock.advance(HOUR_MS);
  await day.ask();
  await day.send();
  world.clock.advance(HOUR_MS);
  for (let nth = 0; nth < SALES; nth++) await sellFigures(day, nth);
}

async function sellFigures({ world }: PayoutWorld, nth: number): Promise<void> {
  await world.stripe.paymentIntents.create({
    amount: 100,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    metadata: { purpose: "metrics", payment_id: `lost_${nth}` },
  });
}

Deno.test("a review that can't name everything names what the release adopts", async () => {
  await using day = await openPayoutWorld();
  const backup = await backupOf(day.world);
  await payAndSell(day);
  await using into = await openTestStore({ clock: day.world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(day.world, into);
  const hold = await services.store.holds.find();
  assert(hold !== null);
  const items = await readReview(services, hold, BOUNDS);
  assertEquals(items.map(({ kind }) => kind), [
    "not_all_read",
    "figures_unknown",
    "transfer_to_book",
  ]);
  const more = await readReview(services, hold, { ...BOUNDS, items: 5 });
  assertEquals(more.length, 1 + 5);
});

Deno.test("a payout of which the release did not hear is booked before the partner is paid again", async () => {
  await using day = await openPayoutWorld();
  const backup = await backupOf(day.world);
  await payAndSell(day);
  await using into = await openTestStore({ clock: day.world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(day.world, into);
  await endHold(services);
  day.world.clock.advance(HOUR_MS);
  const asked = await day.ask(services);
  await day.send(services);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await services.store.payouts.find(asked))?.state, "canceled");
  const balance = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals([balance?.payableCents, balance?.paidCents], [0, EARNED_CENTS]);
});

Deno.test("nobody is paid by a restored store while the processor does not say what was paid before", async () => {
  await using day = await openPayoutWorld();
  const backup = await backupOf(day.world);
  await payAndSell(day);
  await using into = await openTestStore({ clock: day.world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(day.world, into);
  await endHold(services);
  day.world.clock.advance(HOUR_MS);
  const asked = await day.ask(services);
  const deaf = {
    ...services,
    processor: {
      ...services.processor,
      listTransfers: () => Promise.reject(new ProcessorUncertain("silent")),
    },
  };
  await day.send(deaf);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  const payout = await services.store.payouts.find(asked);
  assertEquals([payout?.state, payout?.trouble], [
    "requested",
    "processor_uncertain",
  ]);
});

Deno.test("what one release does not come to is not called impossible, and the next one takes it over", async () => {
  await using day = await openPayoutWorld();
  const { world, destination } = day;
  const backup = await backupOf(world);
  world.clock.advance(HOUR_MS);
  for (let nth = 0; nth < 6; nth++) {
    await world.stripe.transfers.create({
      amount: 1_000,
      currency: "eur",
      destination,
      metadata: { payout_id: `po_lost_${nth}`, account_id: PARTNER_ID },
    });
  }
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  // What the release itself is to adopt can't be noted away.
  const { data } = await world.stripe.transfers.list();
  const transfers = data.map(({ id }) => `transfer_to_book:${id}`);
  const acknowledged = ["not_all_read:items", ...transfers];
  const release = () =>
    releaseStore(services, { acknowledged }, { ...BOUNDS, items: 1 });
  const first = await release();
  assertEquals([first.adopted.length, first.left.map(({ kind }) => kind)], [
    4,
    ["transfer_to_book"],
  ]);
  const second = await release();
  assertEquals([second.adopted.length, second.left], [2, []]);
  const balance = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals(balance?.paidCents, 6_000);
});

Deno.test("all that an operator took note of stays written down, however much it was", async () => {
  await using day = await openPayoutWorld();
  const { world } = day;
  const backup = await backupOf(world);
  world.clock.advance(HOUR_MS);
  const sold = REVIEW_BOUNDS.items + 1;
  for (let nth = 0; nth < sold; nth++) await sellFigures(day, nth);
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { items } = await reviewHold(services);
  const acknowledged = items.map(itemId);
  const { hold } = await releaseStore(services, { acknowledged });
  assertEquals(hold?.acknowledged, acknowledged);
  assertEquals(acknowledged.length, sold);
});
