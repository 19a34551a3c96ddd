/** When what was asked about an account's data has its next turn. */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { dataRequestsOf } from "../../../domain/privacy/data_requests.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import { requestExport } from "../../../domain/privacy/request_export.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { askForErasure } from "../../support/erasures.ts";
import { sellDay } from "../../support/restored_world.ts";
import { saveSession } from "../../support/sessions.ts";

async function turnOf({ store, clock }: Services, accountId: string) {
  const { dueAtMs, failures } = await dataRequestsOf(store, accountId);
  return { inMs: dueAtMs === null ? null : dueAtMs - clock.now(), failures };
}

/** How attempts ended, as the log says. */
function endings({ log }: AuctionWorld): string[] {
  return log.events.filter((event) => event.startsWith("privacy."))
    .map((event) => event.slice("privacy.".length));
}

Deno.test("a copy that fails is tried again a minute later, then two, and one that succeeds begins anew", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { account: { id: accountId } } = await world.advertiser("ada");
  const by = { session: await saveSession(services, accountId) };
  await requestExport(services, {
    accountId,
    grantId: null,
    by,
    binding: null,
  });
  const listGrants = () => Promise.reject(new TypeError("lost"));
  const failing = { ...services, store: { ...services.store, listGrants } };
  for (const [failures, inMs] of [[1, 60_000], [2, 120_000]] as const) {
    await fulfilRequests(failing);
    assertEquals(await turnOf(services, accountId), { inMs, failures });
    clock.advance(inMs);
  }
  const { dataRequests } = services.store;
  const now = await dataRequests.find(accountId);
  assert(now !== null);
  await services.store.transact((tx) =>
    tx.dataRequests.save({ ...now, failures: 40 })
  );
  await fulfilRequests(failing);
  const inMs = 3_600_000;
  assertEquals(await turnOf(services, accountId), { inMs, failures: 41 });
  clock.advance(inMs);
  await fulfilRequests(services);
  const { failures } = await turnOf(services, accountId);
  assertEquals(failures, 0);
  assertEquals(endings(world), [...Array(3).fill("failed"), "exported"]);
  const { exports } = await dataRequestsOf(services.store, accountId);
  assert(exports[0]?.readyAtMs !== null);
});

Deno.test("a turn in which nothing is to be done ends what failed before", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const accountId = "acc_1";
  const none = await dataRequestsOf(services.store, accountId);
  const erasuresAskedAtMs = [clock.now()];
  const due = { ...none, erasuresAskedAtMs, dueAtMs: clock.now(), failures: 3 };
  await services.store.transact((tx) => tx.dataRequests.save(due));
  await fulfilRequests(services);
  assertEquals(await turnOf(services, accountId), { inMs: null, failures: 0 });
});

Deno.test("an erasure that waits for a day to settle has its next turn in ten minutes, and has not failed", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const accountId = ada.account.id;
  await openAuction(services, { day: AUCTION_DAY });
  await world.bid(ada, 5_000);
  await askForErasure(services, accountId);
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeAuction(services, { day: AUCTION_DAY });
  clock.advance(8 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(await turnOf(services, accountId), {
    inMs: 600_000,
    failures: 0,
  });
  await sellDay(world);
  clock.advance(9 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(endings(world), ["erased"]);
});
