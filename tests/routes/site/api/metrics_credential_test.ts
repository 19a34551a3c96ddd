/** Credentials that answer no challenge of ours, or with nothing that pays. */
import { assert, assertEquals } from "@std/assert";
import {
  challengeIn,
  challengeOf,
  credential,
  DAY,
  decode,
  encode,
  openPaidWorld,
  OTHER_DAY,
  outcomeOf,
  type PaidWorld,
  type SeenChallenge,
} from "../../../support/paid_world.ts";

type Change = (challenge: SeenChallenge) => Record<string, unknown>;

/** What may not be changed about a challenge, and what is answered. */
const ALTERED: Record<string, { change: Change; outcome: string }> = {
  "another id": {
    change: (one) => ({ ...one, id: "x".repeat(43) }),
    outcome: "402 invalid-challenge",
  },
  "a longer id": {
    change: (one) => ({ ...one, id: `${one["id"]}x` }),
    outcome: "402 invalid-challenge",
  },
  "an id that is no ASCII": {
    change: (one) => ({ ...one, id: "ä".repeat(43) }),
    outcome: "402 invalid-challenge",
  },
  "another amount": {
    change: (one) => ({ ...one, request: requestWith(one, { amount: "1" }) }),
    outcome: "402 invalid-challenge",
  },
  "a later end": {
    change: (one) => ({ ...one, expires: "2027-01-01T00:00:00.000000Z" }),
    outcome: "402 invalid-challenge",
  },
  "no end": {
    change: ({ expires: _, ...one }) => one,
    outcome: "402 invalid-challenge",
  },
  "another realm": {
    change: (one) => ({ ...one, realm: "elsewhere.example" }),
    outcome: "402 invalid-challenge",
  },
  "an opaque text": {
    change: (one) => ({ ...one, opaque: "e30" }),
    outcome: "402 invalid-challenge",
  },
  "an opaque object": {
    change: (one) => ({ ...one, opaque: { day: DAY } }),
    outcome: "402 invalid-challenge",
  },
  "a digest": {
    change: (one) => ({ ...one, digest: "sha-256=:x:" }),
    outcome: "402 invalid-challenge",
  },
  "another method": {
    change: (one) => ({ ...one, method: "tempo" }),
    outcome: "400 method-unsupported",
  },
  "another intent": {
    change: (one) => ({ ...one, intent: "session" }),
    outcome: "400 method-unsupported",
  },
};

for (const [what, { change, outcome }] of Object.entries(ALTERED)) {
  Deno.test(`GET /metrics answers ${outcome} to a challenge with ${what}`, async () => {
    await using shop = await openPaidWorld();
    const challenge = await challengeOf(shop.ask);
    const spt = await shop.token();
    const authorization = credential(change(challenge), { spt });
    await expect(shop, authorization, outcome);
    assertEquals(await shop.taken(), { charged: [], refunded: [] });
    // The challenge itself is none the worse for it.
    const genuine = credential(challenge, { spt });
    assertEquals(
      await outcomeOf(await shop.ask({ authorization: genuine })),
      "200",
    );
  });
}

Deno.test("GET /metrics takes a challenge whose description was changed or left out", async () => {
  await using shop = await openPaidWorld();
  const { description: _, ...without } = await challengeOf(shop.ask);
  const changed = {
    ...await challengeOf(shop.ask),
    description: "Other words",
  };
  for (const challenge of [without, changed]) {
    const authorization = credential(challenge, { spt: await shop.token() });
    assertEquals(await outcomeOf(await shop.ask({ authorization })), "200");
  }
});

Deno.test("GET /metrics takes no credential for another day", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask, OTHER_DAY);
  const authorization = credential(challenge, { spt: await shop.token() });
  await expect(shop, authorization, "402 invalid-challenge");
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

