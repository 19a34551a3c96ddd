/**
 * What is no silence of the processor: hours in which it answered, in which we
 * slept, and those of another clock. One call that is lost after them takes the
 * day from nobody.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Processor } from "../../../domain/payments/processor.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { answering, losesOne, lost } from "../../support/answering.ts";
import { AUCTION_DAY, type AuctionWorld } from "../../support/auction_world.ts";
import {
  assertBestWins,
  MINUTE_MS,
  rowOf,
  tryFor,
  twoBidders,
} from "../../support/two_bidders.ts";
import {
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;
const PAY = "/v1/invoices/*/pay";

/** An invoice of the day that somebody made, as the processor lists it. */
const STRANGERS = {
  id: "in_stranger",
  status: "open",
  totalCents: 777,
  customerId: "cus_x",
  paymentIds: [],
  metadata: { purpose: "spotlight", day, bid_id: "bid_of_nobody" },
};

/** What the processor answers for two hours, by the call that is then lost. */
const ANSWERED: Readonly<
  Record<string, {
    begin: (world: AuctionWorld) => unknown;
    step: string;
    answers?: Partial<Record<keyof Processor, (step: string) => unknown>>;
    call: keyof Processor;
  }>
> = {
  "takes no more calls": {
    begin: ({ simulator: { control } }) =>
      control.addFault({
        kind: "rate_limit",
        method: "POST",
        path: PAY,
        times: null,
      }),
    step: "paying",
    call: "retrieveInvoice",
  },
  "says that the payment is under way": {
    begin: ({ simulator: { control } }) =>
      control.addFault({ kind: "processing", method: "POST", path: PAY }),
    step: "paying",
    call: "retrieveInvoice",
  },
  "lists the invoice of a stranger before the payment": {
    begin: () => {},
    step: "paying",
    answers: { listInvoices: listStrangers("paying") },
    call: "retrieveInvoice",
  },
  "lists the invoice of a stranger before the draft": {
    begin: () => {},
    step: "creating",
    answers: { listInvoices: listStrangers("creating") },
    call: "createInvoice",
  },
};

function listStrangers(at: string) {
  return (step: string) =>
    step === at
      ? { ok: true, value: { nextCursor: null, items: [STRANGERS] } }
      : undefined;
}

for (const [what, { begin, step, answers, call }] of Object.entries(ANSWERED)) {
  Deno.test(`two hours in which the processor ${what} are no silence: one call that is lost after them takes the day from nobody`, async () => {
    await using world = await twoBidders();
    const { control } = world.simulator;
    begin(world);
    let isOver = false;
    const one = losesOne();
    const services = answering(world, {
      listInvoices: async () => {
        if (isOver) return undefined;
        const [ada] = (await rowOf(world)).candidates;
        return answers?.listInvoices?.(ada?.step ?? "");
      },
      [call]: one.lose,
    });
    await tryFor(world, services, 125);
    assertEquals((await rowOf(world)).candidates[0]?.step, step);
    control.clearFaults();
    isOver = true;
    one.order();
    await settleDay(services, { day, force: true });
    for (const { id, status } of control.objects("payment_intent")) {
      if (status === "processing") control.resolvePayment(id, "succeed");
    }
    await assertBestWins(world);
  });
}

Deno.test("a card that was refused once its payment was under way for hours is refused, though a look is lost", async () => {
  await using world = await twoBidders();
  const { control } = world.simulator;
  control.addFault({ kind: "processing", method: "POST", path: PAY });
  const one = losesOne();
  const services = answering(world, { retrieveInvoice: one.lose });
  await tryFor(world, services, 125);
  one.order();
  await settleDay(services, { day, force: true });
  const [payment] = control.objects("payment_intent");
  control.resolvePayment(payment?.id ?? "", "fail");
  await settleInTime(world);
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
  const ada = await world.services.store.accounts.find("acc_ada");
  assertEquals(ada?.cardRefused, true);
});

for (const call of ["retrieveInvoice", "listInvoices"] as const) {
  for (const minutes of [61, 600]) {
    Deno.test(`a process that sleeps for ${minutes} minutes in ${call} and loses the next two calls takes the day from nobody`, async () => {
      await using world = await twoBidders();
      const one = losesOne();
      let hasSlept = false;
      let isPaymentLost = false;
      const services = answering(world, {
        [call]: async () => {
          one.lose();
          const [ada] = (await rowOf(world)).candidates;
          if (hasSlept || ada?.step !== "paying") return;
          hasSlept = true;
          world.clock.advance(minutes * MINUTE_MS);
        },
        payInvoice: () => {
          if (isPaymentLost) return;
          isPaymentLost = true;
          one.order();
          lost();
        },
      });
      await settleDay(services, { day });
      assertEquals([hasSlept, isPaymentLost], [true, true]);
      world.clock.advance(2_000);
      await settleDay(services, { day });
      await assertBestWins(world);
    });
  }
}

