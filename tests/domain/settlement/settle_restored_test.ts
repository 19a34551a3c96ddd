import { assert, assertEquals } from "@std/assert";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  chargedCents,
  endHold,
  raiseBid,
  restoreInto,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** Longer than the processor remembers the keys of calls. */
const KEYS_FORGOTTEN_MS = 26 * 3_600_000;
/** So early that its time on show is not over once the keys are forgotten. */
const CLOSED_EARLY = `${AUCTION_DAY}T20:00:00.000Z`;

/** The service over an empty store into which a backup was brought back. */
async function restored(
  { services }: AuctionWorld,
  into: TestStore,
  backup: Uint8Array<ArrayBuffer>,
): Promise<Services> {
  await restoreInto(into, backup);
  const over = { ...services, store: into.store, archive: into.archive };
  // An operator who has looked at nothing: settling itself must see to it.
  await endHold(over);
  return over;
}

Deno.test("a winner who has paid is not charged again after a backup of before is restored", async () => {
  await using world = await openAuctionWorld();
  const winner = await world.advertiser("lucky");
  await world.bid(winner, 700);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  const backup = await backupOf(world);
  await settleInTime(world);
  assertEquals(chargedCents(world), [700]);
  world.clock.advance(KEYS_FORGOTTEN_MS);
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, backup);
  await settleInTime(world, services);
  assertEquals(chargedCents(world), [700]);
  const { account } = winner;
  const bid = await services.store.bids.find(AUCTION_DAY, account.id);
  assertEquals(bid?.status, "won");
  // Nobody has to look at the bid's own invoice, which is as the bid is.
  const { events } = world.log;
  assert(!events.includes("settlement.invoice_adopted"));
  const books = await services.store.listLedger({ limit: 9 });
  assertEquals(books.map(({ id }) => id), [`settlement:${AUCTION_DAY}`]);
});

Deno.test("a draft that was made before a long outage is gone on with, not made anew", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("lucky"), 700);
  world.clock.set(CLOSED_EARLY);
  await closeDay(world.services);
  let isDead = false;
  const { services } = world.another((real) => ({
    ...real,
    async createInvoice(...input) {
      await real.createInvoice(...input);
      isDead = true;
      throw new Error("The process is killed");
    },
  }));
  await settleInTime(world, services).catch(() => {});
  assertEquals(isDead, true);
  world.clock.advance(KEYS_FORGOTTEN_MS);
  await settleInTime(world);
  assertEquals(world.simulator.control.objects("invoice").length, 1);
  assertEquals(chargedCents(world), [700]);
});

for (
  const [when, laterMs] of [["at once", 0], [
    "later",
    KEYS_FORGOTTEN_MS,
  ]] as const
) {
  Deno.test(`the draft of a raise that the backup does not know keeps nobody from winning, ${when}`, async () => {
    for (const call of ["createInvoice", "addInvoiceLine"] as const) {
      await using world = await openAuctionWorld();
      const raised = await world.advertiser("raised");
      await world.bid(raised, 800);
      await world.bid(await world.advertiser("other"), 700);
      const backup = await backupOf(world);
      await raiseBid(world.services, raised, 900);
      world.clock.set(CLOSED_EARLY);
      await closeDay(world.services);
      await settleInTime(world, dyingAfter(world, call)).catch(() => {});
      assertEquals(world.simulator.control.objects("invoice").length, 1);
      world.clock.advance(laterMs);
      await using into = await openTestStore({ clock: world.clock });
      const services = await restored(world, into, backup);
      await closeDay(services);
      await settleInTime(world, services);
      assertEquals(chargedCents(world), [800], call);
      const { account } = raised;
      const bid = await services.store.bids.find(AUCTION_DAY, account.id);
      assertEquals(bid?.status, "won", call);
    }
  });
}

