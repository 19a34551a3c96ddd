import { assert, assertEquals } from "@std/assert";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { FaultKind, FaultOrder } from "../../../simulators/stripe/mod.ts";
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

/** The processor calls of a settlement, by path. */
const CALLS = {
  create: "/v1/invoices",
  line: "/v1/invoiceitems",
  finalize: "/v1/invoices/*/finalize",
  pay: "/v1/invoices/*/pay",
};

const ONCE: FaultKind[] = [
  "error_after_effect",
  "reset_before_effect",
  "reset_after_effect",
  "timeout_after_effect",
  "rate_limit",
  "lock_timeout",
];

for (const [call, path] of Object.entries(CALLS)) {
  for (const kind of ONCE) {
    Deno.test(`one ${kind} at ${call} changes nothing in the end`, async () => {
      await using world = await twoBidders();
      world.simulator.control.addFault({ kind, method: "POST", path });
      await settleInTime(world);
      assertEquals(await outcomeOfDay(world), {
        settlement: "settled",
        spotlight: "acc_ada",
        bids: { acc_ada: "won", acc_bob: "lost" },
        chargedCents: [2500],
        openInvoices: 0,
        bookedCents: [2500],
      });
    });
  }
}

Deno.test("nobody is passed over for a draft without an answer while the processor does not list the day's invoices", async () => {
  await using world = await twoBidders();
  // Whenever a draft has no answer, there is none to the next question either.
  let isDeaf = false;
  const silent = world.another((real) => ({
    ...real,
    createInvoice() {
      isDeaf = true;
      return Promise.reject(new ProcessorUncertain("no answer"));
    },
    listInvoices(...given) {
      if (!isDeaf) return real.listInvoices(...given);
      isDeaf = false;
      return Promise.reject(new ProcessorUncertain("no answer"));
    },
  }));
  for (let minutes = 0; minutes < 120; minutes += 5) {
    await settleDay(silent.services, { day, force: true });
    world.clock.advance(5 * 60_000);
  }
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).chargedCents, [2500]);
});

for (const call of ["finalize", "pay"] as const) {
  Deno.test(`a 500 that the processor saved at ${call} passes over after 60 minutes`, async () => {
    await using world = await twoBidders();
    world.simulator.control.addFault({
      kind: "error_before_effect",
      method: "POST",
      path: CALLS[call],
    });
    await settleInTime(world);
    assertEquals(await outcomeOfDay(world), {
      settlement: "settled",
      spotlight: "acc_bob",
      bids: { acc_ada: "payment_failed", acc_bob: "won" },
      chargedCents: [2400],
      openInvoices: 0,
      bookedCents: [2400],
    });
    const ada = await world.services.store.accounts.find("acc_ada");
    assertEquals(ada?.cardRefused, false, "its card was never refused");
  });
}

Deno.test("a candidate whose draft never came to be is passed over after 60 minutes, with a note that says so", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "error_before_effect",
    method: "POST",
    path: CALLS.create,
  });
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).bids.acc_ada, "payment_failed");
  const settlement = await world.services.store.settlements.find(day);
  const [passedOver] = settlement?.candidates ?? [];
  assertEquals(passedOver?.note, "no invoice came to be in time");
});

for (const [call, path] of Object.entries(CALLS)) {
  Deno.test(`an outage of ours between two lost calls of ${call} takes the day from nobody`, async () => {
    await using world = await twoBidders();
    const { clock, services, simulator } = world;
    const lost = { kind: "reset_before_effect", method: "POST", path } as const;
    simulator.control.addFault(lost);
    await settleDay(services, { day });
    clock.advance(61 * 60_000);
    simulator.control.addFault(lost);
    await settleDay(services, { day });
    await settleInTime(world);
    const { bids, chargedCents } = await outcomeOfDay(world);
    assertEquals(bids, { acc_ada: "won", acc_bob: "lost" });
    assertEquals(chargedCents, [2500]);
  });
}

const ASKED: Readonly<Record<string, FaultOrder>> = {
  "told of the company": fullFor("POST", "/v1/customers/*"),
  "asked for an invoice": fullFor("POST", CALLS.create),
  "asked for its line": fullFor("POST", CALLS.line),
  "asked to make it final": fullFor("POST", CALLS.finalize),
  "asked to charge it": fullFor("POST", CALLS.pay),
  "looked at": fullFor("GET", "/v1/invoices/*"),
};

function fullFor(method: "GET" | "POST", path: string): FaultOrder {
  return { kind: "rate_limit", method, path, times: null };
}

for (const [when, fault] of Object.entries(ASKED)) {
  Deno.test(`a processor that takes no more calls for hours when it is ${when} takes the day from nobody`, async () => {
    await using world = await twoBidders();
    const { clock, services: { store } } = world;
    await store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
    world.simulator.control.addFault(fault);
    // So often that no time between attempts passes for an outage of ours.
    for (let minutes = 0; minutes < 120; minutes += 6) {
      await settleDay(world.services, { day, force: true });
      clock.advance(6 * 60_000);
    }
    const bids = { acc_ada: "active", acc_bob: "active" };
    assertEquals((await outcomeOfDay(world)).bids, bids);
    world.simulator.control.clearFaults();
    await settleInTime(world);
    const outcome = await outcomeOfDay(world);
    assertEquals(outcome.bids, { acc_ada: "won", acc_bob: "lost" });
    assertEquals(outcome.chargedCents, [2500]);
  });
}

