/**
 * A store that is lost a second time: what the first release left out is still
 * looked for.
 */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS } from "../../../domain/day.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
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
