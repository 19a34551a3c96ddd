/** What a payer gets for a token, once, again, and at once. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CHALLENGE_MS } from "../../../../routes/site/payment_scheme/challenge.ts";
import {
  type AskOptions,
  challengeIn,
  credential,
  DAY,
  decode,
  expectOutcome,
  offer,
  openPaidWorld,
  OTHER_DAY,
  outcomeOf,
} from "../../../support/paid_world.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";

const DAY_MS = 86_400_000;

Deno.test("GET /metrics sells a day's figures for a token", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const answer = await shop.ask({ authorization });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "private, no-store");
  assertEquals(answer.headers.get("ratelimit"), '"agent";r=119');
  assertEquals(answer.headers.get("www-authenticate"), null);
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

Deno.test("GET /metrics sells what was counted for the day", async () => {
  await using shop = await openPaidWorld();
  const counts = [
    { dimension: "outcome", value: "human", count: 7 },
    { dimension: "outcome", value: "bot", count: 5 },
    { dimension: "outcome", value: "prefetch", count: 3 },
    { dimension: "country", value: "DE", count: 4 },
    { dimension: "country", value: "FR", count: 3 },
  ] as const;
  await shop.services.store.transact((tx) => {
    for (const { dimension, value, count } of counts) {
      tx.clickCounts.add(count, DAY, dimension, value);
    }
  });
  const { authorization } = await offer(shop);
  const { data } = await (await shop.ask({ authorization })).json();
  assertEquals(data, { day: DAY, clicks: 12, human_clicks: 7, countries: 2 });
});

Deno.test("a used credential is 402 invalid-challenge with a fresh challenge", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await expectOutcome(shop.ask, { authorization }, "200");
  for (const key of [undefined, "k1"]) {
    const again = await shop.ask({ authorization, key });
    assertEquals(again.headers.get("payment-receipt"), null);
    assert(challengeIn(again).id !== challenge["id"]);
    assertEquals(await outcomeOf(again), "402 invalid-challenge");
  }
  assertEquals((await shop.taken()).charged, [100]);
});

Deno.test("a used credential without its key is told when it was charged and how to get the report", async () => {
  await using shop = await openPaidWorld();
  const chargedAt = new Date(shop.world.clock.now()).toISOString();
  const until = new Date(shop.world.clock.now() + DAY_MS).toISOString();
  for (const key of [undefined, "k1"]) {
    const { authorization } = await offer(shop);
    const first = await shop.ask({ authorization, key });
    const report = await first.text();
    for (const other of [undefined, "k2"]) {
      const answer = await shop.ask({ authorization, key: other });
      assertEquals(answer.status, 402);
      const text = await answer.text();
      const { detail } = JSON.parse(text);
      assertStringIncludes(detail, `it was charged EUR 1 at ${chargedAt}`);
      assertStringIncludes(detail, "Idempotency-Key");
      assertStringIncludes(detail, until);
      assert(!detail.includes("answer the fresh"), detail);
      assert(!text.includes(report) && !text.includes("pi_"), text);
    }
  }
});

Deno.test("a used challenge tells another token nothing of its payment", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await expectOutcome(shop.ask, { authorization, key: "k1" }, "200");
  const stranger = credential(challenge, { spt: await shop.token() });
  const answer = await shop.ask({ authorization: stranger, key: "k1" });
  assertEquals(answer.status, 402);
  assertEquals(
    (await answer.json()).detail,
    "Cannot accept the payment credential: its challenge has been used, " +
      "answer the fresh one",
  );
});

Deno.test("Metrics-Final says whether the figures of an answer are final, on repeats as on the first", async () => {
  await using shop = await openPaidWorld();
  const early = { ...await offer(shop), key: "k1" };
  const finalOf = async (asked: AskOptions) => {
    const answer = await shop.ask(asked);
    await answer.text();
    return [answer.status, answer.headers.get("metrics-final")];
  };
  assertEquals(await finalOf(early), [200, "false"]);
  // Two days after the next one has settled.
  await settle(shop.services.store, spotlight("2026-11-20"));
  shop.world.clock.set("2026-11-22T23:56:00.000Z");
  const late = { ...await offer(shop), key: "k2" };
  for (let time = 0; time < 2; time++) {
    assertEquals(await finalOf(late), [200, "true"]);
  }
});

Deno.test("a repeat says of its figures what was true when they were given", async () => {
  await using shop = await openPaidWorld();
  shop.world.clock.set("2026-11-21T23:55:59.999Z");
  const asked = { ...await offer(shop, { day: OTHER_DAY }), day: OTHER_DAY };
  const ask = async () => {
    const answer = await shop.ask({ ...asked, key: "k1" });
    return [await answer.text(), answer.headers.get("metrics-final")];
  };
  const first = await ask();
  assertEquals(first[1], "false");
  shop.world.clock.advance(DAY_MS / 2);
  assertEquals(await ask(), first);
});

Deno.test("a used credential with its own key is given the same answer for 24 hours", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  const first = await shop.ask({ authorization, key: "k1" });
  const body = await first.text();
  const receipt = first.headers.get("payment-receipt");
  // Clicks that came meanwhile do not change what was sold.
  await shop.services.store.transact((tx) =>
    tx.clickCounts.add(1, DAY, "outcome", "human")
  );
  shop.world.clock.advance(DAY_MS - 1);
  const again = await shop.ask({ authorization, key: "k1" });
  assertEquals(again.status, 200);
  assertEquals(again.headers.get("cache-control"), "private, no-store");
  assertEquals(again.headers.get("payment-receipt"), receipt);
  assertEquals(first.headers.get("idempotent-replayed"), null);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), body);
  const other = { authorization, key: "k2" };
  await expectOutcome(shop.ask, other, "402 invalid-challenge");
  shop.world.clock.advance(1);
  const late = { authorization, key: "k1" };
  await expectOutcome(shop.ask, late, "402 invalid-challenge");
  assertEquals((await shop.taken()).charged, [100]);
});

Deno.test("a key widens nothing: another credential with it pays for itself", async () => {
  await using shop = await openPaidWorld();
  const one = await offer(shop);
  const two = await offer(shop, { day: OTHER_DAY });
  await expectOutcome(shop.ask, { ...one, key: "k1" }, "200");
  await expectOutcome(shop.ask, { ...two, day: OTHER_DAY, key: "k1" }, "200");
  assertEquals((await shop.taken()).charged, [100, 100]);
});

Deno.test("one token pays twice only for two challenges, as far as it goes", async () => {
  await using shop = await openPaidWorld();
  const spt = await shop.token({ maxAmount: 200 });
  for (const outcome of ["200", "200", "402 verification-failed"]) {
    const { authorization } = await offer(shop, { token: spt });
    await expectOutcome(shop.ask, { authorization }, outcome);
  }
  assertEquals((await shop.taken()).charged, [100, 100]);
});

Deno.test("a challenge belongs to the first token it is used with", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await expectOutcome(shop.ask, { authorization }, "200");
  const other = credential(challenge, { spt: await shop.token() });
  await expectOutcome(
    shop.ask,
    { authorization: other },
    "402 invalid-challenge",
  );
  const none = credential(challenge, {});
  await expectOutcome(
    shop.ask,
    { authorization: none },
    "402 invalid-challenge",
  );
  assertEquals((await shop.taken()).charged, [100]);
});

const REFUSED = {
  "a declined card": { card: "pm_card_chargeDeclined" },
  "a limit below the price": { maxAmount: 99 },
  "a limit in another currency": { currency: "usd" as const },
};

for (const [what, grant] of Object.entries(REFUSED)) {
  Deno.test(`a token with ${what} is 402 verification-failed, and stays so for 30 days`, async () => {
    await using shop = await openPaidWorld();
    const { authorization, challenge } = await offer(shop, {
      token: await shop.token(grant),
    });
    for (let time = 0; time < 2; time++) {
      await expectOutcome(
        shop.ask,
        { authorization },
        "402 verification-failed",
      );
    }
    assertEquals(await shop.taken(), { charged: [], refunded: [] });
    assertEquals(await shop.ledger(), []);
    const row = await shop.payment(challenge);
    assertEquals(row?.expiresAtMs, shop.world.clock.now() + 30 * 86_400_000);
    // Another token on a fresh challenge pays.
    const fresh = await offer(shop);
    await expectOutcome(shop.ask, fresh, "200");
  });
}

Deno.test("of tokens that strangers make up no row lives much longer than its challenge may be used, and none is charged later", async () => {
  await using shop = await openPaidWorld();
  const { authorization, challenge } = await offer(shop, {
    token: "spt_unknown",
  });
  await expectOutcome(shop.ask, { authorization }, "402 verification-failed");
  const { clock } = shop.world;
  const row = await shop.payment(challenge);
  assertEquals(row?.expiresAtMs, clock.now() + 15 * 60_000);
  assert(15 * 60_000 > 2 * CHALLENGE_MS, "the challenge is over long before");
  clock.advance(15 * 60_000);
  assertEquals(await shop.payment(challenge), null);
  await expectOutcome(shop.ask, { authorization }, "402 payment-expired");
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("a token that nobody granted is 402 verification-failed", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop, { token: "spt_unknown" });
  await expectOutcome(shop.ask, { authorization }, "402 verification-failed");
});

Deno.test("a buyer who would have to act is told so, and nothing waits for one", async () => {
  await using shop = await openPaidWorld();
  const card = "pm_card_authenticationRequired";
  const { authorization } = await offer(shop, {
    token: await shop.token({ card }),
  });
  for (let time = 0; time < 2; time++) {
    await expectOutcome(
      shop.ask,
      { authorization },
      "402 payment-action-required",
    );
  }
  const intents = shop.world.simulator.control.objects("payment_intent");
  assertEquals(intents.map(({ status }) => status), ["canceled"]);
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("20 presentations of one credential at once make one payment and one 200", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  const outcomes = await Promise.all(
    Array.from(
      { length: 20 },
      async () => await outcomeOf(await shop.ask({ authorization })),
    ),
  );
  assertEquals(outcomes.filter((each) => each === "200").length, 1);
  const others = new Set(outcomes.filter((each) => each !== "200"));
  for (const each of others) {
    assert(
      ["503 temporarily-unavailable", "402 invalid-challenge"].includes(each),
      each,
    );
  }
  const intents = shop.world.simulator.control.objects("payment_intent");
  assertEquals(intents.length, 1);
  await expectOutcome(shop.ask, { authorization }, "402 invalid-challenge");
});

Deno.test("presentations at once with a key each give the answer to one key alone", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  const keys = Array.from({ length: 8 }, (_, nth) => `key-${nth}`);
  await Promise.all(keys.map((key) => shop.ask({ authorization, key })));
  const again = await Promise.all(
    keys.map(async (key) =>
      await outcomeOf(await shop.ask({ authorization, key }))
    ),
  );
  assertEquals(again.filter((each) => each === "200").length, 1);
});

Deno.test("payments at once for many challenges are all answered", async () => {
  await using shop = await openPaidWorld();
  const offers = await Promise.all(
    Array.from({ length: 10 }, () => offer(shop)),
  );
  const outcomes = await Promise.all(
    offers.map(async ({ authorization }) =>
      await outcomeOf(await shop.ask({ authorization }))
    ),
  );
  assertEquals(new Set(outcomes), new Set(["200"]));
  assertEquals((await shop.taken()).charged.length, 10);
});

Deno.test("the token is in no row of the store and the credential in no log", async () => {
  await using shop = await openPaidWorld();
  const spt = await shop.token();
  const { authorization } = await offer(shop, { token: spt });
  await expectOutcome(shop.ask, { authorization, key: "key-1" }, "200");
  for (const { writes } of shop.world.kv.commits) {
    const text = JSON.stringify(
      writes,
      (_, value) => typeof value === "bigint" ? String(value) : value,
    );
    assert(!text.includes(spt), "a row holds the token");
    assert(!text.includes("key-1"), "a row holds the key");
  }
});

Deno.test("one /56 asks the processor 240 times at once to charge tokens that are made up, whatever /64s it asks from, and then four times a second", async () => {
  await using shop = await openPaidWorld();
  const { control } = shop.world.simulator;
  const pay = async (from: string) => {
    const authorization = credential(
      challengeIn(await shop.ask()),
      { spt: `spt_${crypto.randomUUID()}` },
    );
    return await shop.ask({ authorization, from });
  };
  const link = (nth: number) => `2001:db8:1:20${nth}::1`;
  const answers: Response[] = [];
  for (let nth = 0; nth < 250; nth++) answers.push(await pay(link(nth % 5)));
  const refused = answers.filter(({ status }) => status === 429);
  assertEquals(refused.length, 10);
  const [first] = refused;
  assertEquals(first?.headers.get("retry-after"), "1");
  assertEquals(
    first?.headers.get("ratelimit-policy"),
    '"agent";q=120;svc-refill=2',
  );
  assertEquals(control.objects("payment_intent").length, 0);
  const calls = control.requests()
    .filter(({ method, path }) =>
      method === "POST" && path === "/v1/payment_intents"
    );
  assertEquals(calls.length, 240);
  // Others pay meanwhile.
  const { authorization } = await offer(shop);
  await expectOutcome(shop.ask, { authorization }, "200");
  shop.world.clock.advance(1_000);
  const later: number[] = [];
  for (let nth = 5; nth < 10; nth++) later.push((await pay(link(nth))).status);
  assertEquals(later, [402, 402, 402, 402, 429]);
});

Deno.test("a client that presents a hundred tokens at the same moment is answered about each of them", async () => {
  await using shop = await openPaidWorld();
  const { services } = shop;
  const ask = await shop.asking({
    ...services,
    processor: {
      ...services.processor,
      chargeSharedToken: () =>
        Promise.resolve({ ok: false, code: "card_declined", message: "" }),
    },
  });
  const challenges = await Promise.all(
    Array.from({ length: 100 }, async () => challengeIn(await ask())),
  );
  const answers = await Promise.all(challenges.map((challenge) => {
    const spt = `spt_${crypto.randomUUID()}`;
    const authorization = credential(challenge, { spt });
    return ask({ authorization, from: "192.0.2.1" });
  }));
  const statuses = new Set(answers.map(({ status }) => status));
  assertEquals(statuses, new Set([402]));
});
