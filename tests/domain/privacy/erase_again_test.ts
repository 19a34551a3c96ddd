/** What a backup of before an erasure brings back. */
import { assert, assertEquals } from "@std/assert";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
} from "../../support/canary_account.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { saveSession } from "../../support/sessions.ts";
import { MemoryKv } from "../../support/memory_kv.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";
import { erasedId } from "../../../tools/release.ts";

/** An account that was erased after the backup was made. */
async function erasedAfterBackup(world: AuctionWorld) {
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  await fillWithCanaries(services, ada, { companyName: "Canary Person" });
  await world.bid(ada, 5_000);
  await sellDay(world);
  const backup = await backupOf(world);
  await erase(world, ada);
  return { ada, backup, now: clock.now() };
}

async function erase({ services, clock }: AuctionWorld, who: Advertiser) {
  const accountId = who.account.id;
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestErasure(services, asked);
  const erasure = await readErasure(services, accountId);
  assert(erasure !== null, "an erasure was asked for");
  const account = await services.store.accounts.find(accountId);
  assert(account !== null);
  const to = mailedTo(account);
  await confirmErasure(services, { accountId, erasureId: erasure.id, to });
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
}

/** Accounts that the later backup, and so an operator, knows to be erased. */
async function erasedIn(backup: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const text = new TextDecoder().decode(backup);
  return await Promise.resolve(
    text.split("\n").map(erasedId).filter((id) => id !== null),
  );
}

async function assertErasedAgain(
  { clock }: AuctionWorld,
  into: TestStore,
  told?: string,
) {
  assertEquals(
    await familiesWith({ testStore: into, clock }, CANARY),
    ["spotlights"],
    told,
  );
  const ledger = await into.store.listLedger({ limit: 100 });
  const cents = ledger.flatMap(({ lines }) => lines)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  assertEquals([ledger.length > 0, cents], [true, 0], told);
  const spotlight = await into.store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.advertiser, "Former advertiser", told);
}

Deno.test("an account that was erased after the backup is erased again before the restored store may act, and the books balance", async () => {
  await using world = await openAuctionWorld();
  const { ada, backup } = await erasedAfterBackup(world);
  const erased = await erasedIn(await backupOf(world));
  assertEquals(erased, [ada.account.id]);
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  assert(await into.store.accounts.find(ada.account.id));
  const services = gatedOver(world, into);
  const before = erasedInLog(world);
  const { hold } = await releaseStore(services, { acknowledged: [], erased });
  assert(hold?.releasedAtMs !== null);
  assertEquals(await into.store.accounts.find(ada.account.id), null);
  await assertErasedAgain(world, into);
  assertEquals(erasedInLog(world), [...before, ada.account.id]);
});

Deno.test("a backup from after an erasure brings nothing back", async () => {
  await using world = await openAuctionWorld();
  await erasedAfterBackup(world);
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, await backupOf(world));
  await assertErasedAgain(world, into);
  const before = erasedInLog(world);
  await releaseStore(gatedOver(world, into), { acknowledged: [] });
  assertEquals(erasedInLog(world), before);
});

/** Whom the log calls erased: what an operator brings along for a restore. */
function erasedInLog({ log }: AuctionWorld): string[] {
  return log.lines.map(erasedId).filter((id) => id !== null);
}

Deno.test("a release that dies at any commit of erasing again is done by the next, and acts on nothing before", async () => {
  await using world = await openAuctionWorld();
  const { ada, backup } = await erasedAfterBackup(world);
  const order = { acknowledged: [], erased: [ada.account.id] };
  const deaths = await everyCrashPoint(async (point) => {
    await using into = await openTestStore({
      clock: world.clock,
      kv: new MemoryKv(),
    });
    await restoreInto(into, backup);
    const dying = into.another();
    dying.kv.crashAt(point);
    await releaseStore(gatedOver(world, dying), order).catch((thrown) => {
      if (!isCrash(thrown)) throw thrown;
    });
    await dying.kv.arrive();
    const died = dying.kv.wentWrong;
    const account = await into.store.accounts.find(ada.account.id);
    const isHeld = await into.store.currentHold() !== null;
    const told = JSON.stringify(point);
    assert(account === null || isHeld, told);
    await releaseStore(gatedOver(world, into), order);
    await assertErasedAgain(world, into, told);
    return died;
  });
  assert(deaths > 20, `${deaths} deaths`);
});

Deno.test("of an account that a backup brings back while its day is being settled nothing is left once that day has settled", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  await fillWithCanaries(services, ada, { companyName: "Canary Person" });
  await world.bid(ada, 5_000);
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(services);
  const backup = await backupOf(world);
  await settleInTime(world);
  await erase(world, ada);
  assertEquals(await services.store.accounts.find(ada.account.id), null);
  await using into = await openTestStore({ clock });
  await restoreInto(into, backup);
  const restored = gatedOver(world, into);
  const erased = [ada.account.id];
  const { hold } = await releaseStore(restored, { acknowledged: [], erased });
  assert(hold?.releasedAtMs !== null);
  const waiting = await into.store.accounts.find(ada.account.id);
  assertEquals(waiting?.email ?? "", "");
  await settleInTime(world, restored);
  clock.advance(3_600_000);
  await fulfilRequests(restored);
  assertEquals(await into.store.accounts.find(ada.account.id), null);
  const left = await familiesWith({ testStore: into, clock }, CANARY);
  assertEquals(left, []);
  const bid = await into.store.bids.find(AUCTION_DAY, ada.account.id);
  assertEquals(bid, null);
});

Deno.test("erased accounts are named by backups, by the log and by lists", () => {
  for (
    const [line, id] of [
      ['[["erased_accounts","acc_1"],{"accountId":"acc_1"}]', "acc_1"],
      ['{"level":"info","event":"privacy.erased","account":"acc_2"}', "acc_2"],
      ["acc_3", "acc_3"],
      ['[["accounts","acc_4"],{"id":"acc_4"}]', null],
      ['{"event":"privacy.exported","account":"acc_5"}', null],
      ["", null],
    ] as const
  ) {
    assertEquals(erasedId(line), id, line);
  }
});
