/**
 * What the processor has and the store can't be brought in line with: it is a
 * person's to look at, and never keeps the store on hold for good.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  ProcessorUncertain,
  StoreUnavailable,
} from "../../../domain/failure.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId, type ReviewItem } from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import {
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const NOTHING = { acknowledged: [] };

/** A transfer that was made after the backup; the restored service. */
async function withTransfer(
  day: PayoutWorld,
  into: TestStore,
  make: () => Promise<unknown>,
): Promise<Services> {
  const backup = await backupOf(day.world);
  await make();
  await restoreInto(into, backup);
  return gatedOver(day.world, into);
}

/** Releases the store once all that is left is noted; answers what was. */
async function releaseNoted(
  services: Services,
): Promise<readonly ReviewItem[]> {
  const first = await releaseStore(services, NOTHING);
  assertEquals(first.hold?.releasedAtMs, null);
  assertEquals(first.adopted, []);
  const noted = { acknowledged: first.left.map(itemId) };
  const { hold, left } = await releaseStore(services, noted);
  assertEquals(left, []);
  assert(hold !== null && hold.releasedAtMs !== null);
  return first.left;
}

/** What is written on transfers that belong to nothing here. */
const STRANGE: readonly [string, Record<string, string>][] = [
  ["was made by hand", {}],
  ["pays an account that is not known here", {
    payout_id: "po_strange",
    account_id: "acc_strange",
  }],
];

for (const [what, metadata] of STRANGE) {
  Deno.test(`a transfer that ${what} is told as what belongs to nothing, and is noted`, async () => {
    await using day = await openPayoutWorld();
    await using into = await openTestStore({ clock: day.world.clock });
    const { destination, world: { services: { processor } } } = day;
    const services = await withTransfer(
      day,
      into,
      () =>
        processor.createTransfer({
          group: "by hand",
          destination,
          amountCents: 500,
          metadata,
        }, "by hand"),
    );
    const [item, ...others] = await releaseNoted(services);
    assertEquals(others, []);
    assert(item?.kind === "not_adopted");
    assert(reviewText(item).includes("belongs to"), reviewText(item));
    assertEquals(await services.store.payouts.find("po_strange"), null);
  });
}

/** Processors that make nothing of a transfer, and what is told of each. */
const FAILING: readonly [string, Partial<Processor>, RegExp][] = [
  [
    "breaks",
    { retrieveTransfer: () => Promise.reject(new TypeError("secret words")) },
    /failed here \(TypeError\)/,
  ],
  [
    "is refused",
    {
      retrieveTransfer: () =>
        Promise.resolve({ ok: false, code: "no", message: "no" }),
    },
    /the processor refused it/,
  ],
  [
    "gets no answer",
    {
      retrieveTransfer: () =>
        Promise.reject(new ProcessorUncertain("secret words")),
    },
    /the processor gave no answer/,
  ],
];

for (const [what, changes, told] of FAILING) {
  Deno.test(`an item whose adoption ${what} keeps the store on hold no longer than until it is noted`, async () => {
    await using day = await openPayoutWorld();
    await using into = await openTestStore({ clock: day.world.clock });
    const real = await withTransfer(day, into, async () => {
      await day.ask();
      await day.send();
    });
    const processor = { ...real.processor, ...changes };
    const [item] = await releaseNoted({ ...real, processor });
    assert(item?.kind === "not_adopted");
    assert(told.test(reviewText(item)), reviewText(item));
    const lines = day.world.log.lines.join("\n");
    assertEquals(lines.includes("hold.adopt_failed"), what === "breaks");
    assert(!lines.includes("secret words"));
  });
}

Deno.test("a store that does not answer while an item is adopted ends the release, and no item is told as one that fails here", async () => {
  await using day = await openPayoutWorld();
  await using into = await openTestStore({ clock: day.world.clock });
  const real = await withTransfer(day, into, async () => {
    await day.ask();
    await day.send();
  });
  const retrieveTransfer = () =>
    Promise.reject(new StoreUnavailable("the store does not answer"));
  const processor = { ...real.processor, retrieveTransfer };
  await assertRejects(
    () => releaseStore({ ...real, processor }, NOTHING),
    StoreUnavailable,
  );
  assertEquals((await real.store.currentHold())?.releasedAtMs, null);
  assert(!day.world.log.lines.join("\n").includes("hold.adopt_failed"));
});

Deno.test("a refund that came back after the backup is booked both ways, and the store is released", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("winner"), 900);
  await sellDay(world);
  const backup = await backupOf(world);
  const { id } = await refundSpotlight(world.services, {
    day: AUCTION_DAY,
    note: "goodwill",
  });
  const [refund] = world.simulator.control.objects("refund");
  assert(refund !== undefined);
  world.simulator.control.failRefund(refund.id);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const { adopted, left } = await releaseStore(services, NOTHING);
  assertEquals(left, []);
  assert(adopted.includes(`refund_came_back:${refund.id}`));
  const invoice = await services.store.invoices.find(id);
  assertEquals([invoice?.refunds, invoice?.failedRefunds], [[], [refund.id]]);
  // Its credit note is a document, whatever became of the money.
  const [note] = world.simulator.control.objects("credit_note");
  assert(note !== undefined);
  assertEquals(invoice?.creditNotes.map((each) => each.number), [note.number]);
  const task = await services.store.archiveTasks.find(note.number);
  assertEquals(task?.documentId, note.id);
  const ledger = await services.store.listLedger({ limit: 99 });
  assertEquals(
    ledger.filter(({ kind }) => kind === "refund").map((entry) => entry.id)
      .toSorted(),
    [`refund:${refund.id}`, `refund_failure:${refund.id}`],
  );
});
