import { ProcessorUncertain } from "../../../domain/failure.ts";
import { assert, assertEquals } from "@std/assert";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { startSimulator } from "../../../simulators/stripe/mod.ts";
import { createStripeClient } from "../../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../../adapters/stripe/stripe_processor.ts";
import { keys } from "../../../kv/keys.ts";
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
const HOUR_MS = 3_600_000;

Deno.test("nobody else is charged when an invoice that may be paid is unknown to the processor", async () => {
  await using world = await twoBidders();
  // The charge succeeds and its answer is lost …
  world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/invoices/*/pay",
  });
  await settleDay(world.services, { day });
  world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "GET",
    path: "/v1/invoices/*",
    times: null,
  });
  for (let minute = 0; minute < 70; minute++) {
    await settleDay(world.services, { day });
    world.clock.advance(60_000);
  }
  const [candidate] = (await world.services.store.settlements.find(day))
    ?.candidates ?? [];
  assertEquals(candidate?.step, "voiding");
  world.simulator.control.clearFaults();
  // … and somebody sets up the key of another processor account.
  await using other = await anotherProcessor(world);
  for (let minute = 0; minute < 30; minute++) {
    await settleDay(other.services, { day });
    world.clock.advance(60_000);
  }
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.bids, { acc_ada: "active", acc_bob: "active" });
  assert(world.log.events.includes("settlement.invoice_vanished"));
  // With the right key the day settles on who has paid.
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
  assertEquals((await outcomeOfDay(world)).chargedCents, [2500]);
});

Deno.test("an invoice that is found paid before its payment was asked for wins", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/invoices/*/finalize",
  });
  await settleDay(world.services, { day });
  const [invoice] = (await world.stripe.invoices.list({ status: "open" })).data;
  assert(invoice !== undefined);
  const account = await world.services.store.accounts.find("acc_ada");
  // A person at the processor's dashboard charges the card.
  await world.stripe.invoices.pay(invoice.id, {
    payment_method: account?.defaultPaymentMethodId ?? "",
    off_session: true,
  });
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

Deno.test("a total that a person changed and charged is reported, never booked as the bid", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/invoiceitems",
  });
  await settleDay(world.services, { day });
  const [draft] = (await world.stripe.invoices.list({ status: "draft" })).data;
  const account = await world.services.store.accounts.find("acc_ada");
  assert(draft !== undefined && account?.processorCustomerId);
  await world.stripe.invoiceItems.create({
    customer: account.processorCustomerId,
    invoice: draft.id,
    amount: 2600,
    currency: "eur",
  });
  await world.stripe.invoices.finalizeInvoice(draft.id);
  await world.stripe.invoices.pay(draft.id, {
    payment_method: account.defaultPaymentMethodId ?? "",
    off_session: true,
  });
  await settleDay(world.services, { day, force: true });
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.bids, { acc_ada: "active", acc_bob: "active" });
  assertEquals(outcome.bookedCents, []);
  assert(world.log.events.includes("settlement.total_differs"));
});

for (const step of ["invoices", "invoiceitems", "invoices/*/finalize"]) {
  Deno.test(`a creative that is withdrawn while ${step} is uncertain is neither charged nor published`, async () => {
    await using world = await twoBidders();
    const fault = world.simulator.control.addFault({
      kind: "rate_limit",
      method: "POST",
      path: `/v1/${step}`,
      times: null,
    });
    await settleDay(world.services, { day });
    await world.services.store.transact(async (tx) => {
      const creative = await tx.creatives.find("acc_ada", "ad_ada");
      if (creative !== null) {
        tx.creatives.save({ ...creative, state: "rejected" });
      }
    });
    world.simulator.control.removeFault(fault);
    await settleInTime(world, world.services, { minutes: 5 });
    const outcome = await outcomeOfDay(world);
    assertEquals(outcome.bids, { acc_ada: "void", acc_bob: "won" });
    assertEquals(outcome.chargedCents, [2400]);
    assertEquals(outcome.openInvoices, 0);
    const { accounts } = world.services.store;
    assertEquals((await accounts.find("acc_ada"))?.cardRefused, false);
  });
}

