import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

async function oneBidder(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  return world;
}

async function candidateOf({ services }: AuctionWorld) {
  const settlement = await services.store.settlements.find(day);
  return settlement?.candidates[0];
}

/** A payment that was under way, and came a day later at that time. */
async function paidAt(time: string): Promise<AuctionWorld> {
  const world = await oneBidder();
  const { services, clock, simulator: { control } } = world;
  control.addFault({ kind: "processing", method: "POST" });
  await settleDay(services, { day });
  clock.set(`${addDays(day, 1)}T${time}.000Z`);
  const [payment] = control.objects("payment_intent");
  control.resolvePayment(payment?.id ?? "", "succeed");
  return world;
}

Deno.test("a payment that is processing when the day's time on show ends is waited for all the same, and goes back where it comes later", async () => {
  await using world = await oneBidder();
  const { services, clock, simulator: { control } } = world;
  control.addFault({ kind: "processing", method: "POST" });
  await settleDay(services, { day });
  clock.set(`${addDays(day, 1)}T23:55:00.000Z`);
  await settleDay(services, { day, force: true });
  assertEquals((await candidateOf(world))?.step, "paying");
  const [payment] = control.objects("payment_intent");
  control.resolvePayment(payment?.id ?? "", "succeed");
  await settleInTime(world);
  const { spotlight, bids } = await outcomeOfDay(world);
  assertEquals([spotlight, bids], ["house_advertisement", { acc_ada: "void" }]);
  await refundDueInvoices(services);
  const [invoice] = await services.store.listInvoices("acc_ada", { limit: 9 });
  assertEquals(invoice?.money, "refunded");
});

Deno.test("a payment that came after the day's time on show waits while the processor does not tell the time", async () => {
  await using world = await paidAt("23:55:00");
  const untold = world.another((real) => ({
    ...real,
    retrieveClock: () => Promise.resolve(null),
  }));
  const { state } = await settleDay(untold.services, { day, force: true });
  assertEquals(state, "running");
  await settleInTime(world);
  const { spotlight, bids } = await outcomeOfDay(world);
  assertEquals([spotlight, bids], ["house_advertisement", { acc_ada: "void" }]);
});

Deno.test("a payment that came before the day's time on show ended has won, also where that is known only after", async () => {
  await using world = await paidAt("23:54:59");
  const { services, clock } = world;
  clock.set(`${addDays(day, 3)}T12:00:00.000Z`);
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
  const mails = await services.store.listMails({ limit: 9 });
  const [won] = mails.filter(({ kind }) => kind === "bid_won");
  assertEquals(won?.subject, `You won ${day}`);
  const text = won?.text.replaceAll("\n", " ") ?? "";
  assertStringIncludes(text, "its time on show was over before we could");
});

Deno.test("a clock that is behind at the end of the day's time on show has one bidder charged, who wins", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  const { services, clock } = world;
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  clock.set(`${addDays(day, 1)}T23:55:30.000Z`);
  const behind = { now: () => clock.now() - 60_000 };
  await settleInTime(world, { ...services, clock: behind });
  const { spotlight, bids, chargedCents } = await outcomeOfDay(world);
  assertEquals([spotlight, chargedCents], ["acc_ada", [2500]]);
  assertEquals(bids, { acc_ada: "won", acc_bob: "lost" });
  assertEquals(world.simulator.control.objects("charge").length, 1);
});

Deno.test("a day whose invoice was paid without a payment waits for a person, and shows nothing", async () => {
  await using world = await oneBidder();
  const { services } = world.another((real) => ({
    ...real,
    async payInvoice(...asked) {
      const paid = await real.payInvoice(...asked);
      return paid.ok
        ? { ok: true, value: { ...paid.value, paymentIds: [] } }
        : paid;
    },
  }));
  await settleDay(services, { day });
  const { settlement, spotlight } = await outcomeOfDay(world);
  assertEquals([settlement, spotlight], ["running", null]);
  assert(world.log.events.includes("settlement.paid_without_payment"));
});

Deno.test("a candidate whose draft is deleted without an answer keeps the note of why", async () => {
  await using world = await oneBidder();
  const { services } = world.another((real) => ({
    ...real,
    addInvoiceLine: (line, key) =>
      real.addInvoiceLine({ ...line, amountCents: 2600 }, key),
  }));
  const kind = "reset_after_effect";
  world.simulator.control.addFault({ kind, method: "DELETE" });
  await settleDay(services, { day });
  assertEquals((await candidateOf(world))?.step, "voiding");
  await settleInTime(world, services);
  const { step, note } = await candidateOf(world) ?? {};
  assertEquals([step, note], [
    "passed_over",
    "the invoice total is not the bid",
  ]);
});

for (
  const [outcome, cards, passedOver] of [
    ["won", ["pm_card_chargeCustomerFail", "pm_card_visa", "pm_card_visa"], 1],
    ["house", ["pm_card_chargeCustomerFail", "pm_card_chargeCustomerFail"], 2],
  ] as const
) {
  Deno.test(`the log says of each who was passed over, and how its day has ended: ${outcome}`, async () => {
    await using world = await openAuctionWorld();
    for (const [nth, card] of cards.entries()) {
      await world.bid(await world.advertiser(`n${nth}`, card), 2500 - nth);
    }
    await closeDay(world.services);
    await settleInTime(world);
    const told = (event: string) =>
      world.log.lines.map((line) => JSON.parse(line))
        .filter((line) => line.event === event);
    const left = told("settlement.passed_over").map((line) => line.as);
    assertEquals(left, Array.from(left, () => "payment_failed"));
    assertEquals(left.length, passedOver);
    const [settled, ...more] = told("settlement.settled");
    assertEquals(more, []);
    assertEquals([settled.outcome, settled.passed_over], [outcome, passedOver]);
  });
}

Deno.test("what was paid for another sum than the bid, of a day that is over, is passed over once its payment is known, and goes back", async () => {
  await using world = await oneBidder();
  const { services: { store }, clock } = world;
  const kind = "reset_after_effect";
  const path = "/v1/invoices/*/pay";
  world.simulator.control.addFault({ kind, method: "POST", path });
  await settleDay(world.services, { day });
  await store.transact(async (tx) => {
    const row = await tx.settlements.find(day);
    assert(row !== null);
    const candidates = row.candidates
      .map((each) => ({ ...each, amountCents: 2400 }));
    tx.settlements.save({ ...row, candidates });
  });
  clock.set(`${addDays(day, 1)}T23:55:00.000Z`);
  const silent = world.another((real) => ({
    ...real,
    retrievePayment: () => Promise.reject(new ProcessorUncertain("no answer")),
  }));
  await settleDay(silent.services, { day, force: true });
  assertEquals((await candidateOf(world))?.step, "paying");
  const unknown = world.another((real) => ({
    ...real,
    retrievePayment: () =>
      Promise.resolve({ ok: false, code: "missing", message: "No payment" }),
  }));
  await settleDay(unknown.services, { day, force: true });
  assertEquals((await candidateOf(world))?.step, "paying");
  await settleInTime(world);
  const [invoice] = await store.listInvoices("acc_ada", { limit: 9 });
  assertEquals([invoice?.money, invoice?.refundReason], [
    "refunding",
    "late_payment",
  ]);
});
