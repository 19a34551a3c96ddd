/** What is asked for a day's figures, and what comes before the asking. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { keyOf } from "../../../support/faults.ts";
import {
  challengeIn,
  challengeOf,
  credential,
  DAY,
  decode,
  openPaidWorld,
  outcomeOf,
} from "../../../support/paid_world.ts";

const RATE_LIMIT = '"agent";q=120;svc-refill=2';

Deno.test("GET /metrics without a credential is 402 with a challenge", async () => {
  await using shop = await openPaidWorld();
  const answer = await shop.ask();
  assertEquals(answer.status, 402);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
  assertEquals(answer.headers.get("payment-receipt"), null);
  assertEquals(answer.headers.get("ratelimit-policy"), RATE_LIMIT);
  assertEquals(answer.headers.get("ratelimit"), '"agent";r=119');
  assertEquals(answer.headers.get("access-control-allow-origin"), "*");
  const { id } = challengeIn(answer);
  assertEquals(await answer.json(), {
    type: "https://paymentauth.org/problems/payment-required",
    title: "Payment Required",
    status: 402,
    detail: `Cannot show the figures of ${DAY}: they cost EUR 1, answer ` +
      "the challenge in WWW-Authenticate with a shared payment token and " +
      "send an Idempotency-Key. After a lost answer send the same " +
      "Authorization and Idempotency-Key again: another credential is " +
      "another purchase, with the same key, too",
    docs:
      "https://spotlight.example/developers/buy-click-figures-over-http-402" +
      "#pay-from-a-program",
    challengeId: id,
  });
});

Deno.test("a challenge has exactly its seven parameters and lives 5 minutes", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  assertEquals(Object.keys(challenge), [
    "id",
    "realm",
    "method",
    "intent",
    "request",
    "expires",
    "description",
  ]);
  const { id = "", request = "", expires = "", ...plain } = challenge;
  assertMatch(id, /^[\w-]{43}$/);
  assertEquals(plain, {
    realm: "spotlight.example",
    method: "stripe",
    intent: "charge",
    description: `Spotlight metrics for ${DAY}, counted so far and not final ` +
      "yet; send an Idempotency-Key with the payment, and the same " +
      "credential with it is answered again for 24 hours",
  });
  assertEquals(decode(request), {
    amount: "100",
    currency: "eur",
    externalId: `metrics:${DAY}`,
    methodDetails: {
      networkId: "profile_test_simulator",
      paymentMethodTypes: ["card"],
    },
  });
  assertEquals(Date.parse(expires), shop.world.clock.now() + 300_000);
});

Deno.test("every 402 has a challenge of its own", async () => {
  await using shop = await openPaidWorld();
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => challengeOf(shop.ask)),
  );
  assertEquals(new Set(ids.map(({ id }) => id)).size, 20);
});

Deno.test("asking for a challenge changes nothing", async () => {
  await using shop = await openPaidWorld();
  const before = shop.world.kv.commits.length;
  await challengeOf(shop.ask);
  await shop.ask({ authorization: "Payment !!!" });
  assertEquals(shop.world.kv.commits.length, before);
});

Deno.test("GET /metrics with another scheme is asked to pay", async () => {
  await using shop = await openPaidWorld();
  for (const authorization of ["Bearer abc", "Basic YTpi"]) {
    const answer = await shop.ask({ authorization });
    assertEquals(await outcomeOf(answer), "402 payment-required");
  }
});

Deno.test("GET /metrics is 404 without a challenge for a day without figures", async () => {
  await using shop = await openPaidWorld();
  for (const day of ["2026-11-20", "2027-01-01", "2020-02-29"]) {
    for (const authorization of [undefined, "Payment !!!"]) {
      const answer = await shop.ask({ day, authorization });
      assertEquals(answer.headers.get("www-authenticate"), null);
      assertEquals(await outcomeOf(answer), "404 spotlight-not-found");
    }
  }
});

Deno.test("GET /metrics takes calendar dates only, before anything else", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const authorization = credential(challenge, { spt: await shop.token() });
  for (const day of ["2026-02-30", "20261119", "x", "2026-11-19T00:00"]) {
    const answer = await shop.ask({ day, authorization });
    assertEquals(answer.headers.get("www-authenticate"), null);
    assertEquals(await outcomeOf(answer), "400 invalid-input");
  }
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("GET /metrics is 400 for a key of another form, and takes no money", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const authorization = credential(challenge, { spt: await shop.token() });
  for (const key of ["", "a b", "x".repeat(256), "ä"]) {
    const answer = await shop.ask({ authorization, key });
    assertEquals(await outcomeOf(answer), "400 invalid-input");
  }
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
  for (const key of ["!", "x".repeat(255)]) {
    assertEquals((await shop.ask({ key })).status, 402);
  }
});

Deno.test("GET /metrics is 429 before any challenge", async () => {
  await using shop = await openPaidWorld();
  const from = "192.0.2.77";
  for (let count = 0; count < 120; count++) {
    assertEquals((await shop.ask({ from })).status, 402);
  }
  const answer = await shop.ask({ from });
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "1");
  assertEquals(answer.headers.get("ratelimit-policy"), RATE_LIMIT);
  assertEquals(answer.headers.get("ratelimit"), '"agent";r=0');
  assertEquals(answer.headers.get("www-authenticate"), null);
});

Deno.test("other methods on /metrics are 405 with Allow", async () => {
  await using shop = await openPaidWorld();
  for (const method of ["POST", "PUT", "DELETE"]) {
    const answer = await shop.ask({ method });
    assertEquals(answer.status, 405);
    assertEquals(answer.headers.get("allow"), "GET, HEAD");
  }
});

Deno.test("HEAD never pays: it is answered with a challenge", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const authorization = credential(challenge, { spt: await shop.token() });
  const answer = await shop.ask({ method: "HEAD", authorization });
  assertEquals(answer.status, 402);
  assertEquals(await answer.text(), "");
  assert(challengeIn(answer).id !== undefined);
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
  assertEquals(await shop.payment(challenge), null);
});

Deno.test("GET /metrics is 503 when the store fails, and no money is taken", async () => {
  for (const family of ["click_counts", "metrics_payments"]) {
    await using shop = await openPaidWorld();
    const challenge = await challengeOf(shop.ask);
    const authorization = credential(challenge, { spt: await shop.token() });
    shop.world.kv.inject({
      on: "read",
      key: keyOf(family),
      fault: { kind: "fail_before" },
    });
    const answer = await shop.ask({ authorization });
    assertEquals(answer.headers.get("retry-after"), "1");
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals(await outcomeOf(answer), "503 temporarily-unavailable");
    assertEquals(await shop.taken(), { charged: [], refunded: [] });
    assertEquals(await outcomeOf(await shop.ask({ authorization })), "200");
  }
});
