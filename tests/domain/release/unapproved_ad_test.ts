/**
 * A day that was sold after the backup with an ad that the backup has in another
 * state: what the restored store shows has to be approved there as it stands.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import { createCreative } from "../../../domain/creatives/create_creative.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import { addDays } from "../../../domain/day.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  chargedCents,
  endHold,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";
import { COPY, DECEPTIVE, DESK } from "../creatives/creative_world.ts";

const day = AUCTION_DAY;
const OWNER = { accountId: "acc_ada", grantId: null, binding: null };

/** What is done about an ad, by its owner or at the desk. */
type Act = (services: Services, adId: string) => Promise<unknown>;

const submit: Act = (services, adId) =>
  submitCreative(services, { ...OWNER, adId });
const approve: Act = (services, adId) =>
  approveCreative(services, { adId, by: DESK });
const reject: Act = (services, adId) =>
  rejectCreative(services, { adId, by: DESK, typed: DECEPTIVE });
const withdraw: Act = (services, adId) =>
  withdrawApproval(services, { adId, by: DESK, typed: DECEPTIVE });
const archive: Act = (services, adId) =>
  archiveCreative(services, { ...OWNER, adId });
const edit: Act = (services, adId) => {
  const typed = { headline: "Nobody has seen this" };
  return updateCreative(services, { ...OWNER, adId, typed });
};

async function act(
  services: Services,
  adId: string,
  acts: readonly Act[],
): Promise<void> {
  for (const each of acts) await each(services, adId);
}

/** What is done about the ad, by when. */
interface Story {
  before: readonly Act[];
  lost: readonly Act[];
  onHold: readonly Act[];
}

/** Ada raises to an ad that is approved by then, in a service that is lost. */
async function raisedTo(
  world: AuctionWorld,
  { before, lost }: Omit<Story, "onHold">,
): Promise<{ adId: string; backup: Uint8Array<ArrayBuffer> }> {
  const { services } = world;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("ada"), 500);
  await world.bid(await world.advertiser("bob"), 400);
  const made = await createCreative(services, { ...OWNER, typed: COPY });
  const adId = made.value.ad_id;
  await act(services, adId, before);
  const backup = await backupOf(world);
  await act(services, adId, lost);
  await services.store.transact(async (tx) => {
    const bid = await tx.bids.find(day, OWNER.accountId);
    assert(bid !== null);
    tx.bids.save({ ...bid, adId, amountCents: 900 });
  });
  return { adId, backup };
}

/** The restored store after what was done while it is on hold. */
async function restoredAfter(
  world: AuctionWorld,
  into: TestStore,
  { onHold, ...story }: Story,
): Promise<Services> {
  const { adId, backup } = await raisedTo(world, story);
  await sellDay(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await act(services, adId, onHold);
  return services;
}

async function shown({ store }: Services) {
  const spotlight = await store.spotlights.find(day);
  return [spotlight?.contentType, spotlight?.headline === COPY.headline];
}

const UNAPPROVED: Record<string, Story> = {
  "was changed as a draft": {
    before: [],
    lost: [submit, approve],
    onHold: [edit],
  },
  "was still to be reviewed": {
    before: [submit],
    lost: [approve],
    onHold: [],
  },
  "was rejected": { before: [submit], lost: [approve], onHold: [reject] },
  "had its approval withdrawn": {
    before: [submit, approve],
    lost: [],
    onHold: [withdraw],
  },
};

for (const [what, story] of Object.entries(UNAPPROVED)) {
  for (const then of [[], [archive]]) {
    const how = then.length > 0 ? ", and was archived then" : "";
    Deno.test(`a sold day shows no ad that ${what} on hold${how}, and needs a note`, async () => {
      await using world = await openAuctionWorld();
      await using into = await openTestStore({ clock: world.clock });
      const onHold = [...story.onHold, ...then];
      const services = await restoredAfter(world, into, { ...story, onHold });
      const { left } = await releaseStore(services, { acknowledged: [] });
      assertEquals(left.map(({ kind }) => kind), ["not_adopted"]);
      const [text = ""] = left.map(reviewText);
      const why = then.length > 0
        ? "its creative is archived, and not approved as it stands"
        : "its creative is ";
      assertStringIncludes(text, why);
      const acknowledged = left.map(itemId);
      await releaseStore(services, { acknowledged });
      await advanceAuctions(services);
      assertEquals(await shown(services), ["house_advertisement", false]);
      assertEquals(chargedCents(world), [900]);
    });
  }
}

for (const isNameFrozen of [true, false]) {
  Deno.test(`a sold day shows an ad that was archived as it was approved, with its name ${isNameFrozen ? "frozen" : "as in rows of before"}`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const thaw: Act = ({ store }, adId) =>
      store.transact(async (tx) => {
        const creative = await tx.creatives.find(OWNER.accountId, adId);
        assert(creative !== null);
        const { advertiser: _, ...rest } = creative;
        tx.creatives.save(isNameFrozen ? creative : rest);
      });
    const services = await restoredAfter(world, into, {
      before: [submit, approve, thaw],
      lost: [],
      onHold: [edit, archive],
    });
    const { left } = await releaseStore(services, { acknowledged: [] });
    assertEquals(left, []);
    await advanceAuctions(services);
    assertEquals(await shown(services), ["paid_advertisement", true]);
  });
}

