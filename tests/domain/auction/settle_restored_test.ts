import { assertEquals } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import { dump } from "../../../kv/dump.ts";
import { restore } from "../../../kv/restore.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** Longer than the processor remembers the keys of calls. */
const KEYS_FORGOTTEN_MS = 26 * 3_600_000;

/** The service over an empty store into which a backup was brought back. */
async function restored(
  { services, clock }: AuctionWorld,
  into: TestStore,
  backup: Uint8Array<ArrayBuffer>,
): Promise<Services> {
  await restore({
    kv: into.realKv,
    clock,
    open: () => new Blob([backup]).stream(),
  });
  return { ...services, store: into.store, archive: into.archive };
}

async function backupOf({ testStore }: AuctionWorld) {
  const chunks = dump(testStore.realKv);
  return new Uint8Array(await new Response(chunks).arrayBuffer());
}

function chargedCents({ simulator }: AuctionWorld): number[] {
  return simulator.control.objects("charge").map(({ amount }) => amount);
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
  const books = await services.store.listLedger({ limit: 9 });
  assertEquals(books.map(({ id }) => id), [`settlement:${AUCTION_DAY}`]);
});

Deno.test("a draft that was made before a long outage is gone on with, not made anew", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("lucky"), 700);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
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
