import { assert, assertEquals } from "@std/assert";
import {
  challengeIn,
  challengeOf,
  credential,
  DAY,
  decode,
  openPaidWorld,
  outcomeOf,
} from "../../support/paid_world.ts";

Deno.test("GET /metrics sells a day's figures for a token", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const spt = await shop.token();
  const authorization = credential(challenge, { spt });
  const answer = await shop.ask({ authorization });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "private, no-store");
  assertEquals(answer.headers.get("ratelimit"), '"agent";r=119');
  assertEquals(await answer.json(), {
    data: { day: DAY, clicks: 0, human_clicks: 0, countries: 0 },
    paid: { cents: 100, currency: "eur" },
  });
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
  const receipt = decode(answer.headers.get("payment-receipt") ?? "");
  const payment = await shop.payment(challenge);
  assertEquals(receipt, {
    method: "stripe",
    status: "success",
    timestamp: "2026-11-20T08:00:00.000Z",
    reference: payment?.intentId,
    externalId: `metrics:${DAY}`,
  });
});

Deno.test("GET /metrics refuses a credential that was used", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const authorization = credential(challenge, { spt: await shop.token() });
  assertEquals(await outcomeOf(await shop.ask({ authorization })), "200");
  const again = await shop.ask({ authorization });
  assertEquals(again.headers.get("payment-receipt"), null);
  assert(challengeIn(again).id !== challenge.id);
  assertEquals(await outcomeOf(again), "402 invalid-challenge");
});