const PAYLOADS: Record<string, { payload: unknown; outcome: string }> = {
  "no token": { payload: {}, outcome: "402 malformed-credential" },
  "a number": { payload: { spt: 7 }, outcome: "402 malformed-credential" },
  "an empty token": {
    payload: { spt: "" },
    outcome: "402 malformed-credential",
  },
  "a token that is none": {
    payload: { spt: "pm_card_visa" },
    outcome: "402 malformed-credential",
  },
  "a bare prefix": {
    payload: { spt: "spt_" },
    outcome: "402 malformed-credential",
  },
  "a token with a space": {
    payload: { spt: "spt_a b" },
    outcome: "402 malformed-credential",
  },
  "a token of 201 characters": {
    payload: { spt: "spt_".padEnd(201, "x") },
    outcome: "402 malformed-credential",
  },
  "a token of 4 KB": {
    payload: { spt: "spt_".padEnd(4_100, "x") },
    outcome: "402 malformed-credential",
  },
  "another externalId": {
    payload: { spt: "spt_1", externalId: `metrics:${OTHER_DAY}` },
    outcome: "402 invalid-challenge",
  },
  "an externalId that is no text": {
    payload: { spt: "spt_1", externalId: 1 },
    outcome: "402 malformed-credential",
  },
};

for (const [what, { payload, outcome }] of Object.entries(PAYLOADS)) {
  Deno.test(`GET /metrics answers ${outcome} to a payload with ${what}`, async () => {
    await using shop = await openPaidWorld();
    const challenge = await challengeOf(shop.ask);
    await expect(shop, credential(challenge, payload), outcome);
    assertEquals(await shop.payment(challenge), null);
    const spt = await shop.token();
    const externalId = `metrics:${DAY}`;
    const good = credential(challenge, { spt, externalId });
    assertEquals(
      await outcomeOf(await shop.ask({ authorization: good })),
      "200",
    );
  });
}

Deno.test("GET /metrics asks the processor about a token of 200 characters", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  const spt = "spt_".padEnd(200, "x");
  await expect(shop, credential(challenge, { spt }), "402 verification-failed");
});

Deno.test("GET /metrics answers unreadable credentials with malformed-credential", async () => {
  await using shop = await openPaidWorld();
  for (const text of ["!!!", "e30", encode([1]), encode({ payload: {} })]) {
    await expect(shop, `Payment ${text}`, "402 malformed-credential");
  }
});

Deno.test("a challenge is good until it expires, and not at that moment", async () => {
  await using shop = await openPaidWorld();
  const [early, late] = [
    await challengeOf(shop.ask),
    await challengeOf(shop.ask),
  ];
  shop.world.clock.advance(299_999);
  const inTime = credential(early, { spt: await shop.token() });
  assertEquals(
    await outcomeOf(await shop.ask({ authorization: inTime })),
    "200",
  );
  shop.world.clock.advance(1);
  const tooLate = credential(late, { spt: await shop.token() });
  await expect(shop, tooLate, "402 payment-expired");
  assertEquals((await shop.taken()).charged, [100]);
});

Deno.test("an expired challenge is told before what its payload lacks", async () => {
  await using shop = await openPaidWorld();
  const challenge = await challengeOf(shop.ask);
  shop.world.clock.advance(301_000);
  await expect(shop, credential(challenge, {}), "402 payment-expired");
});

Deno.test("a problem about a payment has exactly its members", async () => {
  await using shop = await openPaidWorld();
  const answer = await shop.ask({ authorization: "Payment !!!" });
  const { id } = challengeIn(answer);
  const problem = await answer.json();
  assertEquals(Object.keys(problem), [
    "type",
    "title",
    "status",
    "detail",
    "docs",
    "challengeId",
  ]);
  assertEquals(problem.challengeId, id);
  assertEquals(problem.title, "Malformed Credential");
});

function requestWith(
  { request = "" }: SeenChallenge,
  changes: Record<string, unknown>,
): string {
  return encode({ ...decode(request) as object, ...changes });
}

/** Checks the outcome, and what every no of a payment has in common. */
async function expect(
  shop: PaidWorld,
  authorization: string,
  outcome: string,
): Promise<void> {
  const answer = await shop.ask({ authorization });
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("payment-receipt"), null);
  if (answer.status === 402) assert(challengeIn(answer).id !== undefined);
  else assertEquals(answer.headers.get("www-authenticate"), null);
  assertEquals(await outcomeOf(answer), outcome);
}
