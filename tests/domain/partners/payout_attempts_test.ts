import { assert, assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { PAYOUT_MIN_CENTS } from "../../../domain/partners/limits.ts";
import { PAYOUT_LEASE_MS } from "../../../domain/partners/payout.ts";
import { sendPayout } from "../../../domain/partners/send_payout.ts";
import { syncTransfer } from "../../../domain/partners/sync_transfer.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import {
  EARNED_CENTS,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { refusalOf } from "../../support/refused.ts";
import { putOnHold } from "../../support/restored_world.ts";

/** Asks for a payout whose first worker has a processor of its own. */
async function sendBy(
  day: PayoutWorld,
  processor: (real: Processor) => Partial<Processor>,
): Promise<string> {
  const payoutId = await day.ask();
  const worker = day.world.another((real) => ({ ...real, ...processor(real) }));
  await sendPayout(worker.services, { payoutId });
  return payoutId;
}

/** What was logged of an event. */
function logged(
  { world }: PayoutWorld,
  event: string,
): Record<string, unknown>[] {
  return world.log.lines.map((line) => JSON.parse(line))
    .filter((each) => each.event === event);
}

Deno.test("after each answer that says nothing a payout waits twice as long, from a minute on", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  day.failTransfers("rate_limit", { method: "GET", times: 9 });
  await day.ask();
  for (const [nth, pauseMs] of [MINUTE_MS, 2 * MINUTE_MS].entries()) {
    await day.send();
    const { state, attempts, trouble, dueAtMs } = await day.payout();
    assertEquals([state, attempts], ["requested", nth + 1]);
    assertEquals(trouble, "processor_uncertain");
    assertEquals(dueAtMs - clock.now(), pauseMs);
    clock.advance(pauseMs);
  }
});

Deno.test("a payout that our balance does not cover is tried every hour, under another key each time", async () => {
  await using day = await openPayoutWorld({ fundsCents: 0 });
  const { clock } = day.world;
  await day.ask();
  const askedAtMs = clock.now();
  for (const refusals of [1, 2]) {
    await day.send();
    const payout = await day.payout();
    assertEquals([payout.state, payout.refusals], ["requested", refusals]);
    assertEquals(payout.dueAtMs - clock.now(), HOUR_MS);
    clock.advance(HOUR_MS);
  }
  clock.set(askedAtMs + 7 * DAY_MS - 1);
  await day.send();
  assertEquals((await day.payout()).state, "requested");
  clock.advance(HOUR_MS);
  await day.send();
  assertEquals((await day.payout()).state, "failed");
  const told = logged(day, "payout.refused").map(({ state }) => state);
  assertEquals(told, ["requested", "requested", "requested", "failed"]);
});

Deno.test("no payout is sent while the store is on hold", async () => {
  await using day = await openPayoutWorld();
  await day.ask();
  await putOnHold(day.world.services);
  await day.send();
  const { state, attempts } = await day.payout();
  assertEquals([state, attempts], ["requested", 0]);
  assertEquals(day.transfers(), []);
});

Deno.test("a refused payout fails also where its account can't be looked at, which is logged", async () => {
  await using day = await openPayoutWorld();
  const { simulator: { control } } = day.world;
  control.partners.turn(day.destination, "bank_refused");
  await sendBy(day, () => ({
    retrievePartnerAccount: () => Promise.reject(new ProcessorUncertain("no")),
  }));
  assertEquals((await day.payout()).state, "failed");
  const [look] = logged(day, "partner.sync_failed");
  assertEquals(look?.error, "ProcessorUncertain");
});

Deno.test("a worker that was slow to look for a transfer sends nothing once another has the payout", async () => {
  await using day = await openPayoutWorld({ fundsCents: 0 });
  const { services, clock, simulator } = day.world;
  await sendBy(day, (real) => ({
    async findTransfer(group) {
      const none = await real.findTransfer(group);
      clock.advance(PAYOUT_LEASE_MS + 1);
      await sendPayout(services, { payoutId: group });
      simulator.control.partners.topUp(EARNED_CENTS);
      return none;
    },
  }));
  assertEquals(day.transfers(), []);
  const { attempts, refusals, trouble } = await day.payout();
  assertEquals([attempts, refusals, trouble], [2, 1, "balance_insufficient"]);
  assertEquals(logged(day, "payout.not_sent").length, 1);
});

Deno.test("a worker whose lease ends between its commit and its call sends nothing, to the millisecond", async () => {
  for (const leftMs of [0, 1]) {
    await using day = await openPayoutWorld();
    const { services, clock } = day.world;
    const payoutId = await day.ask();
    const { store } = services;
    const slow: typeof store = {
      ...store,
      async transact(work) {
        const ended = await store.transact(work);
        const payout = await store.payouts.find(payoutId);
        if (payout?.sentAtMs === clock.now()) {
          clock.set(payout.dueAtMs - leftMs);
        }
        return ended;
      },
    };
    await sendPayout({ ...services, store: slow }, { payoutId });
    assertEquals(day.transfers(), leftMs === 0 ? [] : [EARNED_CENTS]);
    const { state } = await day.payout();
    assertEquals(state, leftMs === 0 ? "sending" : "paid");
  }
});