Deno.test("a process that sleeps for an hour in its second silent attempt takes the day from nobody by its third", async () => {
  await using world = await twoBidders();
  let nth = 0;
  const services = answering(world, {
    payInvoice: () => {
      nth++;
      if (nth === 2) world.clock.advance(61 * MINUTE_MS);
      if (nth <= 3) lost();
    },
  });
  for (let tries = 0; tries < 3; tries++) {
    await settleDay(services, { day, force: true });
    world.clock.advance(MINUTE_MS);
  }
  assertEquals(nth, 3);
  await assertBestWins(world);
});

for (const offMinutes of [-61, 61]) {
  Deno.test(`a silent attempt by a clock that is ${offMinutes} minutes off takes the day from nobody`, async () => {
    await using world = await twoBidders();
    const { clock } = world;
    const services = answering(world, { payInvoice: lost });
    const off = { now: () => clock.now() + offMinutes * MINUTE_MS };
    for (let tries = 0; tries < 4; tries++) {
      const by = tries % 2 === 0 ? { ...services, clock: off } : services;
      await settleDay(by, { day, force: true });
      clock.advance(MINUTE_MS);
    }
    assertEquals((await rowOf(world)).candidates[0]?.step, "paying");
    await assertBestWins(world);
  });
}

Deno.test("a process whose clock is an hour behind, and which dies before the payment, takes the day from nobody", async () => {
  await using world = await twoBidders();
  const { clock } = world;
  const dying = answering(world, {
    payInvoice: () => {
      throw new Error("It is dead");
    },
  });
  const behind = { now: () => clock.now() - 61 * MINUTE_MS };
  // After a day's start: by its clock the auction has to be over, too.
  clock.advance(2 * 60 * MINUTE_MS);
  await settleDay(answering(world, { createInvoice: lost }), { day });
  clock.advance(MINUTE_MS);
  const again = { day, force: true };
  await assertRejects(() => settleDay({ ...dying, clock: behind }, again));
  assertEquals((await rowOf(world)).candidates[0]?.step, "paying");
  clock.advance(MINUTE_MS);
  const one = losesOne();
  one.order();
  await settleDay(answering(world, { retrieveInvoice: one.lose }), again);
  await assertBestWins(world);
});

Deno.test("lists that are lost for hours before a draft was asked for are no silence of it", async () => {
  await using world = await twoBidders();
  let isSilent = true;
  let drafts = 0;
  const services = answering(world, {
    listInvoices: () => isSilent ? lost() : undefined,
    createInvoice: () => drafts++ === 0 ? lost() : undefined,
  });
  await tryFor(world, services, 300);
  isSilent = false;
  await settleDay(services, { day, force: true });
  assertEquals(drafts, 1);
  await assertBestWins(world);
});

Deno.test("a settlement that an earlier version left in the middle is silent from its first unanswered attempt on", async () => {
  await using world = await twoBidders();
  const services = answering(world, { payInvoice: lost });
  await settleDay(services, { day });
  const { stall, ...before } = await rowOf(world);
  assert(stall !== undefined);
  await services.store.transact((tx) => tx.settlements.save(before));
  world.clock.advance(2 * 60 * MINUTE_MS);
  await settleDay(services, { day });
  assertEquals((await rowOf(world)).candidates[0]?.step, "paying");
  await tryFor(world, services, 59);
  assertEquals((await rowOf(world)).candidates[0]?.step, "paying");
  await tryFor(world, services, 10);
  assertEquals((await rowOf(world)).candidates[0]?.step, "passed_over");
});

Deno.test("a processor that is silent about the payment for an hour loses its bidder the day, whatever looks it answers", async () => {
  await using world = await twoBidders();
  let looks = 0;
  const services = answering(world, {
    payInvoice: async () => {
      const [ada] = (await rowOf(world)).candidates;
      return ada?.step === "paying" ? lost() : undefined;
    },
    // Every other look is lost.
    retrieveInvoice: () => looks++ % 2 === 0 ? lost() : undefined,
  });
  await tryFor(world, services, 58);
  assertEquals((await rowOf(world)).candidates[0]?.step, "paying");
  await tryFor(world, services, 30);
  assertEquals((await rowOf(world)).candidates[0]?.step, "passed_over");
});

Deno.test("a day that has settled keeps nothing of the calls that had no answer", async () => {
  await using world = await twoBidders();
  const one = losesOne();
  const services = answering(world, { payInvoice: one.lose });
  one.order();
  await settleDay(services, { day });
  const { candidates: [ada], stall } = await rowOf(world);
  assertEquals(stall, {
    bidId: ada?.bidId ?? "",
    step: "paying",
    awaited: "call",
    sinceMs: world.clock.now(),
    lastMs: world.clock.now(),
  });
  await settleInTime(world);
  assertEquals((await rowOf(world)).stall, null);
});
