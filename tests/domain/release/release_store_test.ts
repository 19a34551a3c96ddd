import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreOnHold } from "../../../domain/failure.ts";
import { actAs, type ActOrder } from "../../../domain/audit/act_as.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Services } from "../../../domain/ports.ts";
import { readReview } from "../../../domain/release/read_review.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { grantToken } from "../../simulators/stripe/support.ts";
import {
  backupOf,
  chargedCents,
  gatedOver,
  raiseBid,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const NOTHING = { acknowledged: [] };
const BY_KEY: ActOrder = {
  by: { kind: "key", name: "night shift" },
  act: "store.release",
  subject: null,
};

/** A day that was sold to a raise after the backup; the restored service. */
async function soldToRaise(
  world: AuctionWorld,
  into: TestStore,
): Promise<Services> {
  const raised = await world.advertiser("raised");
  await world.bid(raised, 500);
  await world.bid(await world.advertiser("other"), 700);
  await closeDayLater(world);
  const backup = await backupOf(world);
  await raiseBid(world.services, raised, 900);
  await sellDay(world);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** The day is open in the backup. */
async function closeDayLater({ services }: AuctionWorld): Promise<void> {
  await openAuction(services, { day: AUCTION_DAY });
}

function kindsOf(items: readonly { kind: string }[]): string[] {
  return items.map(({ kind }) => kind).toSorted();
}

/** What was asked of the processor but to be read. */
function actsOf({ simulator }: AuctionWorld): string[] {
  return simulator.control.requests()
    .filter(({ method }) => method !== "GET")
    .map(({ path }) => path);
}

async function assertReleased(
  world: AuctionWorld,
  { store }: Services,
  what = "",
): Promise<void> {
  assertEquals(await store.currentHold(), null, what);
  assertEquals(chargedCents(world), [900], what);
  const bids = await store.listBids(AUCTION_DAY, { limit: 9 });
  const states = bids.map((bid) =>
    `${bid.accountId} ${bid.amountCents} ${bid.status}`
  );
  assertEquals(states, ["acc_other 700 active", "acc_raised 900 won"], what);
  const books = await store.listLedger({ limit: 9 });
  assertEquals(books.map(({ id }) => id), [`settlement:${AUCTION_DAY}`], what);
}

Deno.test("releaseStore() settles a sold day with the bid that has paid, asking the processor for nothing", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToRaise(world, into);
  world.simulator.control.clearRequests();
  const { items } = await reviewHold(services);
  assertEquals(kindsOf(items), ["day_sold"]);
  await assertRejects(
    () => settleDay(services, { day: AUCTION_DAY }),
    StoreOnHold,
  );
  const { adopted, left } = await releaseStore(services, NOTHING);
  assertEquals([adopted.length, left], [1, []]);
  assertEquals(actsOf(world), []);
  await assertReleased(world, services);
});

Deno.test("releaseStore() again changes nothing", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToRaise(world, into);
  const first = await releaseStore(services, NOTHING);
  world.clock.advance(1_000);
  const again = await releaseStore(services, NOTHING);
  assertEquals(again, { ...first, adopted: [], items: [], left: [] });
  await assertReleased(world, services);
});

Deno.test("a crash at any commit of a release leaves a store on hold or one that is released", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await soldToRaise(world, into);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    await releaseStore(gatedOver(world, doomed), NOTHING).catch(orCrash);
    await releaseInTime(world, services);
    await assertReleased(world, services, JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 10, `${points} crash points`);
});

Deno.test("a crash around any call of a release leaves a store on hold or one that is released", async () => {
  for (let call = 1, isAlive = false; !isAlive; call++) {
    for (const when of ["before", "after"] as const) {
      await using world = await openAuctionWorld();
      await using into = await openTestStore({ clock: world.clock });
      const services = await soldToRaise(world, into);
      isAlive = true;
      const processor = crashingProcessor(
        services.processor,
        { call, when },
        () => {
          isAlive = false;
        },
      );
      await releaseStore({ ...services, processor }, NOTHING).catch(orCrash);
      await releaseInTime(world, services);
      await assertReleased(world, services, `${when} call ${call}`);
    }
  }
});

