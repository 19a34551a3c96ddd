/** A process that slept while it sent a payout, as a machine that was suspended. */
import { assertEquals } from "@std/assert";
import { HOUR_MS } from "../../../domain/day.ts";
import { sendPayouts } from "../../../domain/partners/send_payouts.ts";
import { atCommit, BEGINS } from "../../support/at_commit.ts";
import { EARNED_CENTS, openPayoutWorld } from "../../support/payout_world.ts";

/** Longer than the processor remembers the keys of calls. */
const KEYS_FORGOTTEN_MS = 26 * HOUR_MS;
Deno.test("a process that slept over the life of its key sends no payout that another has sent meanwhile", async () => {
  await using day = await openPayoutWorld();
  const { services, clock } = day.world;
  await day.ask();
  const sleeping = atCommit(services, "after", BEGINS, async () => {
    clock.advance(2 * HOUR_MS);
    await day.send();
    assertEquals(day.transfers(), [EARNED_CENTS]);
    clock.advance(KEYS_FORGOTTEN_MS);
  });
  await sendPayouts(sleeping);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await day.payout()).state, "paid");
  await day.checkBooks();
});

Deno.test("a process that slept before anybody else came sends the payout at its next turn, once", async () => {
  await using day = await openPayoutWorld();
  const { services, clock } = day.world;
  await day.ask();
  const sleeping = atCommit(services, "after", BEGINS, () => {
    clock.advance(KEYS_FORGOTTEN_MS);
    return Promise.resolve();
  });
  await sendPayouts(sleeping);
  assertEquals((await day.payout()).state, "sending");
  clock.advance(HOUR_MS);
  await day.send();
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});
