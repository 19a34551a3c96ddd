/**
 * What the processor answers and a person may mend: an hour for each kind,
 * whatever comes in between, and no silence of the processor.
 */
import { assert, assertEquals } from "@std/assert";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { answering, lost } from "../../support/answering.ts";
import { AUCTION_DAY, type AuctionWorld } from "../../support/auction_world.ts";
import {
  assertBestWins,
  assertNextWins,
  MINUTE_MS,
  rowOf,
  tryFor,
  twoBidders,
} from "../../support/two_bidders.ts";

const day = AUCTION_DAY;
const REFUSED = { ok: false, code: "parameter_invalid", message: "No" };
const UNKNOWN = { ok: false, code: "resource_missing", message: "None" };

/** Two bidders, of whom the processor has still to be told of `ada`'s company. */
async function companyChanged(): Promise<AuctionWorld> {
  const world = await twoBidders();
  await change(world);
  return world;
}

function change({ clock, services: { store } }: AuctionWorld): Promise<void> {
  return store.transact((tx) => queueCustomer(tx, "acc_ada", clock.now()));
}

async function stepOfAda(world: AuctionWorld): Promise<string | undefined> {
  return (await rowOf(world)).candidates[0]?.step;
}

/** What a person has an hour to mend, by the answer that tells of it. */
const TROUBLES: Readonly<
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
    answer: () => UNKNOWN,
  },
  "that it does not take the company": {
    path: "/v1/customers/*",
    call: "updateCustomer",
    answer: () => REFUSED,
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

for (const [what, { path, call, answer }] of Object.entries(TROUBLES)) {
  Deno.test(`a person has an hour from the first time on that the processor tells ${what}, though it took no calls for two`, async () => {
    await using world = await companyChanged();
    const { clock, simulator: { control } } = world;
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
    const { mending } = await rowOf(world);
    assertEquals([mending?.forMs, mending?.lastMs], [0, clock.now()]);
    isBad = false;
    await assertBestWins(world);
  });

  Deno.test(`the hour of a person ends though calls are turned away and we sleep while the processor tells ${what}`, async () => {
    await using world = await companyChanged();
    const { clock, simulator: { control } } = world;
    const isTried = async () =>
      !["passed_over", "voiding"].includes(await stepOfAda(world) ?? "");
    const services = answering(world, {
      [call]: async () => await isTried() ? await answer(world) : undefined,
    });
    for (let round = 0; round < 2; round++) {
      await tryFor(world, services, 25);
      const busy = { kind: "rate_limit", method: "POST", path } as const;
      control.addFault({ ...busy, times: 1 });
      clock.advance(11 * MINUTE_MS);
    }
    assertEquals(await isTried(), true);
    await tryFor(world, services, 25);
    await assertNextWins(world, services);
  });
}

Deno.test("a draft that is never answered ends an hour after the first try, however often its bidder has its company refused", async () => {
  await using world = await twoBidders();
  let isRefused = false;
  const isAdas = async () => await stepOfAda(world) === "creating";
  const services = answering(world, {
    createInvoice: async () => await isAdas() ? lost() : undefined,
    updateCustomer: async () =>
      isRefused && await isAdas() ? REFUSED : undefined,
  });
  for (let round = 0; round < 4; round++) {
    for (const refused of [false, true]) {
      isRefused = refused;
      await change(world);
      await tryFor(world, services, refused ? 6 : 12);
    }
  }
  assertEquals(await stepOfAda(world), "passed_over");
});

for (
  const [between, wait] of [
    ["an outage of ours", ({ clock }) => {
      clock.advance(61 * MINUTE_MS);
      return Promise.resolve();
    }],
    ["an hour in which it takes no calls", async (world) => {
      const { control } = world.simulator;
      const path = "/v1/customers/*";
      control.addFault({
        kind: "rate_limit",
        method: "POST",
        path,
        times: null,
      });
      await tryFor(world, world.services, 66);
      control.clearFaults();
      world.clock.advance(6 * MINUTE_MS);
    }],
    ["an hour in which it takes the company, and no drafts", async (world) => {
      const { control } = world.simulator;
      const path = "/v1/invoices";
      control.addFault({
        kind: "rate_limit",
        method: "POST",
        path,
        times: null,
      });
      await tryFor(world, world.services, 66);
      control.clearFaults();
      await change(world);
    }],
  ] as const satisfies readonly (readonly [
    string,
    (world: AuctionWorld) => Promise<void>,
  ])[]
) {
  Deno.test(`two changes of a company that are lost take the day from nobody, with ${between} in between`, async () => {
    await using world = await companyChanged();
    const losing = answering(world, { updateCustomer: lost });
    await settleDay(losing, { day });
    await wait(world);
    await settleDay(losing, { day, force: true });
    assertEquals(await stepOfAda(world), "creating");
    await assertBestWins(world);
  });
}

Deno.test("a company that the processor never answers about is passed over after an hour", async () => {
  await using world = await companyChanged();
  const services = answering(world, { updateCustomer: lost });
  await tryFor(world, services, 58);
  assertEquals(await stepOfAda(world), "creating");
  await tryFor(world, services, 10);
  await assertNextWins(world, services);
});

Deno.test("each kind of trouble has an hour of its own", async () => {
  await using world = await companyChanged();
  let answers: Partial<Record<keyof Processor, unknown>> = {
    updateCustomer: REFUSED,
  };
  const services = answering(world, {
    updateCustomer: () => answers.updateCustomer,
    createInvoice: () => answers.createInvoice,
  });
  await tryFor(world, services, 50);
  answers = { createInvoice: UNKNOWN };
  await tryFor(world, services, 50);
  assertEquals(await stepOfAda(world), "creating");
  answers = {};
  await assertBestWins(world);
});

Deno.test("two lost drafts take the day from nobody whose customer was not known in between", async () => {
  await using world = await twoBidders();
  let answer: () => unknown = lost;
  const services = answering(world, { createInvoice: () => answer() });
  await settleDay(services, { day });
  answer = () => UNKNOWN;
  await tryFor(world, services, 55);
  answer = lost;
  world.clock.advance(6 * MINUTE_MS);
  await settleDay(services, { day, force: true });
  assertEquals(await stepOfAda(world), "creating");
  await assertBestWins(world);
});

Deno.test("a process whose clock is an hour ahead ends no hour of a person", async () => {
  await using world = await companyChanged();
  const services = answering(world, { updateCustomer: () => REFUSED });
  const now = () => world.clock.now() + 61 * MINUTE_MS;
  const ahead = { ...services, clock: { ...services.clock, now } };
  for (let minute = 0; minute < 10; minute++) {
    await settleDay(services, { day });
    await settleDay(ahead, { day, force: true });
    world.clock.advance(MINUTE_MS);
  }
  assertEquals(await stepOfAda(world), "creating");
  await assertBestWins(world);
});