/** A process that is killed once a call to the processor has taken effect. */
function dyingAfter(
  world: AuctionWorld,
  call: "createInvoice" | "addInvoiceLine",
): Services {
  return world.another((real) => ({
    ...real,
    async [call](...input: unknown[]): Promise<never> {
      await (real[call] as (...input: unknown[]) => Promise<unknown>)(...input);
      throw new Error("The process is killed");
    },
  })).services;
}

/** Two bidders, a backup, a raise that only the lost service knew, its end. */
async function soldAfterBackup(
  world: AuctionWorld,
): Promise<Uint8Array<ArrayBuffer>> {
  const raised = await world.advertiser("raised");
  await world.bid(raised, 500);
  await world.bid(await world.advertiser("other"), 700);
  const backup = await backupOf(world);
  await raiseBid(world.services, raised, 900);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
  assertEquals(chargedCents(world), [900]);
  world.clock.advance(KEYS_FORGOTTEN_MS);
  return backup;
}

/** What has to be left of a day that `soldAfterBackup` sold. */
async function assertSoldOnce(
  world: AuctionWorld,
  { store }: Services,
  what = "",
): Promise<void> {
  assertEquals(chargedCents(world), [900], what);
  const bids = await store.listBids(AUCTION_DAY, { limit: 9 });
  assertEquals(
    bids.map(({ accountId, amountCents, status }) =>
      `${accountId} ${amountCents} ${status}`
    ),
    ["acc_other 700 active", "acc_raised 900 won"],
    what,
  );
  const books = await store.listLedger({ limit: 9 });
  assertEquals(books.map(({ id }) => id), [`settlement:${AUCTION_DAY}`], what);
  assertEquals((await store.spotlights.find(AUCTION_DAY))?.adId, "ad_raised");
}

Deno.test("a day that was sold to a raise after the backup is settled as that raise, and nobody else is charged", async () => {
  await using world = await openAuctionWorld();
  const backup = await soldAfterBackup(world);
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, backup);
  await closeDay(services);
  await settleInTime(world, services);
  await assertSoldOnce(world, services);
  assert(world.log.events.includes("settlement.invoice_adopted"));
});

Deno.test("a crash at any commit of adopting a sold day ends the same", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    const backup = await soldAfterBackup(world);
    await using into = await openTestStore({ clock: world.clock });
    const services = await restored(world, into, backup);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    await liveUntilCrash(async () => {
      const { store, archive } = doomed;
      await closeDay({ ...services, store, archive });
      await settleInTime(world, { ...services, store, archive });
    });
    await closeDay(services);
    await settleInTime(world, services);
    await assertSoldOnce(world, services, JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 6, `${points} crash points`);
});

async function liveUntilCrash(live: () => Promise<void>): Promise<void> {
  try {
    await live();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("a raised bid that the backup ranks first is settled as the raise it was charged", async () => {
  await using world = await openAuctionWorld();
  const winner = await world.advertiser("lucky");
  await world.bid(winner, 700);
  const backup = await backupOf(world);
  await raiseBid(world.services, winner, 900);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, backup);
  await closeDay(services);
  await settleInTime(world, services);
  assertEquals(chargedCents(world), [900]);
  const bid = await services.store.bids.find(AUCTION_DAY, winner.account.id);
  assertEquals([bid?.amountCents, bid?.status], [900, "won"]);
});

Deno.test("an invoice that was open when the service was lost is gone on with, whoever else the backup ranks first", async () => {
  await using world = await openAuctionWorld();
  const raised = await world.advertiser("raised");
  await world.bid(raised, 500);
  await world.bid(await world.advertiser("other"), 700);
  const backup = await backupOf(world);
  await raiseBid(world.services, raised, 900);
  world.clock.set(CLOSED_EARLY);
  await closeDay(world.services);
  const dying = world.another((real) => ({
    ...real,
    payInvoice: () => Promise.reject(new Error("The process is killed")),
  }));
  await settleInTime(world, dying.services).catch(() => {});
  assertEquals(chargedCents(world), []);
  world.clock.advance(KEYS_FORGOTTEN_MS);
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, backup);
  await closeDay(services);
  await settleInTime(world, services);
  await assertSoldOnce(world, services);
});

