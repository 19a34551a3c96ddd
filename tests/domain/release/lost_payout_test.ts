/**
 * Payouts that were paid after the backup: whatever the backup says of the
 * partner, each is booked, none is paid again, and none keeps a store on hold.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { HOUR_MS } from "../../../domain/day.ts";
import { StoreOnHold } from "../../../domain/failure.ts";
import { syncAccount } from "../../../domain/partners/sync_account.ts";
import { syncTransfer } from "../../../domain/partners/sync_transfer.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import {
  EARNED_CENTS,
  EARNED_IN,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const NOTHING = { acknowledged: [] };

/** The restored service, on hold. */
async function restored(
  { world }: PayoutWorld,
  backup: Uint8Array<ArrayBuffer>,
  into: TestStore,
): Promise<Services> {
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** Asks for a payout and sends it; answers its transfer. */
async function pay(day: PayoutWorld): Promise<string> {
  day.world.clock.advance(HOUR_MS);
  await day.ask();
  await day.send();
  const { state, transferId } = await day.payout();
  assert(state === "paid" && transferId !== null);
  return transferId;
}

/** Has the partner's bank refuse a payout that waits, and take the next one. */
async function refuse(day: PayoutWorld): Promise<void> {
  const { services, clock, simulator: { control } } = day.world;
  control.partners.turn(day.destination, "bank_refused");
  clock.advance(HOUR_MS);
  await day.send();
  assertEquals((await day.payout()).state, "failed");
  control.partners.turn(day.destination, "complete");
  await syncAccount(services, day.destination);
}

/** The store is released by itself, and the partner was paid once. */
async function assertPaidOnce(
  day: PayoutWorld,
  services: Services,
  states: readonly string[],
): Promise<void> {
  const { hold, left } = await releaseStore(services, NOTHING);
  assertEquals(left, []);
  assert(hold !== null && hold.releasedAtMs !== null);
  day.world.clock.advance(25 * HOUR_MS);
  await day.send(services);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  const balance = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals([balance?.paidCents, balance?.requestedCents], [
    EARNED_CENTS,
    0,
  ]);
  assertEquals(balance?.openPayoutId, null);
  const payouts = await services.store.listPayouts(PARTNER_ID, { limit: 9 });
  assertEquals(payouts.map(({ state }) => state), states);
}

Deno.test("nobody asks for a payout while the store is on hold: it may have been paid since the backup", async () => {
  await using day = await openPayoutWorld();
  const backup = await backupOf(day.world);
  await pay(day);
  await using into = await openTestStore({ clock: day.world.clock });
  const services = await restored(day, backup, into);
  await assertRejects(() => day.ask(services), StoreOnHold);
  await assertPaidOnce(day, services, ["paid"]);
  const balance = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals(balance?.payableCents, 0);
  const [booked] = await services.store.listPayouts(PARTNER_ID, { limit: 9 });
  const lost = await day.payout();
  assertEquals([booked?.throughMonth, booked?.requestedAtMs], [
    EARNED_IN,
    lost.requestedAtMs,
  ]);
});

for (const state of ["requested", "sending"] as const) {
  Deno.test(`a payout that is ${state} in the backup, and had failed when a later one was paid, ends with the release and is not sent`, async () => {
    await using day = await openPayoutWorld();
    await day.ask();
    if (state === "sending") {
      day.failTransfers("rate_limit");
      await day.send();
    }
    assertEquals((await day.payout()).state, state);
    const backup = await backupOf(day.world);
    await refuse(day);
    await pay(day);
    await using into = await openTestStore({ clock: day.world.clock });
    const services = await restored(day, backup, into);
    const ended = state === "sending" ? "failed" : "canceled";
    await assertPaidOnce(day, services, [ended, "paid"]);
  });
}

Deno.test("a payout that is open in the backup and was paid is booked before the one that was paid after it", async () => {
  await using day = await openPayoutWorld();
  const { services: lost, simulator: { control } } = day.world;
  await day.ask();
  const backup = await backupOf(day.world);
  await day.send();
  const { transferId: first } = await day.payout();
  assert(first !== null);
  // All of it comes back, so that another is asked for.
  control.partners.reverse(first);
  await syncTransfer(lost, first);
  const second = await pay(day);
  await using into = await openTestStore({ clock: day.world.clock });
  const services = await restored(day, backup, into);
  await syncTransfer(services, second);
  const payouts = await services.store.listPayouts(PARTNER_ID, { limit: 9 });
  assertEquals(payouts.map((each) => [each.state, each.transferId]), [
    ["returned", first],
    ["paid", second],
  ]);
  const { left } = await releaseStore(services, NOTHING);
  assertEquals(left, []);
});

Deno.test("a payout of a partner whose balance the backup does not have makes a debt, which what is counted later makes up", async () => {
  await using day = await openPayoutWorld();
  const { services: lost } = day.world;
  const balance = await day.balance();
  await lost.store.transact((tx) => tx.partnerBalances.remove(balance));
  const backup = await backupOf(day.world);
  await lost.store.transact((tx) => tx.partnerBalances.save(balance));
  await pay(day);
  await using into = await openTestStore({ clock: day.world.clock });
  const services = await restored(day, backup, into);
  await assertPaidOnce(day, services, ["paid"]);
  const debt = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals(debt?.payableCents, -EARNED_CENTS);
});

Deno.test("a payout that is asked for before the store hears of the one it has lost is not sent", async () => {
  await using day = await openPayoutWorld();
  const backup = await backupOf(day.world);
  const transfer = await pay(day);
  await using into = await openTestStore({ clock: day.world.clock });
  const services = await restored(day, backup, into);
  await endHold(services);
  day.world.clock.advance(HOUR_MS);
  const asked = await day.ask(services);
  await syncTransfer(services, transfer);
  const between = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals(between?.openPayoutId, asked);
  assertEquals(between?.payableCents, -EARNED_CENTS);
  await day.send(services);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await services.store.payouts.find(asked))?.state, "canceled");
  const after = await services.store.partnerBalances.find(PARTNER_ID);
  assertEquals([after?.payableCents, after?.paidCents], [0, EARNED_CENTS]);
});
