import { assert, assertEquals } from "@std/assert";
import {
  AUCTION_DAY,
  openAuctionWorld,
} from "../../../support/auction_world.ts";
import { ask } from "../../../support/bindings.ts";
import {
  answerOf,
  assertProblem,
  KEY,
  openHost,
  openOperatorSite,
} from "./operator_site.ts";

const TODAY = "2026-11-20";
const CLOSES = "2026-11-20T23:55:00.000Z";
const NOON = "2026-11-20T12:00:00.000Z";

const IDLE = {
  day: TODAY,
  phase: "IDLE",
  bidCount: 0,
  openedAt: null,
  closesAt: null,
  closedAt: null,
  settledAt: null,
  settlement: null,
  spotlight: null,
};

Deno.test("GET auctions/{day} answers a day nobody opened as IDLE", async () => {
  await using site = await openOperatorSite();
  const response = await site.operate("GET", `auctions/${TODAY}`);
  assertEquals(await answerOf(response), IDLE);
});

Deno.test("POST open, close and settle take a day through to its Spotlight", async () => {
  await using site = await openOperatorSite();
  const opened = { ...IDLE, phase: "OPEN", openedAt: NOON, closesAt: CLOSES };
  const post = async (action: string) =>
    await answerOf(await site.operate("POST", `auctions/${TODAY}/${action}`));
  assertEquals(await post("open"), opened);
  assertEquals(await post("open"), opened);
  const closed = {
    ...opened,
    phase: "CLOSED",
    closedAt: NOON,
    settlement: {
      state: "running",
      position: null,
      attempts: 0,
      dueAt: NOON,
      candidates: [],
    },
  };
  assertEquals(await post("close"), closed);
  assertEquals(await post("close"), closed);
  const settled = await post("settle");
  assertEquals(settled.settlement.state, "settled");
  assertEquals(settled.settledAt, NOON);
  assertEquals(settled.spotlight.contentType, "house_advertisement");
  assertEquals(await post("settle"), settled);
  const read = await site.operate("GET", `auctions/${TODAY}`);
  assertEquals(await answerOf(read), settled);
});

Deno.test("POST settle shows the Spotlight to public reads at once", async () => {
  await using site = await openOperatorSite();
  for (const action of ["open", "close", "settle"]) {
    await answerOf(await site.operate("POST", `auctions/${TODAY}/${action}`));
  }
  const response = await site.read("/api/v1/spotlight");
  assertEquals((await response.json()).data.day, TODAY);
});

interface Candidate {
  bid_id: string | null;
}

Deno.test("POST settle charges the best bid, and tells no amount and no rank before", async () => {
  await using world = await openAuctionWorld();
  const { services, testStore } = world;
  const host = await openHost(services, testStore.realKv);
  const operate = (path: string, method = "POST") =>
    ask(host.app, `/operator/v1/auctions/${AUCTION_DAY}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}` },
    });
  await answerOf(await operate("/open"));
  const loser = await world.advertiser("ann");
  const refused = await world.advertiser("bob", "pm_card_chargeCustomerFail");
  const winner = await world.advertiser("cid");
  await world.bid(loser, 71_101);
  await world.bid(winner, 72_202);
  await world.bid(refused, 73_303);
  const closed = await answerOf(await operate("/close"));
  const bidIdsOf = (report: { settlement: { candidates: Candidate[] } }) =>
    report.settlement.candidates.map(({ bid_id }) => bid_id);
  assertEquals(bidIdsOf(closed), [null, null, null], "no rank is told yet");
  const settled = await answerOf(await operate("/settle"));
  assert(bidIdsOf(settled).every((id) => id?.startsWith("bid_")));
  const response = await operate("", "GET");
  const text = await response.clone().text();
  const { bidCount, settlement, spotlight } = await answerOf(response);
  assertEquals([bidCount, settlement.position], [3, 1]);
  assertEquals(spotlight.contentType, "paid_advertisement");
  assertEquals(
    settlement.candidates.map(
      ({ step, passed_over_as }: Record<string, unknown>) => [
        step,
        passed_over_as,
      ],
    ),
    [["passed_over", "payment_failed"], ["won", null], ["waiting", null]],
  );
  assert(!/7110|7220|7330|cents/i.test(text));
  await host.close();
});

Deno.test("POST settle does not wait until the next attempt is due", async () => {
  await using world = await openAuctionWorld();
  const { services, testStore } = world;
  const host = await openHost(services, testStore.realKv);
  const operate = (path: string) =>
    ask(host.app, `/operator/v1/auctions/${AUCTION_DAY}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
    });
  await operate("/open");
  await world.bid(await world.advertiser("ada"), 500);
  await operate("/close");
  world.simulator.control.addFault({ kind: "rate_limit", method: "POST" });
  const waiting = await answerOf(await operate("/settle"));
  assertEquals(waiting.settlement.state, "running");
  const settled = await answerOf(await operate("/settle"));
  assertEquals(settled.settlement.state, "settled");
  await host.close();
});

Deno.test("POST close refuses a day nobody opened", async () => {
  await using site = await openOperatorSite();
  await assertProblem(
    await site.operate("POST", `auctions/${TODAY}/close`),
    409,
    "CONFLICT",
    `Cannot close the auction of ${TODAY}: it must be OPEN, current phase ` +
      "is IDLE",
  );
});

Deno.test("POST settle refuses a day that may still take bids", async () => {
  await using site = await openOperatorSite();
  await answerOf(await site.operate("POST", `auctions/${TODAY}/open`));
  await assertProblem(
    await site.operate("POST", `auctions/${TODAY}/settle`),
    409,
    "CONFLICT",
    `Cannot settle the auction of ${TODAY}: it must be CLOSED, current phase ` +
      "is OPEN",
  );
});

Deno.test("POST open refuses a day before the launch and one too far ahead", async () => {
  await using site = await openOperatorSite();
  await answerOf(await site.operate("POST", `auctions/${TODAY}/open`));
  for (const day of ["2026-11-19", "2027-01-01"]) {
    const response = await site.operate("POST", `auctions/${day}/open`);
    assertEquals(response.status, 409);
    assertEquals((await response.json()).code, "CONFLICT");
  }
});

for (const day of ["2026-02-30", "today", "2026-11-20T00:00", "%00"]) {
  Deno.test(`the operator API answers 400 to the day "${day}"`, async () => {
    await using site = await openOperatorSite();
    const calls = [
      site.operate("GET", `auctions/${day}`),
      site.operate("POST", `auctions/${day}/open`),
      site.operate("POST", `auctions/${day}/close`),
      site.operate("POST", `auctions/${day}/settle`),
      site.operate("POST", `spotlights/${day}/remove`, { body: {} }),
    ];
    for (const response of await Promise.all(calls)) {
      const text = JSON.stringify(decodeURIComponent(day));
      await assertProblem(
        response,
        400,
        "VALIDATION_FAILED",
        `Cannot read day ${text}: a day is a calendar date written YYYY-MM-DD`,
      );
    }
  });
}