function orCrash(error: unknown): void {
  if (!isCrash(error)) throw error;
}

/** The lease that a crash left behind runs out. */
async function releaseInTime(
  { clock }: AuctionWorld,
  services: Services,
): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    const { left } = await releaseStore(services, NOTHING);
    if (left.length === 0) return;
    clock.advance(60_000);
  }
}

Deno.test("releaseStore() waits until what only a person can decide is acknowledged", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("known"), 500);
  const backup = await backupOf(world);
  await world.bid(await world.advertiser("stranger"), 900);
  await sellDay(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { left } = await releaseStore(services, NOTHING);
  assertEquals(kindsOf(left), ["day_sold_to_unknown"]);
  assert(await services.store.currentHold());
  const names = left.map(itemId);
  const other = await releaseStore(services, { acknowledged: ["invoice:x"] });
  assertEquals(other.left, left);
  const released = await actAs(
    services,
    BY_KEY,
    (acting) => releaseStore(acting, { acknowledged: names }),
  );
  assertEquals(released.left, []);
  assertEquals(released.hold?.acknowledged, names);
  assertEquals(await services.store.currentHold(), null);
  const everyAct = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  const page = { limit: 9, before: null };
  const [act] = await services.store.listOperatorActs(everyAct, page);
  assertEquals(act?.change, {
    before: { on_hold: true },
    after: {
      on_hold: false,
      acknowledged: 1,
      acknowledged_1: names.join(", "),
    },
  });
  assert(world.log.events.includes("hold.released"));
  // Whoever acknowledged it has not sold the day a second time.
  await closeDay(services);
  await settleDay(services, { day: AUCTION_DAY });
  assertEquals(chargedCents(world), [900]);
});

Deno.test("releaseStore() books the refund of a day that was sold and given back since the backup", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("winner"), 900);
  await closeDayLater(world);
  const backup = await backupOf(world);
  await sellDay(world);
  await refundSpotlight(world.services, { day: AUCTION_DAY, note: "sorry" });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  world.simulator.control.clearRequests();
  const { left, adopted } = await releaseStore(services, NOTHING);
  assertEquals([left, adopted.length], [[], 2]);
  assertEquals(actsOf(world), []);
  const [invoice] = world.simulator.control.objects("invoice");
  const booked = await services.store.invoices.find(invoice?.id ?? "");
  assertEquals([booked?.money, booked?.creditNotes.length], ["refunded", 1]);
  await assertBooksAgree(world, services);
});

Deno.test("releaseStore() books a part that was given back by hand, and gives back no more", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("winner"), 900);
  await sellDay(world);
  const backup = await backupOf(world);
  const [charge] = world.simulator.control.objects("charge");
  await world.stripe.refunds.create({ charge: charge?.id ?? "", amount: 300 });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { left } = await releaseStore(services, NOTHING);
  assertEquals(left, []);
  const [found] = world.simulator.control.objects("invoice");
  const invoice = await services.store.invoices.find(found?.id ?? "");
  const refunds = invoice?.refunds.map(({ amountCents }) => amountCents);
  assertEquals([invoice?.money, refunds], ["sold", [300]]);
  await assertBooksAgree(world, services);
});

Deno.test("releaseStore() books a dispute that was opened since the backup", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const winner = await world.advertiser("winner");
  await world.bid(winner, 900);
  await sellDay(world);
  const backup = await backupOf(world);
  const [charge] = world.simulator.control.objects("charge");
  const { id } = world.simulator.control.disputes.open(charge?.id ?? "");
  await syncDispute(world.services, id);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { left } = await releaseStore(services, NOTHING);
  assertEquals(left, []);
  assertEquals((await services.store.disputes.find(id))?.state, "open");
  const account = await services.store.accounts.find(winner.account.id);
  assertEquals(account?.disputeOpen, true);
  await assertBooksAgree(world, services);
});

