import { assertEquals } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { keyOf } from "../../support/faults.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;
const MINUTE_MS = 60_000;

Deno.test("settleDay() asks for no second payment while one is processing", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) => counting(real, calls));
  world.simulator.control.addFault({ kind: "processing" });
  // Longer than the processor remembers idempotency keys.
  for (let hour = 0; hour < 30; hour++) {
    await settleDay(services, { day });
    world.clock.advance(60 * MINUTE_MS);
  }
  assertEquals(calls.filter((name) => name === "payInvoice").length, 1);
  assertEquals((await candidates(world))[0]?.step, "paying");
});

Deno.test("settleDay() voids no invoice whose payment is processing", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) => counting(real, calls));
  const { control } = world.simulator;
  control.addFault({ kind: "processing" });
  await settleDay(services, { day });
  control.addFault({ kind: "reset_before_effect", method: "GET", times: null });
  for (let minute = 0; minute < 70; minute++) {
    await settleDay(services, { day });
    world.clock.advance(MINUTE_MS);
  }
  assertEquals((await candidates(world))[0]?.step, "voiding");
  control.clearFaults();
  for (let minute = 0; minute < 10; minute++) {
    await settleDay(services, { day });
    world.clock.advance(MINUTE_MS);
  }
  assertEquals(calls.includes("voidInvoice"), false);
  assertEquals((await outcomeOfDay(world)).bids["acc_bob"], "active");
});

Deno.test("settleDay() pays no finalised invoice whose total is not the bid", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) => ({
    ...counting(real, calls),
    async retrieveInvoice(id) {
      const answer = await real.retrieveInvoice(id);
      if (!answer.ok || answer.value.status !== "open") return answer;
      return { ok: true, value: { ...answer.value, totalCents: 2501 } };
    },
  }));
  await settleDay(services, { day });
  assertEquals(calls.includes("payInvoice"), false);
  assertEquals((await candidates(world))[0]?.step, "passed_over");
});

Deno.test("a candidate whose draft was deleted at the processor is passed over, and the next is charged", async () => {
  await using world = await twoBidders();
  const { services } = world.another((real) => ({
    ...real,
    async finalizeInvoice(id, key) {
      const ada = (await candidates(world))[0];
      if (ada?.invoiceId !== id) return await real.finalizeInvoice(id, key);
      await real.deleteDraftInvoice(id, "by hand");
      throw new ProcessorUncertain("no answer");
    },
  }));
  await settleDay(services, { day });
  await settleInTime(world);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals(chargedCents, [2400]);
  assertEquals(world.log.events.includes("settlement.invoice_vanished"), false);
});

Deno.test("a candidate whose invoice was voided at the processor is passed over without another call about it, and the next is charged", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) => ({
    ...counting(real, calls),
    async payInvoice(id, card, key) {
      const ada = (await candidates(world))[0];
      if (ada?.invoiceId !== id) return await real.payInvoice(id, card, key);
      calls.push("payInvoice");
      await real.voidInvoice(id, "by hand");
      throw new ProcessorUncertain("no answer");
    },
  }));
  await settleDay(services, { day });
  await settleInTime(world, services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals(chargedCents, [2400]);
  assertEquals(calls.filter((name) => name === "payInvoice").length, 1);
  assertEquals(calls.includes("voidInvoice"), false);
});

Deno.test("a day that is paid is not published while nobody knows how the invoice of another candidate stands", async () => {
  await using world = await twoBidders();
  const { store } = world.services;
  const { services } = world.another((real) => ({
    ...real,
    retrieveInvoice: (id) =>
      id === "in_other"
        ? Promise.reject(new ProcessorUncertain("no answer"))
        : real.retrieveInvoice(id),
    async payInvoice(id, card, key) {
      await real.payInvoice(id, card, key);
      await store.transact(async (tx) => {
        const settlement = await tx.settlements.find(day);
        const [ada, bob] = settlement?.candidates ?? [];
        if (!settlement || !ada || !bob) throw new Error("nobody bid");
        const halfWay = { step: "paying", invoiceId: "in_other" } as const;
        const others = [ada, { ...bob, ...halfWay }];
        tx.settlements.save({ ...settlement, candidates: others });
      });
      throw new ProcessorUncertain("no answer");
    },
  }));
  await settleDay(services, { day });
  world.clock.advance(60 * MINUTE_MS);
  await settleDay(services, { day });
  assertEquals(await store.spotlights.find(day), null);
  assertEquals((await candidates(world))[0]?.step, "paying");
});

Deno.test("settleDay() renews its lease with every step", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) =>
    counting(real, calls, async (name) => {
      if (name === "retrieveInvoice") return;
      world.clock.advance(20_000);
      const other = await settleDay(world.services, { day, force: true });
      assertEquals(other.state, "running", `taken over at ${name}`);
    })
  );
  assertEquals((await settleDay(services, { day })).state, "settled");
  assertEquals(calls.includes("payInvoice"), true);
});

Deno.test("settleDay() renews its lease with every page of the day's invoices", async () => {
  await using world = await twoBidders();
  let pages = 0;
  const { services } = world.another((real) => ({
    ...real,
    async listInvoices(span, cursor, limit) {
      pages += 1;
      world.clock.advance(20_000);
      const other = await settleDay(world.services, { day, force: true });
      assertEquals(other.state, "running", `taken over at page ${pages}`);
      const page = Number(cursor ?? 0);
      return page < 4
        ? { ok: true, value: { items: [], nextCursor: `${page + 1}` } }
        : await real.listInvoices(span, null, limit);
    },
  }));
  assertEquals((await settleDay(services, { day })).state, "settled");
  // Before the draft is made, and before its payment is asked for.
  assertEquals(pages, 10);
});

