/**
 * A day whose winner's time on show is over before it is settled: after an
 * outage, a hold or a dispute there is nothing left to sell.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays, DAY_MS, startOfDayMs } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  gatedOver,
  releaseNoted,
  restoreInto,
} from "../../support/restored_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";
import { openTestStore } from "../../support/store.ts";

const day = AUCTION_DAY;
const NEXT_CLOSE = `${addDays(day, 1)}T23:55:00.000Z`;

async function twoBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await openAuction(world.services, { day });
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  return world;
}

async function outcome(world: AuctionWorld) {
  const { spotlight, bids, chargedCents, openInvoices } = await outcomeOfDay(
    world,
  );
  return { spotlight, bids, chargedCents, openInvoices };
}

const UNSOLD = {
  spotlight: "house_advertisement",
  bids: { acc_ada: "void", acc_bob: "void" },
  chargedCents: [],
  openInvoices: 0,
};

Deno.test("nobody is charged for a day whose time on show was over in an outage, and its bidders are told why", async () => {
  await using world = await twoBidders();
  world.clock.set(startOfDayMs(addDays(day, 10)) + DAY_MS / 2);
  await advanceAuctions(world.services);
  assertEquals(await outcome(world), UNSOLD);
  assertEquals(world.simulator.control.objects("invoice").length, 0);
  const { store } = world.services;
  const mails = await store.listMails({ limit: 20 });
  assertEquals(mails.map(({ kind }) => kind), [
    "bid_void",
    "bid_void",
  ]);
  const said = JSON.stringify(mails[0]);
  assertStringIncludes(said, "Its time on show was over before we could");
  assertStringIncludes(said, "You are not\\ncharged.");
});

Deno.test("a day is sold until its time on show is over, and not at that moment", async () => {
  await using world = await twoBidders();
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  world.clock.set(Date.parse(NEXT_CLOSE) - 60_000);
  await settleInTime(world, world.services, { minutes: 1 });
  assertEquals((await outcome(world)).chargedCents, [2500]);
  await using late = await twoBidders();
  late.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(late.services);
  late.clock.set(NEXT_CLOSE);
  await settleInTime(late);
  assertEquals(await outcome(late), UNSOLD);
});

Deno.test("no invoice is made for a day whose time on show ends while the processor does not list its invoices", async () => {
  await using world = await twoBidders();
  const { services, clock, simulator: { control } } = world;
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  const kind = "reset_before_effect";
  const fault = control.addFault({
    kind,
    method: "GET",
    path: "/v1/invoices",
    times: null,
  });
  const { candidates } = await settleDay(services, { day });
  assertEquals(candidates[0]?.step, "creating");
  control.removeFault(fault);
  clock.set(NEXT_CLOSE);
  await settleInTime(world);
  assertEquals(await outcome(world), UNSOLD);
  const asked = control.requests().filter(({ method }) => method === "POST");
  assertEquals(asked.filter(({ path }) => path === "/v1/invoices"), []);
});

Deno.test("a day is not sold once the next was closed early", async () => {
  await using world = await twoBidders();
  const { services, clock } = world;
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  clock.set(`${addDays(day, 1)}T09:00:00.000Z`);
  await openAuction(services, { day: addDays(day, 1) });
  await closeAuction(services, { day: addDays(day, 1) });
  await settleInTime(world);
  assertEquals(await outcome(world), UNSOLD);
});

Deno.test("a release charges nobody for a day whose time on show ended on hold", async () => {
  await using world = await twoBidders();
  const backup = await backupOf(world);
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  world.clock.set(`${day}T23:55:00.000Z`);
  world.clock.advance(2 * DAY_MS);
  await releaseNoted(services);
  await advanceAuctions(services);
  const spotlight = await services.store.spotlights.find(day);
  assertEquals(spotlight?.contentType, "house_advertisement");
  assertEquals(world.simulator.control.objects("charge").length, 0);
});

/** The outage begins in the middle of a charge, at this call. */
const BEGUN: [path: string, kind: FaultKind, charged: number[]][] = [
  ["/v1/invoices", "reset_before_effect", []],
  ["/v1/invoiceitems", "reset_after_effect", []],
  ["/v1/invoices/*/finalize", "reset_after_effect", []],
  ["/v1/invoices/*/pay", "reset_before_effect", []],
  ["/v1/invoices/*/pay", "reset_after_effect", [2500]],
];

for (const [path, kind, charged] of BEGUN) {
  Deno.test(`a day that is over is sold only if its payment was made: ${kind} at ${path}`, async () => {
    await using world = await twoBidders();
    world.clock.set(`${day}T23:55:00.000Z`);
    await closeDay(world.services);
    world.simulator.control.addFault({ kind, method: "POST", path });
    const { state } = await settleDay(world.services, { day });
    assertEquals(state, "running");
    world.clock.set(NEXT_CLOSE);
    await settleInTime(world);
    const { chargedCents, openInvoices, spotlight } = await outcome(world);
    assertEquals([chargedCents, openInvoices], [charged, 0]);
    const isSold = charged.length > 0;
    assertEquals(spotlight, isSold ? "acc_ada" : "house_advertisement");
  });
}

Deno.test("a clock of ours that is days ahead takes no day from its winner", async () => {
  await using world = await twoBidders();
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  const { services, clock } = world;
  const ahead = {
    ...services,
    clock: { ...clock, now: () => clock.now() + 3 * DAY_MS },
  };
  await settleDay(ahead, { day, force: true });
  assertEquals((await outcome(world)).chargedCents, [2500]);
});

Deno.test("a process that sleeps before it asks for the payment, until the day is over, charges nobody", async () => {
  let asleep = 0;
  for (let commit = 1; commit <= 12; commit++) {
    await using world = await twoBidders();
    world.clock.set(`${day}T23:55:00.000Z`);
    await closeDay(world.services);
    const { store, processor } = world.services;
    let commits = 0;
    let isPaid = false;
    const sleeping: Services = {
      ...world.services,
      store: {
        ...store,
        transact: async (verb) => {
          const done = await store.transact(verb);
          commits += 1;
          if (commits === commit && !isPaid) {
            asleep += 1;
            world.clock.advance(3 * DAY_MS);
          }
          return done;
        },
      },
      processor: {
        ...processor,
        payInvoice: (...asked) => {
          isPaid = true;
          return processor.payInvoice(...asked);
        },
      },
    };
    await settleDay(sleeping, { day });
    const isWoken = world.clock.now() > startOfDayMs(addDays(day, 2));
    for (let nth = 0; nth < 9; nth++) {
      world.clock.advance(600_000);
      await settleDay(world.services, { day, force: true });
    }
    const { chargedCents } = await outcome(world);
    assertEquals(chargedCents, isWoken ? [] : [2500], `commit ${commit}`);
  }
  assert(asleep >= 5, `${asleep} commits come before the payment`);
});