/** A day sold to somebody of whom the backup knows nothing. */
async function soldToStranger(world: AuctionWorld, into: TestStore) {
  await world.bid(await world.advertiser("known"), 500);
  const backup = await backupOf(world);
  await world.bid(await world.advertiser("stranger"), 900);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
  const services = await restored(world, into, backup);
  await closeDay(services);
  return services;
}

async function settleFor(
  { clock }: AuctionWorld,
  services: Services,
  minutes: number,
): Promise<string> {
  for (let minute = 0; minute < minutes; minute++) {
    const { state } = await settleDay(services, { day: AUCTION_DAY });
    if (state === "settled") return state;
    clock.advance(60_000);
  }
  return "running";
}

Deno.test("a day that was sold to a bid of which the backup knows nothing is sold to nobody else, and reported", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToStranger(world, into);
  assertEquals(await settleFor(world, services, 200), "running");
  assertEquals(chargedCents(world), [900]);
  const invoices = world.simulator.control.objects("invoice");
  assertEquals(invoices.map(({ status }) => status), ["paid"]);
  const taken = world.log.lines.map((line) => JSON.parse(line))
    .find(({ event }) => event === "settlement.day_taken");
  assertEquals([taken.day, taken.why], [AUCTION_DAY, "its bid is not known"]);
});

Deno.test("a day goes on once a person has given all money of the unknown bid back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToStranger(world, into);
  assertEquals(await settleFor(world, services, 2), "running");
  const [charge] = world.simulator.control.objects("charge");
  const charged = { charge: charge?.id ?? "" };
  await world.stripe.refunds.create({ ...charged, amount: 899 });
  assertEquals(await settleFor(world, services, 20), "running");
  await world.stripe.refunds.create(charged);
  assertEquals(await settleFor(world, services, 20), "settled");
  const bid = await services.store.bids.find(AUCTION_DAY, "acc_known");
  assertEquals(bid?.status, "won");
});

Deno.test("nobody is charged while the processor does not list the day's invoices", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("lucky"), 700);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  const { control } = world.simulator;
  control.addFault({
    kind: "error_before_effect",
    method: "GET",
    path: "/v1/invoices",
    times: null,
  });
  assertEquals(await settleFor(world, world.services, 20), "running");
  assertEquals(control.objects("invoice").length, 0);
  control.clearFaults();
  assertEquals(await settleFor(world, world.services, 10), "settled");
  assertEquals(chargedCents(world), [700]);
});

Deno.test("an invoice of another bid that appears before the payment is asked for keeps both from being charged", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("lucky"), 700);
  const other = await world.advertiser("other");
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  const { services } = world.another((real) => ({
    ...real,
    async finalizeInvoice(...input) {
      const done = await real.finalizeInvoice(...input);
      await openInvoiceOf(world, other);
      return done;
    },
  }));
  assertEquals(await settleFor(world, services, 200), "running");
  assertEquals(chargedCents(world), []);
  assert(world.log.events.includes("settlement.day_taken"));
});

/** As another service over another copy of the store would make it. */
async function openInvoiceOf(
  { stripe }: AuctionWorld,
  { account }: Advertiser,
): Promise<void> {
  const customer = account.processorCustomerId ?? "";
  const { id } = await stripe.invoices.create({
    customer,
    currency: "eur",
    metadata: { purpose: "spotlight", day: AUCTION_DAY, bid_id: "bid_else" },
  });
  const invoice = id ?? "";
  await stripe.invoiceItems.create({
    customer,
    invoice,
    amount: 600,
    currency: "eur",
  });
  await stripe.invoices.finalizeInvoice(invoice, { auto_advance: false });
}