Deno.test("settleDay() makes no invoice while the processor has more of the day than are read", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) =>
    counting({
      ...real,
      listInvoices: () =>
        Promise.resolve({ ok: true, value: { items: [], nextCursor: "more" } }),
    }, calls)
  );
  assertEquals((await settleDay(services, { day })).state, "running");
  assertEquals(calls.includes("listInvoices"), true);
  assertEquals(calls.includes("createInvoice"), false);
});

Deno.test("settleDay() waits until an attempt is due, unless forced", async () => {
  await using world = await twoBidders();
  const calls: string[] = [];
  const { services } = world.another((real) => counting(real, calls));
  const fault = world.simulator.control.addFault({
    kind: "rate_limit",
    method: "POST",
    times: null,
  });
  await settleDay(services, { day });
  const asked = calls.length;
  await settleDay(services, { day });
  assertEquals(calls.length, asked);
  world.simulator.control.removeFault(fault);
  assertEquals(
    (await settleDay(services, { day, force: true })).state,
    "settled",
  );
});

Deno.test("settleDay() tries again within five minutes, and at once after progress", async () => {
  await using world = await twoBidders();
  const fault = world.simulator.control.addFault({
    kind: "rate_limit",
    method: "POST",
    path: "/v1/invoices",
    times: null,
  });
  for (let attempt = 0; attempt < 12; attempt++) {
    await settleDay(world.services, { day, force: true });
  }
  assertEquals(await pauseMs(world), 5 * MINUTE_MS);
  world.simulator.control.removeFault(fault);
  world.simulator.control.addFault({
    kind: "rate_limit",
    method: "POST",
    path: "/v1/invoiceitems",
  });
  await settleDay(world.services, { day, force: true });
  assertEquals(await pauseMs(world), 1_000);
});

const SPOILT: [string, (services: Services) => Promise<unknown>][] = [
  ["card was removed", (services) =>
    services.store.transact(async (tx) => {
      const account = await tx.accounts.find("acc_ada");
      const id = account?.defaultPaymentMethodId ?? "";
      const card = await tx.paymentMethods.find("acc_ada", id);
      if (card !== null) tx.paymentMethods.remove(card);
    })],
  [
    "customer at the processor is gone",
    (services) => changeAda(services, { processorCustomerId: null }),
  ],
];

for (const [what, spoil] of SPOILT) {
  Deno.test(`settleDay() passes over a bidder whose ${what}`, async () => {
    await using world = await twoBidders();
    await spoil(world.services);
    await settleInTime(world, world.services, { minutes: 3 });
    const outcome = await outcomeOfDay(world);
    assertEquals(outcome.bids, { acc_ada: "void", acc_bob: "won" });
  });
}

Deno.test("settleDay() counts a paid win of the winner, and of nobody else", async () => {
  await using world = await twoBidders();
  await settleInTime(world);
  const { accounts } = world.services.store;
  assertEquals((await accounts.find("acc_ada"))?.paidWins, 1);
  assertEquals((await accounts.find("acc_bob"))?.paidWins, 0);
});

Deno.test("closeAuction() lets no void bid take the place of a candidate", async () => {
  await using world = await openAuctionWorld();
  for (let nth = 0; nth < 5; nth++) {
    const bid = await world.bid(await world.advertiser(`void${nth}`), 900);
    await world.services.store.transact((tx) =>
      tx.bids.save({ ...bid, status: "void" })
    );
  }
  await world.bid(await world.advertiser("ada"), 100);
  await closeDay(world.services);
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_ada");
});

Deno.test("closeAuction() begins a settlement once, however late a second isolate is", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await openAuction(world.services, { day });
  const settled = Promise.withResolvers<void>();
  const late = world.another((real) => real, [{
    on: "read",
    key: keyOf("bids"),
    fault: { kind: "hold", until: settled.promise },
  }]);
  const closing = closeAuction(late.services, { day });
  // Closes it, and settles it before the other has read the bids.
  await closeAuction(world.services, { day });
  await settleInTime(world);
  settled.resolve();
  await closing;
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.settlement, "settled");
  assertEquals(outcome.chargedCents, [500]);
});

async function twoBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  await closeDay(world.services);
  return world;
}

async function candidates(world: AuctionWorld) {
  const settlement = await world.services.store.settlements.find(day);
  return settlement?.candidates ?? [];
}

/** How long the settlement waits from now on. */
async function pauseMs(world: AuctionWorld): Promise<number> {
  const settlement = await world.services.store.settlements.find(day);
  return (settlement?.dueAtMs ?? 0) - world.clock.now();
}

function changeAda(services: Services, changes: Partial<Account>) {
  return services.store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    if (account !== null) tx.accounts.save({ ...account, ...changes });
  });
}

/** A processor that writes down what it was asked, before it answers. */
function counting(
  real: Processor,
  calls: string[],
  onCall: (name: string) => Promise<void> = () => Promise.resolve(),
): Processor {
  return new Proxy(real, {
    get(target, name: keyof Processor) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        calls.push(name);
        await onCall(name);
        return await method(...args);
      };
    },
  });
}
