import { assertEquals } from "@std/assert";
import { openAuction } from "../../domain/auction/open_auction.ts";
import type { Hold } from "../../domain/hold/hold.ts";
import type { Services } from "../../domain/ports.ts";
import { gatedPorts } from "../../domain/hold/gate.ts";
import { releaseStore } from "../../domain/release/release_store.ts";
import { itemId } from "../../domain/release/review.ts";
import { dump } from "../../kv/dump.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
} from "./auction_world.ts";
import { TEST_KEYS } from "./keys.ts";
import { closeDay, settleInTime } from "./settlement_outcome.ts";
import type { TestProcess, TestStore } from "./store.ts";

/** The whole store of a world, as a backup made now. */
export async function backupOf(
  { testStore, clock }: Pick<AuctionWorld, "testStore" | "clock">,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = dump(testStore.realKv, { clock, keys: TEST_KEYS });
  return new Uint8Array(await new Response(chunks).arrayBuffer());
}

/** Brings a backup back into an empty store. */
export async function restoreInto(
  into: TestStore,
  backup: Uint8Array<ArrayBuffer>,
  options: Pick<RestoreOptions, "isDrill" | "takesUnverified"> = {},
): Promise<void> {
  await restore({
    kv: into.realKv,
    clock: into.clock,
    open: () => new Blob([backup]).stream(),
    keys: TEST_KEYS,
    ...options,
  });
}

/** A world's services over another store, with the gate that a process has. */
export function gatedOver(
  { services }: Pick<AuctionWorld, "services">,
  { store, archive }: TestProcess,
): Services {
  return { ...services, store, archive, ...gatedPorts(store, services) };
}

/** A day that a stranger bought after the backup, and a store from the backup. */
export async function soldAfterBackup(
  world: AuctionWorld,
  into: TestStore,
  { known = {}, isStrangerKnown = false }: BeforeBackup = {},
): Promise<Services> {
  await openAuction(world.services, { day: AUCTION_DAY });
  for (const [name, cents] of Object.entries(known)) {
    await world.bid(await world.advertiser(name), cents);
  }
  const early = isStrangerKnown ? await world.advertiser("stranger") : null;
  const backup = await backupOf(world);
  await world.bid(early ?? await world.advertiser("stranger"), 900);
  await sellDay(world);
  assertEquals(chargedCents(world), [900]);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** What the backup has of the day that {@link soldAfterBackup} sells. */
export interface BeforeBackup {
  /** Whoever bid by then, and how many cents. */
  known?: Readonly<Record<string, number>>;
  /** Whether the buyer's account was there by then. */
  isStrangerKnown?: boolean;
}

/** A store that was lost again, and brought back as it is now. */
export async function lostAgain(
  world: AuctionWorld,
  from: TestStore,
  into: TestStore,
): Promise<Services> {
  const backup = await backupOf({ testStore: from, clock: world.clock });
  world.clock.advance(60_000);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** Releases a store with all that is left taken note of; the kinds of that. */
export async function releaseNoted(services: Services): Promise<string[]> {
  const { left } = await releaseStore(services, { acknowledged: [] });
  await releaseStore(services, { acknowledged: left.map(itemId) });
  assertEquals(await services.store.currentHold(), null);
  return left.map(({ kind }) => kind);
}

/** Ends the hold of a store of which a test looks at something else. */
export async function endHold({ store, clock }: Services): Promise<void> {
  await store.transact(async (tx) => {
    const hold = await tx.holds.find();
    if (hold !== null) tx.holds.save({ ...hold, releasedAtMs: clock.now() });
  });
}

/** A bid as a service that was lost has raised it. */
export async function raiseBid(
  { store }: Services,
  { account }: Advertiser,
  amountCents: number,
): Promise<void> {
  await store.transact(async (tx) => {
    const bid = await tx.bids.find(AUCTION_DAY, account.id);
    if (bid === null) throw new Error("There is no bid to raise");
    tx.bids.save({ ...bid, amountCents });
  });
}

/** The auction day of a world, closed and settled at its time. */
export async function sellDay(world: AuctionWorld): Promise<void> {
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
}

/** Amounts of the charges that the processor has made, cents. */
export function chargedCents({ simulator }: AuctionWorld): number[] {
  return simulator.control.objects("charge").map(({ amount }) => amount);
}

/** What restoring has written down of a store that nobody has released. */
export const STANDING_HOLD: Hold = {
  kind: "restored",
  restoredAtMs: Date.parse("2026-11-20T06:00:00.000Z"),
  backupAtMs: Date.parse("2026-11-20T02:00:00.000Z"),
  isWhole: true,
  releasedAtMs: null,
  acknowledged: [],
};

/** Puts a store on hold as restoring does; there is nothing to look at. */
export async function putOnHold(
  { store }: Pick<Services, "store">,
  changes: Partial<Hold> = {},
): Promise<void> {
  await store.transact((tx) => tx.holds.save({ ...STANDING_HOLD, ...changes }));
}