/** An invoice that is paid just when the restored store comes to give it up. */
async function paidMeanwhile(
  world: AuctionWorld,
  into: TestStore,
): Promise<{ services: Services; adId: string }> {
  const story = { before: [], lost: [submit, approve] };
  const { adId, backup } = await raisedTo(world, story);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  const dying = world.another((real) => ({
    ...real,
    payInvoice: () => Promise.reject(new Error("The process is killed")),
  }));
  await settleInTime(world, dying.services).catch(() => {});
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await endHold(services);
  await edit(services, adId);
  await closeDay(services);
  const { processor } = services;
  let isPaid = false;
  const paying: typeof processor = {
    ...processor,
    async retrieveInvoice(id) {
      if (!isPaid) {
        isPaid = true;
        const bid = await services.store.bids.find(day, OWNER.accountId);
        const card = bid?.paymentMethodId ?? "";
        await world.services.processor.payInvoice(id, card, "meanwhile");
      }
      return await processor.retrieveInvoice(id);
    },
  };
  return { services: { ...services, processor: paying }, adId };
}

/** Settles for some minutes, within which it does not come to an end. */
async function settleInVain(
  world: AuctionWorld,
  services: Services,
): Promise<void> {
  await settleInTime(world, services, { minutes: 5 }).catch(() => {});
  assertEquals(chargedCents(world), [900]);
  assertEquals(await services.store.spotlights.find(day), null);
  const taken = world.log.lines.map((line) => JSON.parse(line))
    .find(({ event }) => event === "settlement.day_taken");
  assertEquals(taken?.why, "its creative is draft");
}

Deno.test("an ad that is not approved is not shown where its open invoice turns out paid, but once it is approved", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, adId } = await paidMeanwhile(world, into);
  await settleInVain(world, services);
  await act(services, adId, [submit, approve]);
  await settleInTime(world, services);
  const spotlight = await services.store.spotlights.find(day);
  assertEquals(spotlight?.headline, "Nobody has seen this");
  assertEquals(chargedCents(world), [900]);
});

for (
  const [when, acts] of [["never", []], ["only then", [
    submit,
    approve,
  ]]] as const
) {
  Deno.test(`what an open invoice turns out to have paid for an ad that is ${when} approved goes back once the day is over`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services, adId } = await paidMeanwhile(world, into);
    await settleInVain(world, services);
    world.clock.set(`${addDays(day, 2)}T00:00:00.000Z`);
    await act(services, adId, acts);
    await settleInTime(world, services);
    await refundDueInvoices(services);
    assertEquals(await shown(services), ["house_advertisement", false]);
    const [charge] = world.simulator.control.objects("charge");
    assertEquals(charge?.amount_refunded, 900);
  });
}

Deno.test("an open invoice for an ad that is not approved is given up, and the day goes to the next bid", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services } = await paidMeanwhile(world, into);
  const { processor } = gatedOver(world, into);
  await settleInTime(world, { ...services, processor });
  const [invoice] = world.simulator.control.objects("invoice");
  assertEquals(invoice?.status, "void");
  const bid = await services.store.bids.find(day, OWNER.accountId);
  assertEquals(bid?.status, "void");
  const spotlight = await services.store.spotlights.find(day);
  assertEquals(spotlight?.accountId, "acc_bob");
  assertEquals(chargedCents(world), [400]);
});
