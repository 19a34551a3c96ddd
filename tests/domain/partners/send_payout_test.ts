import { assert, assertEquals } from "@std/assert";
import { sendPayout } from "../../../domain/partners/send_payout.ts";
import { PAYOUT_LEASE_MS } from "../../../domain/partners/payout.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  EARNED_CENTS,
  EARNED_IN,
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { refusalOf } from "../../support/refused.ts";
import { openTestStore } from "../../support/store.ts";

const HOUR_MS = 3_600_000;

/** As often as an hour's retries, until nothing is under way any more. */
async function untilDecided(day: PayoutWorld, hours = 30): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    if ((await day.balance()).openPayoutId === null) return;
    day.world.clock.advance(HOUR_MS);
    await day.send();
  }
}

Deno.test("a payout is sent once: reserved with the request, paid, booked, and told of", async () => {
  await using day = await openPayoutWorld();
  const id = await day.ask();
  const asked = await day.balance();
  assertEquals([asked.payableCents, asked.requestedCents], [0, EARNED_CENTS]);
  await day.checkBooks();
  await day.send();
  const payout = await day.payout();
  assertEquals([payout.id, payout.state], [id, "paid"]);
  assertEquals(payout.paidAtMs, day.world.clock.now());
  const paid = await day.balance();
  assertEquals([paid.requestedCents, paid.paidCents], [0, EARNED_CENTS]);
  assertEquals(paid.paidThrough, EARNED_IN);
  await day.send();
  day.world.clock.advance(DAY_MS);
  await day.send();
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
  const { store } = day.world.services;
  const events = await store.listEvents(PARTNER_ID, { limit: 9, after: 0 });
  assertEquals(events.map(({ type, data }) => ({ type, data })), [
    { type: "payout.paid", data: { payout_id: id } },
  ]);
});

Deno.test("a payout that the processor refuses fails, is payable again, and its account is looked at", async () => {
  await using day = await openPayoutWorld();
  await day.ask();
  day.world.simulator.control.partners.turn(day.destination, "bank_refused");
  await day.send();
  const { state, trouble } = await day.payout();
  assertEquals(
    [state, trouble],
    ["failed", "insufficient_capabilities_for_transfer"],
  );
  const { payableCents, openPayoutId } = await day.balance();
  assertEquals([payableCents, openPayoutId], [EARNED_CENTS, null]);
  const { store } = day.world.services;
  const partner = await store.partners.find(PARTNER_ID);
  assertEquals(partner?.connectedAccount?.payoutsEnabled, false);
  assertEquals((await store.accounts.find(PARTNER_ID))?.partner, false);
  const refused = await refusalOf(() => day.ask());
  assertEquals(refused?.code, "partner_required");
  day.world.simulator.control.partners.turn(day.destination, "complete");
  await day.checkBooks();
});

Deno.test("a payout waits until our balance covers it, and fails after a week in which it did not", async () => {
  await using day = await openPayoutWorld({ fundsCents: 0 });
  const { control } = day.world.simulator;
  await day.ask();
  await day.send();
  assertEquals((await day.payout()).trouble, "balance_insufficient");
  await untilDecided(day, 3);
  assertEquals((await day.payout()).state, "requested");
  control.partners.topUp(EARNED_CENTS);
  await untilDecided(day, 2);
  assertEquals((await day.payout()).state, "paid");
  await day.checkBooks();

  await using poor = await openPayoutWorld({ fundsCents: 0 });
  await poor.ask();
  await poor.send();
  poor.world.clock.advance(7 * DAY_MS);
  await poor.send();
  assertEquals((await poor.payout()).state, "failed");
  assertEquals((await poor.balance()).payableCents, EARNED_CENTS);
  assertEquals(poor.transfers(), []);
});

const UNCERTAIN: [kind: FaultKind, more: { saved?: boolean }][] = [
  ["error_after_effect", {}],
  ["error_before_effect", {}],
  ["error_before_effect", { saved: false }],
  ["reset_after_effect", {}],
  ["reset_before_effect", {}],
  ["lock_timeout", {}],
  ["rate_limit", {}],
];

for (const [kind, more] of UNCERTAIN) {
  const name = more.saved === false ? `${kind}, not saved` : kind;
  Deno.test(`an uncertain answer is looked into and never guessed: ${name}`, async () => {
    await using day = await openPayoutWorld();
    day.failTransfers(kind, more);
    await day.ask();
    await day.send();
    const { state, trouble } = await day.payout();
    assertEquals([state, trouble], ["sending", "processor_uncertain"]);
    assertEquals((await day.balance()).requestedCents, EARNED_CENTS);
    await untilDecided(day);
    assertEquals((await day.payout()).state, "paid");
    assertEquals(day.transfers(), [EARNED_CENTS]);
    await day.checkBooks();
  });
}

Deno.test("a processor that does not even say what there is leaves the payout as it was asked for", async () => {
  await using day = await openPayoutWorld();
  day.failTransfers("rate_limit", { method: "GET", times: 2 });
  await day.ask();
  await day.send();
  assertEquals((await day.payout()).state, "requested");
  await untilDecided(day);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  await day.checkBooks();
});

