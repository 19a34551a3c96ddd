/** Payouts of an account that an operator has suspended. */
import { assertEquals } from "@std/assert";
import {
  liftSuspension,
  suspendAccount,
} from "../../../domain/accounts/suspend_account.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/day.ts";
import { setUpAccount } from "../../../domain/partners/set_up_account.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import {
  EARNED_CENTS,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import { refusalOf } from "../../support/refused.ts";
import { byBrowser } from "../../support/sessions.ts";

const ORDER = {
  accountId: PARTNER_ID,
  by: { kind: "operator_key" },
  reason: "We look into it",
  about: null,
} as const;

function suspend({ world }: PayoutWorld): Promise<unknown> {
  return suspendAccount(world.services, ORDER);
}

function lift({ world }: PayoutWorld): Promise<unknown> {
  return liftSuspension(world.services, ORDER);
}

Deno.test("a suspended partner goes on earning and is paid nothing until the suspension is lifted", async () => {
  await using day = await openPayoutWorld();
  await suspend(day);
  const held = { code: "payout_refused", why: "suspended" };
  assertEquals<unknown>(await refusalOf(() => day.ask()), held);
  await day.takeBack(-1_000);
  const { months } = await day.balance();
  assertEquals(months.map(({ earnedCents }) => earnedCents), [1_000]);
  await lift(day);
  await day.ask();
  await day.send();
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("a payout that was asked for before a suspension is called off unless the processor may know of it", async () => {
  await using day = await openPayoutWorld();
  await day.ask();
  await suspend(day);
  await day.send();
  const { state, trouble, sentAtMs } = await day.payout();
  assertEquals([state, trouble, sentAtMs], [
    "canceled",
    "suspended",
    undefined,
  ]);
  const { openPayoutId, payableCents } = await day.balance();
  assertEquals([openPayoutId, payableCents], [null, EARNED_CENTS]);
  day.world.clock.advance(DAY_MS);
  await day.send();
  assertEquals(day.transfers(), []);
  await lift(day);
  await day.ask();
  day.failTransfers("reset_after_effect");
  await day.send();
  await suspend(day);
  day.world.clock.advance(DAY_MS);
  await day.send();
  assertEquals((await day.payout()).state, "paid");
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("a payout that waits for cover is called off once its partner is suspended", async () => {
  await using day = await openPayoutWorld({ fundsCents: 0 });
  await day.ask();
  await day.send();
  await suspend(day);
  day.world.simulator.control.partners.topUp(EARNED_CENTS);
  day.world.clock.advance(HOUR_MS);
  await day.send();
  const { state, trouble } = await day.payout();
  assertEquals([state, trouble], ["canceled", "suspended"]);
  assertEquals(day.transfers(), []);
  assertEquals((await day.balance()).payableCents, EARNED_CENTS);
  await day.checkBooks();
});

Deno.test("a payout of which the processor has heard nothing for a day is called off once its partner is suspended, and none is before", async () => {
  for (const afterMs of [DAY_MS - 1, DAY_MS]) {
    await using day = await openPayoutWorld();
    const { clock } = day.world;
    await day.ask();
    day.failTransfers("reset_before_effect");
    await day.send();
    await suspend(day);
    clock.advance(afterMs);
    await day.send();
    const isOver = afterMs === DAY_MS;
    const { state } = await day.payout();
    assertEquals(state, isOver ? "canceled" : "paid");
    assertEquals(day.transfers(), isOver ? [] : [EARNED_CENTS]);
    await day.checkBooks();
  }
});

Deno.test("a payout that was asked of the processor within the day is not called off, however long ago it began", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  await day.ask();
  day.failTransfers("reset_before_effect", { times: 2 });
  await day.send();
  await suspend(day);
  clock.advance(DAY_MS - HOUR_MS);
  await day.send();
  assertEquals((await day.payout()).trouble, "processor_uncertain");
  clock.advance(2 * HOUR_MS);
  await day.send();
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("a transfer that was made a day ago is booked, whoever is suspended by then", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  await day.ask();
  day.failTransfers("reset_after_effect");
  await day.send();
  await suspend(day);
  day.failTransfers("rate_limit", { method: "GET" });
  clock.advance(DAY_MS);
  await day.send();
  assertEquals((await day.payout()).state, "sending", "nobody knows yet");
  clock.advance(HOUR_MS);
  await day.send();
  assertEquals((await day.payout()).state, "paid");
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("nobody is led to where a suspended partner's bank is changed", async () => {
  await using day = await openPayoutWorld();
  await suspend(day);
  const by = byBrowser(PARTNER_ID);
  const setUp = () =>
    setUpAccount(day.world.services, {
      partnerId: PARTNER_ID,
      by,
      country: null,
    });
  const held = { code: "payout_refused", why: "suspended" };
  assertEquals<unknown>(await refusalOf(setUp), held);
  await lift(day);
  assertEquals(await refusalOf(setUp), null);
});