Deno.test("a review names payments for figures that the backup does not know", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  const { id: token } = await grantToken(world.stripe, { maxAmount: 100 });
  const paid = await world.services.processor.chargeSharedToken({
    amountCents: 100,
    token,
    metadata: { purpose: "metrics", day: "2026-11-19", payment_id: "unknown" },
  }, "key");
  await restoreInto(into, backup);
  const { items } = await reviewHold(gatedOver(world, into));
  assertEquals(items, [{
    kind: "figures_unknown",
    paymentId: paid.ok ? paid.value.id : "",
    day: "2026-11-19",
  }]);
});

Deno.test("a review names an invoice that may still be paid", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const bidder = await world.advertiser("bidder");
  const bid = await world.bid(bidder, 900);
  const backup = await backupOf(world);
  const customer = bidder.account.processorCustomerId ?? "";
  for (const bid_id of [bid.id, "bid_else"]) {
    const { id = "" } = await world.stripe.invoices.create({
      customer,
      metadata: { purpose: "spotlight", day: AUCTION_DAY, bid_id },
    });
    const line = { customer, invoice: id, amount: 900, currency: "eur" };
    await world.stripe.invoiceItems.create(line);
    await world.stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  }
  // A draft charges nobody, and what is of no Spotlight is somebody else's.
  const metadata = { purpose: "spotlight", day: AUCTION_DAY, bid_id: bid.id };
  await world.stripe.invoices.create({ customer, metadata });
  const { id: others = "" } = await world.stripe.invoices.create({
    customer,
    metadata: { ...metadata, purpose: "consulting" },
  });
  await world.stripe.invoices.finalizeInvoice(others, { auto_advance: false });
  await restoreInto(into, backup);
  const { items } = await reviewHold(gatedOver(world, into));
  assertEquals(
    items.map((item) => item.kind === "invoice_open" && item.isBidKnown),
    [true, false],
  );
  items.forEach((item) =>
    assert(reviewText(item).includes(itemId(item).split(":")[1] ?? "?"))
  );
  const [known] = items.map(reviewText);
  assert(known?.includes("looked at again before the charge"));
});

Deno.test("what is to be taken over is not noted as what could not be", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToRaise(world, into);
  const { items } = await reviewHold(services);
  await services.store.transact(async (tx) => {
    const creative = await tx.creatives.find("acc_raised", "ad_raised");
    if (creative) tx.creatives.save({ ...creative, state: "rejected" });
  });
  const noted = { acknowledged: items.map(itemId) };
  const { left } = await releaseStore(services, noted);
  assertEquals(kindsOf(left), ["not_adopted"]);
  assert(await services.store.currentHold());
});

Deno.test("a review says what it has not read to its end", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  await world.bid(await world.advertiser("winner"), 900);
  await sellDay(world);
  await restoreInto(into, backup);
  const items = await readReview(gatedOver(world, into), {
    backupAtMs: null,
    acknowledged: [],
  }, {
    invoices: 1,
    movements: 1,
    disputes: 1,
    items: 0,
  });
  assertEquals(items, [{ kind: "not_all_read", what: "items" }]);
});

Deno.test("releaseStore() never releases a drill, nor half a restore", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, await backupOf(world), { isDrill: true });
  const services = gatedOver(world, into);
  assert((await toldBy(services)).includes("never released"));
  assertEquals((await services.store.currentHold())?.kind, "drill");
  await services.store.transact(async (tx) => {
    const hold = await tx.holds.find();
    if (hold === null) throw new Error("There is a hold");
    tx.holds.save({ ...hold, kind: "restored", isWhole: false });
  });
  assert((await toldBy(services)).includes("run it again"));
  assert(await services.store.currentHold());
});

/** What an operator is told whose release is refused. */
async function toldBy(services: Services): Promise<string> {
  const release = () => releaseStore(services, NOTHING);
  return (await assertRefused(release, "invalid_input")).message;
}

/** Everything that the processor moved is booked, and everything sums to zero. */
async function assertBooksAgree(
  world: AuctionWorld,
  services: Services,
): Promise<void> {
  const missing = await readReview(services, {
    backupAtMs: 0,
    acknowledged: [],
  });
  assertEquals(missing, []);
  const entries = await services.store.listLedger({ limit: 100 });
  const cents = entries.flatMap(({ lines }) => lines)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  assertEquals(cents, 0);
  assert(chargedCents(world).length === 1);
}