Deno.test("what was taken back after the request is not sent; too much of it cancels the payout", async () => {
  await using less = await openPayoutWorld();
  await less.ask();
  await less.takeBack(1_000);
  await less.send();
  // In whole steps, so that it does not tell how much was taken back.
  assertEquals(less.transfers(), [10_000]);
  assertEquals((await less.balance()).payableCents, 2_000);
  await less.checkBooks();

  await using none = await openPayoutWorld();
  await none.ask();
  await none.takeBack(EARNED_CENTS);
  await none.send();
  assertEquals((await none.payout()).state, "canceled");
  assertEquals(none.transfers(), []);
  await none.checkBooks();
});

Deno.test("what is taken back while a payout waits for cover is not sent either", async () => {
  await using less = await openPayoutWorld({ fundsCents: 0 });
  await less.ask();
  await less.send();
  await less.takeBack(1_000);
  less.world.simulator.control.partners.topUp(EARNED_CENTS);
  await untilDecided(less, 1);
  assertEquals(less.transfers(), [10_000]);
  assertEquals((await less.balance()).payableCents, 2_000);
  await less.checkBooks();

  await using none = await openPayoutWorld({ fundsCents: 0 });
  await none.ask();
  await none.send();
  await none.takeBack(EARNED_CENTS);
  none.world.simulator.control.partners.topUp(EARNED_CENTS);
  await untilDecided(none, 1);
  assertEquals((await none.payout()).state, "canceled");
  assertEquals(none.transfers(), []);
  await none.checkBooks();
});

Deno.test("two isolates that send at once make one transfer", async () => {
  await using day = await openPayoutWorld();
  const payoutId = await day.ask();
  const other = day.world.another();
  await Promise.all([
    sendPayout(day.world.services, { payoutId }),
    sendPayout(other.services, { payoutId }),
  ]);
  await untilDecided(day);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await day.payout()).state, "paid");
  await day.checkBooks();
});

Deno.test("a worker whose lease was over still records its transfer, and the next makes no other", async () => {
  await using day = await openPayoutWorld();
  const payoutId = await day.ask();
  const { services, clock } = day.world;
  let next: Promise<void> | null = null;
  const late = day.world.another((real) => ({
    ...real,
    async createTransfer(...given) {
      const made = await real.createTransfer(...given);
      clock.advance(PAYOUT_LEASE_MS + 1);
      next = sendPayout(services, { payoutId });
      await next;
      return made;
    },
  }));
  await sendPayout(late.services, { payoutId });
  assert(next !== null);
  assertEquals(day.transfers(), [EARNED_CENTS]);
  assertEquals((await day.payout()).state, "paid");
  await day.checkBooks();
});

Deno.test("of two requests at once one is made; a request against a clawback adds up either way", async () => {
  await using day = await openPayoutWorld();
  const other = day.world.another();
  const asked = await Promise.all([
    refusalOf(() => day.ask()),
    refusalOf(() => day.ask(other.services)),
  ]);
  const codes = asked.map((one) => one?.code ?? "made").toSorted();
  assertEquals(codes, ["made", "payout_refused"]);
  await day.checkBooks();

  await using race = await openPayoutWorld();
  const another = race.world.another();
  await Promise.allSettled([
    race.ask(),
    race.takeBack(EARNED_CENTS, another.services),
  ]);
  await race.send();
  assertEquals(race.transfers(), []);
  await race.checkBooks();
});

Deno.test("a process that dies around a call to the processor leaves one transfer", async () => {
  for (let call = 1; call <= 2; call++) {
    for (const when of ["before", "after"] as const) {
      await using day = await openPayoutWorld();
      const payoutId = await day.ask();
      const doomed = day.world.another((real) =>
        crashingProcessor(real, { call, when }, () => doomed.kv.crash())
      );
      await dying(() => sendPayout(doomed.services, { payoutId }));
      assert(doomed.kv.dead);
      await untilDecided(day);
      assertEquals(day.transfers(), [EARNED_CENTS], `${call} ${when}`);
      await day.checkBooks();
    }
  }
});

Deno.test("a process that dies around any commit of a payout leaves one transfer", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    await using day = await openPayoutWorld();
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await dying(async () => {
      const payoutId = await day.ask(doomed.services);
      await sendPayout(doomed.services, { payoutId });
    });
    if ((await day.balance()).openPayoutId === null) {
      await refusalOf(() => day.ask());
    }
    await untilDecided(day);
    assertEquals(day.transfers(), [EARNED_CENTS], JSON.stringify(point));
    await day.checkBooks();
    return doomed.kv.dead;
  });
  assert(deaths >= 8, `${deaths} deaths`);
});

async function dying(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("the store tells of a payout that was asked for, and of no later change", async () => {
  await using day = await openPayoutWorld();
  const told: string[] = [];
  await using test = await openTestStore({
    hooks: { onPayoutsRequested: (ids) => told.push(...ids) },
  });
  await day.ask();
  const payout = await day.payout();
  await test.store.transact((tx) => tx.payouts.save(payout));
  await day.send();
  const paid = await day.payout();
  await test.store.transact((tx) => tx.payouts.save(paid));
  assertEquals(told, [payout.id]);
});