Deno.test("a 500 that the processor saved at void holds the day up for minutes only", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  await world.bid(ada, 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  await closeDay(world.services);
  world.simulator.control.addFault({
    kind: "error_before_effect",
    method: "POST",
    path: "/v1/invoices/*/void",
  });
  await settleInTime(world, world.services, { minutes: 5 });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("a 500 that the processor saved when it was told of the best bidder's company keeps the day from nobody", async () => {
  await using world = await twoBidders();
  const { store, clock } = world.services;
  await store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
  world.simulator.control.addFault({
    kind: "error_before_effect",
    method: "POST",
    path: "/v1/customers/*",
  });
  await settleInTime(world, world.services, { minutes: 5 });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("nobody is passed over for an hour while the processor knows no customer of ours", async () => {
  await using world = await twoBidders();
  await using other = await anotherProcessor(world);
  for (let minute = 0; minute < 50; minute++) {
    await settleDay(other.services, { day });
    world.clock.advance(60_000);
  }
  const bids = { acc_ada: "active", acc_bob: "active" };
  assertEquals((await outcomeOfDay(world)).bids, bids);
  assert(world.log.events.includes("settlement.customer_unknown"));
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("a bidder whom the processor does not know for an hour is passed over", async () => {
  await using world = await twoBidders();
  await using other = await anotherProcessor(world);
  for (let minute = 0; minute < 70; minute++) {
    await settleDay(other.services, { day });
    world.clock.advance(60_000);
  }
  const { bids } = await outcomeOfDay(world);
  assertEquals(bids["acc_ada"], "payment_failed");
});

Deno.test("a bidder whose draft the processor refuses is passed over at once", async () => {
  await using world = await twoBidders();
  let asked = 0;
  const refusing = world.another((real) => ({
    ...real,
    createInvoice(input, key) {
      asked += 1;
      return asked > 1 ? real.createInvoice(input, key) : Promise.resolve({
        ok: false,
        code: "invalid_currency",
        message: "Not in this currency",
      });
    },
  }));
  await settleDay(refusing.services, { day });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("a draft whose answer is lost after more than an hour is gone on with all the same", async () => {
  await using world = await twoBidders();
  const slow = world.another((real) => ({
    ...real,
    async createInvoice(input, key) {
      await real.createInvoice(input, key);
      world.clock.advance(HOUR_MS + 60_000);
      throw new ProcessorUncertain("The answer is lost");
    },
  }));
  await settleDay(slow.services, { day });
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("a lease from a clock that was a day ahead does not hold the day up", async () => {
  await using world = await twoBidders();
  const doomed = world.another();
  world.clock.advance(24 * HOUR_MS);
  doomed.kv.crashAt({ commit: 1, when: "after" });
  await settleDay(doomed.services, { day }).catch(() => {});
  assert((await world.services.store.settlements.find(day))?.leaseOwner);
  world.clock.advance(-24 * HOUR_MS);
  await settleInTime(world, world.services, { minutes: 3 });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("a pause from a clock that was a day ahead does not hold the day up", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "rate_limit",
    method: "POST",
    path: "/v1/invoices",
  });
  world.clock.advance(24 * HOUR_MS);
  await settleDay(world.services, { day });
  world.clock.advance(-24 * HOUR_MS);
  await settleInTime(world, world.services, { minutes: 3 });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("a candidate whose bid is gone from the store is passed over", async () => {
  await using world = await twoBidders();
  const loss = world.kv.atomic();
  loss.delete(keys.bid(day, "acc_ada"));
  await loss.commit();
  await settleInTime(world, world.services, { minutes: 3 });
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.spotlight, "acc_bob");
  assertEquals(outcome.chargedCents, [2400]);
});

Deno.test("a day that waits for longer than two hours is reported as late", async () => {
  await using world = await twoBidders();
  world.simulator.control.addFault({
    kind: "reset_before_effect",
    path: "/v1/**",
    times: null,
  });
  for (let minute = 0; minute < 110; minute++) {
    await settleDay(world.services, { day });
    world.clock.advance(60_000);
  }
  assertEquals(world.log.events.includes("settlement.late"), false);
  for (let minute = 0; minute < 20; minute++) {
    await settleDay(world.services, { day });
    world.clock.advance(60_000);
  }
  assert(world.log.events.includes("settlement.late"));
});

async function twoBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  await closeDay(world.services);
  return world;
}

/** The same store before a processor account that knows none of our invoices. */
async function anotherProcessor(world: AuctionWorld) {
  const secretKey = "sk_test_another_account";
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey,
    webhook: null,
    now: () => world.clock.now(),
    random: () => 0.5,
  });
  const processor = createStripeProcessor(
    createStripeClient({ secretKey, apiBase: simulator.url }),
  );
  return {
    services: { ...world.services, processor },
    async [Symbol.asyncDispose]() {
      await simulator.stop();
    },
  };
}