Deno.test("a payout without an answer for a day is asked for again while its partner may be paid", async () => {
  await using day = await openPayoutWorld();
  const { clock } = day.world;
  await day.ask();
  day.failTransfers("reset_before_effect");
  await day.send();
  clock.advance(DAY_MS);
  await day.send();
  assertEquals((await day.payout()).state, "paid");
  assertEquals(day.transfers(), [EARNED_CENTS]);
});

Deno.test("a worker whose call fails after another took the payout leaves it as that one has it", async () => {
  await using day = await openPayoutWorld({ fundsCents: 0 });
  const { services, clock } = day.world;
  let left: unknown;
  await sendBy(day, () => ({
    async createTransfer({ group }) {
      clock.advance(PAYOUT_LEASE_MS + 1);
      await sendPayout(services, { payoutId: group });
      left = await day.payout();
      throw new ProcessorUncertain("the connection was lost");
    },
  }));
  assertEquals(await day.payout(), left);
});

Deno.test("a transfer that an event told of first ends the attempt, whatever its call answers", async () => {
  await using day = await openPayoutWorld();
  const { services } = day.world;
  let paid: unknown;
  const payoutId = await sendBy(day, (real) => ({
    async createTransfer(...given) {
      const made = await real.createTransfer(...given);
      assert(made.ok);
      await syncTransfer(services, made.value.id);
      paid = await day.payout();
      throw new ProcessorUncertain("the answer was lost");
    },
  }));
  const payout = await day.payout();
  assertEquals(payout, paid);
  assertEquals([payout.state, payout.trouble], ["paid", null]);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  // Nothing is left to do for anybody.
  await sendPayout(services, { payoutId });
  assertEquals(day.transfers(), [EARNED_CENTS]);
});

Deno.test("a transfer that turns up between the look and the call is recorded, and no other is sent", async () => {
  await using day = await openPayoutWorld();
  const { services } = day.world;
  await sendBy(day, (real) => ({
    async findTransfer(group) {
      const none = await real.findTransfer(group);
      const { id, partnerId, throughMonth, requestedAtMs } = await day.payout();
      const made = await real.createTransfer({
        group,
        destination: day.destination,
        amountCents: EARNED_CENTS,
        metadata: {
          payout_id: id,
          account_id: partnerId,
          through_month: throughMonth,
          requested_at_ms: String(requestedAtMs),
        },
      }, "of another process");
      assert(made.ok);
      await syncTransfer(services, made.value.id);
      return none;
    },
  }));
  assertEquals((await day.payout()).state, "paid");
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals(logged(day, "payout.not_sent").length, 1);
  await day.checkBooks();
});

Deno.test("an event that comes again changes nothing, and is not logged again", async () => {
  await using day = await openPayoutWorld();
  const { services, simulator } = day.world;
  await day.ask();
  await day.send();
  const { transferId } = await day.payout();
  assert(transferId !== null);
  await syncTransfer(services, transferId);
  assertEquals(logged(day, "payout.paid").length, 1);
  simulator.control.partners.reverse(transferId, 2_000);
  await syncTransfer(services, transferId);
  await syncTransfer(services, transferId);
  assertEquals(logged(day, "payout.returned").length, 1);
});

Deno.test("a transfer beside that of a paid payout is left to the nightly comparison", async () => {
  await using day = await openPayoutWorld();
  const { services } = day.world;
  await day.ask();
  await day.send();
  const before = [await day.payout(), await day.balance()];
  const { id, partnerId } = await day.payout();
  const made = await services.processor.createTransfer({
    group: "by hand",
    destination: day.destination,
    amountCents: EARNED_CENTS,
    metadata: { payout_id: id, account_id: partnerId },
  }, "by hand");
  assert(made.ok);
  day.world.simulator.control.partners.reverse(made.value.id, 2_000);
  await syncTransfer(services, made.value.id);
  assertEquals([await day.payout(), await day.balance()], before);
});

Deno.test("a payout is refused while one is open, below the least amount, and to who is signed out", async () => {
  await using day = await openPayoutWorld();
  const { store } = day.world.services;
  await day.ask();
  const open = await refusalOf(() => day.ask());
  assertEquals(open, { code: "payout_refused", why: "open" });
  await day.send();

  const payable = async (payableCents: number) => {
    const balance = await day.balance();
    await store.transact((tx) =>
      tx.partnerBalances.save({ ...balance, payableCents })
    );
  };
  await payable(PAYOUT_MIN_CENTS - 1);
  const little = await refusalOf(() => day.ask());
  assertEquals(little, { code: "payout_refused", why: "too_little" });
  await payable(PAYOUT_MIN_CENTS);
  await store.transact(async (tx) => {
    const session = await tx.sessions.find("session-in-the-store");
    if (session !== null) tx.sessions.remove(session);
  });
  assertEquals((await refusalOf(() => day.ask()))?.code, "session_missing");
  assertEquals((await store.listPayouts(PARTNER_ID, { limit: 9 })).length, 1);
});

Deno.test("a payout of the least amount is made", async () => {
  await using day = await openPayoutWorld();
  const { store } = day.world.services;
  const balance = await day.balance();
  await store.transact((tx) =>
    tx.partnerBalances.save({ ...balance, payableCents: PAYOUT_MIN_CENTS })
  );
  await day.ask();
  assertEquals((await day.payout()).amountCents, PAYOUT_MIN_CENTS);
});