Deno.test("nobody else is charged while a payment is uncertain", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: CALLS.pay,
    times: null,
  });
  for (let minute = 0; minute < 55; minute++) {
    await settleDay(world.services, { day });
    const outcome = await outcomeOfDay(world);
    assertEquals(outcome.settlement, "running");
    assertEquals(outcome.bids, { acc_ada: "active", acc_bob: "active" });
    world.clock.advance(60_000);
  }
});

Deno.test("a candidate is not passed over until the void is confirmed", async () => {
  await using world = await twoBidders("pm_card_chargeCustomerFail");
  const fault = world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/invoices/*/void",
    times: null,
  });
  for (let minute = 0; minute < 120; minute++) {
    await settleDay(world.services, { day });
    world.clock.advance(60_000);
  }
  assertEquals((await outcomeOfDay(world)).bids["acc_bob"], "active");
  world.simulator.control.removeFault(fault);
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("a candidate that is to be passed over is asked about until there is an answer, however long", async () => {
  await using world = await twoBidders("pm_card_chargeCustomerFail");
  const { control } = world.simulator;
  const unanswered = { kind: "reset_before_effect", times: null } as const;
  const path = "/v1/invoices/*";
  const faults = [
    control.addFault({ ...unanswered, method: "POST", path: `${path}/void` }),
  ];
  await settleDay(world.services, { day });
  faults.push(control.addFault({ ...unanswered, method: "GET", path }));
  for (let minute = 0; minute < 70; minute++) {
    world.clock.advance(60_000);
    await settleDay(world.services, { day, force: true });
  }
  assertEquals((await outcomeOfDay(world)).bids.acc_ada, "active");
  faults.forEach((fault) => control.removeFault(fault));
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("a payment whose answer was lost wins even when asked about a day later", async () => {
  await using world = await twoBidders();
  const { control } = world.simulator;
  control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: CALLS.pay,
  });
  await settleDay(world.services, { day });
  world.clock.advance(25 * 3_600_000);
  await settleInTime(world);
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.spotlight, "acc_ada");
  assertEquals(outcome.chargedCents, [2500]);
});

Deno.test("a payment still processing is waited for, however long, and reported", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "processing",
    method: "POST",
    path: CALLS.pay,
  });
  for (let minute = 0; minute < 120; minute++) {
    await settleDay(world.services, { day });
    world.clock.advance(60_000);
  }
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.settlement, "running");
  assertEquals(outcome.bids, { acc_ada: "active", acc_bob: "active" });
  assert(world.log.events.includes("settlement.payment_processing"));
});

for (const how of ["fail", "succeed"] as const) {
  Deno.test(`a payment that was processing decides the day when it comes to ${how}`, async () => {
    await using world = await twoBidders();
    const { control } = world.simulator;
    control.addFault({ kind: "processing", method: "POST", path: CALLS.pay });
    await settleDay(world.services, { day });
    const waiting = control.objects("payment_intent")
      .find(({ status }) => status === "processing");
    assert(waiting !== undefined);
    control.resolvePayment(waiting.id, how);
    await settleInTime(world, world.services, { minutes: 5 });
    const outcome = await outcomeOfDay(world);
    const fails = how === "fail";
    assertEquals(outcome.spotlight, fails ? "acc_bob" : "acc_ada");
    assertEquals(outcome.chargedCents, [fails ? 2400 : 2500]);
    assertEquals(outcome.openInvoices, 0);
    const ada = await world.services.store.accounts.find("acc_ada");
    assertEquals(ada?.cardRefused, fails);
  });
}

Deno.test("a payment that waits for the payer is a refusal with a name", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "requires_action",
    method: "POST",
    path: CALLS.pay,
  });
  await settleInTime(world);
  const settlement = await world.services.store.settlements.find(day);
  assertEquals(
    settlement?.candidates.map(({ note }) => note),
    ["invoice_payment_intent_requires_action", null],
  );
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("a worker whose lease ran out stops without writing", async () => {
  await using world = await twoBidders();
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow = world.another((real) =>
    holding(real, "payInvoice", asked.resolve, answered.promise)
  );
  const late = settleDay(slow.services, { day });
  await asked.promise;
  world.clock.advance(31_000);
  await settleInTime(world);
  answered.resolve();
  assertEquals((await late).state, "settled");
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.chargedCents, [2500]);
  assertEquals(outcome.bookedCents, [2500]);
});

Deno.test("a worker with a live lease keeps the others away", async () => {
  await using world = await twoBidders();
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow = world.another((real) =>
    holding(real, "payInvoice", asked.resolve, answered.promise)
  );
  const first = settleDay(slow.services, { day });
  await asked.promise;
  const second = await settleDay(world.services, { day, force: true });
  assertEquals(second.state, "running");
  answered.resolve();
  assertEquals((await first).state, "settled");
});

Deno.test("an invoice whose total is not the bid never reaches a card", async () => {
  await using world = await twoBidders();
  const wrong = world.another((real) => ({
    ...real,
    addInvoiceLine: (line, key) =>
      real.addInvoiceLine(
        line.amountCents === 2500 ? { ...line, amountCents: 2600 } : line,
        key,
      ),
  }));
  await settleInTime(world, wrong.services);
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.chargedCents, [2400]);
  assertEquals(outcome.bids["acc_ada"], "payment_failed");
  assert(world.log.events.includes("settlement.total_differs"));
});

async function twoBidders(card = "pm_card_visa"): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada", card), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  await closeDay(world.services);
  return world;
}

/** A processor one of whose answers is held back. */
function holding(
  real: Processor,
  name: "payInvoice",
  onAsked: () => void,
  until: Promise<void>,
): Processor {
  return {
    ...real,
    async [name](...args) {
      const outcome = await real[name](...args);
      onAsked();
      await until;
      return outcome;
    },
  };
}
