/**
 * What the processor refuses and a person may mend: an hour from the first time
 * on, whatever comes in between, and no longer.
 */
import { assert, assertEquals } from "@std/assert";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Settlement } from "../../../domain/settlement/settlement.ts";
import { answering, lost } from "../../support/answering.ts";
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
const MINUTE_MS = 60_000;

async function twoBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld({ isAtHand: true });
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  return world;
}

async function rowOf({ services }: AuctionWorld): Promise<Settlement> {
  const row = await services.store.settlements.find(day);
  assert(row !== null);
  return row;
}

/** Tries each minute, as cron does. */
async function tryFor(
  world: AuctionWorld,
  services: Services,
  minutes: number,
): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await settleDay(services, { day });
    world.clock.advance(MINUTE_MS);
  }
}

async function assertBestWins(world: AuctionWorld): Promise<void> {
  await settleInTime(world);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "won", acc_bob: "lost" });
  assertEquals(chargedCents, [2500]);
}

/** What a person has an hour to mend, by the answer that tells of it. */
const FOR_PERSONS: Readonly<
  Record<string, {
    /** The call that is turned away before. */
    path: string;
    call: keyof Processor;
    answer: (world: AuctionWorld) => unknown;
  }>
> = {
  "that its customer is not known": {
    path: "/v1/invoices",
    call: "createInvoice",
    answer: () => ({ ok: false, code: "resource_missing", message: "None" }),
  },
  "that it does not take the company": {
    path: "/v1/customers/*",
    call: "updateCustomer",
    answer: () => ({ ok: false, code: "parameter_invalid", message: "No" }),
  },
  "of another VAT than is due": {
    path: "/v1/invoices/*/finalize",
    call: "retrieveInvoice",
    answer: async (world) => {
      const { processor } = world.services;
      const { candidates: [ada] } = await rowOf(world);
      const found = await processor.retrieveInvoice(ada?.invoiceId ?? "");
      assert(found.ok);
      return { ok: true, value: { ...found.value, taxCents: 2_500 } };
    },
  },
};

for (const [what, { path, call, answer }] of Object.entries(FOR_PERSONS)) {
  Deno.test(`a person has an hour from the first time on that the processor tells ${what}, though it took no calls for two`, async () => {
    await using world = await twoBidders();
    const { clock, services: { store }, simulator: { control } } = world;
    await store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
    const busy = { kind: "rate_limit", path, times: null } as const;
    control.addFault({ ...busy, method: "POST" });
    let isBad = false;
    const services = answering(world, {
      [call]: () => isBad ? answer(world) : undefined,
    });
    await tryFor(world, services, 125);
    control.clearFaults();
    isBad = true;
    await settleDay(services, { day, force: true });
    assertEquals((await rowOf(world)).personWait?.sinceMs, clock.now());
    isBad = false;
    await assertBestWins(world);
  });

  Deno.test(`the hour of a person ends an hour after the processor has told ${what}, whatever came in between`, async () => {
    await using world = await twoBidders();
    const { clock, services: { store }, simulator: { control } } = world;
    await store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
    const isAdas = async () => {
      const { candidates: [ada] } = await rowOf(world);
      return ada?.step !== "passed_over" && ada?.step !== "voiding";
    };
    const services = answering(world, {
      [call]: async () => await isAdas() ? await answer(world) : undefined,
    });
    const busy = { kind: "rate_limit", method: "POST", path } as const;
    await tryFor(world, services, 30);
    control.addFault({ ...busy, times: 1 });
    await tryFor(world, services, 5);
    clock.advance(11 * MINUTE_MS);
    await tryFor(world, services, 10);
    assertEquals(
      (await rowOf(world)).candidates[0]?.step !== "passed_over",
      true,
    );
    await tryFor(world, services, 15);
    await settleInTime(world, services);
    const { bids, chargedCents } = await outcomeOfDay(world);
    assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
    assertEquals(chargedCents, [2400]);
  });
}

Deno.test("a draft that is never answered ends an hour after the first try, however often its bidder has its company refused", async () => {
  await using world = await twoBidders();
  const { clock, services: { store } } = world;
  let isRefused = false;
  const isAdas = async () =>
    (await rowOf(world)).candidates[0]?.step === "creating";
  const services = answering(world, {
    createInvoice: async () => await isAdas() ? lost() : undefined,
    updateCustomer: async () =>
      isRefused && await isAdas()
        ? { ok: false, code: "parameter_invalid", message: "No" }
        : undefined,
  });
  for (let round = 0; round < 4; round++) {
    for (const refused of [false, true]) {
      isRefused = refused;
      await store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
      await tryFor(world, services, refused ? 6 : 12);
    }
  }
  assertEquals((await rowOf(world)).candidates[0]?.step, "passed_over");
});
