import { assert, assertEquals } from "@std/assert";
import {
  type AgentApi,
  bidMembers,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";

Deno.test("POST /v1/agent/bids answers 200 with the auction state", async () => {
  await using api = await openAgentApi();
  const answer = await postBid(api, await api.world.agent("ada"));
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("idempotent-replayed"), null);
  assertEquals(await answer.json(), {
    day: BID_DAY,
    phase: "OPEN",
    bidCount: 1,
    openedAt: "2026-11-20T12:00:00.000Z",
    closesAt: "2026-11-20T23:55:00.000Z",
    closedAt: null,
  });
});

Deno.test("POST /v1/agent/bids replays the stored answer for the same key", async () => {
  await using api = await openAgentApi();
  const [ada, bob] = [
    await api.world.agent("ada"),
    await api.world.agent("bob"),
  ];
  const first = await (await postBid(api, ada)).text();
  await postBid(api, bob);
  const again = await postBid(api, ada);
  assertEquals(again.status, 200);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), first);
});

Deno.test("POST /v1/agent/bids replays for another order of members", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const members = Object.entries(bidMembers(ada)).toReversed();
  const again = await post(
    api,
    ada,
    JSON.stringify(Object.fromEntries(members), null, 2).replace(
      "1000",
      "1.0e3",
    ),
  );
  assertEquals(again.headers.get("idempotent-replayed"), "true");
});

Deno.test("POST /v1/agent/bids answers 409 CONFLICT for a key of another request", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const answer = await postBid(api, ada, { amount_cents: 2_000 });
  assertEquals(answer.status, 409);
  assertEquals(
    answer.headers.get("content-type"),
    "application/problem+json",
  );
  assertEquals((await answer.json()).code, "CONFLICT");
});

Deno.test("POST /v1/agent/bids has one effect for parallel repeats", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postBid(api, ada)),
  );
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  assertEquals(new Set(bodies).size, 1);
  const fresh = answers.filter((each) =>
    !each.headers.has("idempotent-replayed")
  );
  assertEquals(fresh.length, 1);
});

Deno.test("POST /v1/agent/bids answers 409 for a raise that is not higher", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const answer = await postBid(api, ada, {}, "key-2");
  assertEquals(answer.status, 409);
  const body = await answer.json();
  assertEquals(body.code, "CONFLICT");
  assert(body.detail.includes("your live bid of 1000 cents"));
});

Deno.test("POST /v1/agent/bids answers 400 without a key", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answer = await api.ask("/v1/agent/bids", { as: ada, body: "{" });
  assertEquals(answer.status, 400);
  assertEquals((await answer.json()).code, "agent.idempotency-key-required");
});

Deno.test("POST /v1/agent/bids answers 400 for keys of another shape", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const key of ["", "a b", "ä", "k".repeat(256)]) {
    const answer = await postBid(api, ada, {}, key);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
  assertEquals((await postBid(api, ada, {}, "k".repeat(255))).status, 200);
});

Deno.test("POST /v1/agent/bids answers agent.bad-request for what is not JSON", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const good = JSON.stringify(bidMembers(ada));
  const bodies: BodyInit[] = [
    "",
    "{",
    `${good} x`,
    `${good}${" ".repeat(16 * 1024)}`,
    Uint8Array.of(0x22, 0xff, 0xfe, 0x22),
  ];
  for (const body of bodies) {
    const answer = await post(api, ada, body);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("POST /v1/agent/bids answers agent.bad-request for other media types", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const body = JSON.stringify(bidMembers(ada));
  for (const type of ["text/plain", "application/jsonx", "multipart/json"]) {
    const answer = await post(api, ada, body, type);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
  const good = "Application/JSON; charset=utf-8";
  assertEquals((await post(api, ada, body, good)).status, 200);
});

Deno.test("POST /v1/agent/bids takes a body of 16 KiB and reads no further", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const body = JSON.stringify(bidMembers(ada));
  const padded = body + " ".repeat(16 * 1024 - body.length);
  assertEquals((await post(api, ada, padded)).status, 200);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(4_096).fill(0x20));
    },
  });
  assertEquals((await post(api, ada, endless)).status, 400);
  assert(pulled < 10, "the body was read on");
});

const BAD_BODIES: readonly [string, Record<string, unknown> | unknown][] = [
  ["no object", []],
  ["null", null],
  ["a string", "bid"],
  ["no members", {}],
  ["another currency", { currency: "USD" }],
  ["a currency in lower case", { currency: "eur" }],
  ["an amount of 99", { amount_cents: 99 }],
  ["an amount of 100000001", { amount_cents: 100_000_001 }],
  ["a broken amount", { amount_cents: 100.5 }],
  ["an amount as text", { amount_cents: "1000" }],
  ["an impossible day", { day: "2026-02-30" }],
  ["a day as a number", { day: 20261120 }],
  ["an ad_id as a number", { ad_id: 7 }],
  ["a member more", { note: "hello" }],
  ["a card without pm_", { payment_method_id: "card_1" }],
  ["a card of 256 characters", { payment_method_id: `pm_${"x".repeat(253)}` }],
  ["a card that is null", { payment_method_id: null }],
];

for (const [name, change] of BAD_BODIES) {
  Deno.test(`POST /v1/agent/bids answers auction.bad-body for ${name}`, async () => {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada");
    const members = isPlain(change) && Object.keys(change).length > 0
      ? bidMembers(ada, change)
      : change;
    const answer = await post(api, ada, JSON.stringify(members));
    assertEquals(answer.status, 400);
    assertEquals(answer.headers.get("content-type"), "application/json");
    const { error } = await answer.json();
    assertEquals(error.code, "auction.bad-body");
    assertEquals(error.retryable, false);
    assert(error.message.startsWith("Cannot place the bid: "));
  });
}

Deno.test("POST /v1/agent/bids refuses a member named __proto__", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const body = JSON.stringify(bidMembers(ada)).replace(
    "{",
    '{"__proto__":{"x":1},',
  );
  assertEquals((await post(api, ada, body)).status, 400);
});

Deno.test("POST /v1/agent/bids answers 400 for a card named with a raise", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const raise = { amount_cents: 2_000, payment_method_id: ada.cardId };
  const answer = await postBid(api, ada, raise, "key-2");
  assertEquals(answer.status, 400);
  assertEquals((await answer.json()).error.code, "auction.bad-body");
});

Deno.test("POST /v1/agent/bids says limit, used and requested of a mandate", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", {
    mandate: { dailyCapCents: 1_500 },
  });
  await postBid(api, ada);
  const answer = await postBid(api, ada, { amount_cents: 1_501 }, "key-2");
  assertEquals(answer.status, 403);
  const { code, limit, used, requested } = await answer.json();
  assertEquals({ code, limit, used, requested }, {
    code: "agent.mandate-exceeded",
    limit: 1_500,
    used: 1_000,
    requested: 1_501,
  });
});

Deno.test("POST /v1/agent/bids says reasons and a browser path of a human step", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", {
    account: { identityStatus: "unverified" },
    creative: { state: "draft" },
  });
  const answer = await postBid(api, ada);
  assertEquals(answer.status, 403);
  const { code, reasons, action_url } = await answer.json();
  assertEquals({ code, reasons, action_url }, {
    code: "agent.human-step-required",
    reasons: ["identity_unverified", "creative_not_approved"],
    action_url: "/identity",
  });
});

Deno.test("POST /v1/agent/bids answers 404 for creatives and cards not owned", async () => {
  await using api = await openAgentApi();
  const [ada] = [await api.world.agent("ada"), await api.world.agent("bob")];
  const changes = [
    { ad_id: "ad_bob" },
    { ad_id: "" },
    { ad_id: "no such creative" },
    { payment_method_id: "pm_bob" },
  ];
  for (const change of changes) {
    const answer = await postBid(api, ada, change);
    assertEquals(answer.status, 404);
    assertEquals((await answer.json()).code, "agent.not-found");
  }
});

Deno.test("POST /v1/agent/bids answers 503 for an unknown outcome, and replays", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  api.world.testStore.kv.inject({
    on: "commit",
    fault: { kind: "fail_after" },
  });
  const lost = await postBid(api, ada);
  assertEquals(lost.status, 503);
  assertEquals(lost.headers.get("retry-after"), "1");
  assertEquals(Object.hasOwn(await lost.json(), "code"), false);
  const again = await postBid(api, ada);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
});

Deno.test("POST /v1/agent/bids takes two reads and one commit", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const { kv } = api.world.testStore;
  const [reads, commits] = [kv.readCount, kv.commits.length];
  await postBid(api, ada);
  assertEquals(kv.readCount - reads, 2);
  assertEquals(kv.commits.length - commits, 1);
});

Deno.test("no answer to an advertiser says anything of another's bid", async () => {
  await using api = await openAgentApi();
  const [ada, bob] = [
    await api.world.agent("ada"),
    await api.world.agent("bob"),
  ];
  await postBid(api, bob, { amount_cents: 77_777 });
  const { store } = api.world.services;
  const theirs = await store.bids.find(BID_DAY, bob.account.id);
  assert(theirs);
  const paths = [
    `/v1/agent/me?day=${BID_DAY}&ad_id=ad_ada&amount_cents=500`,
    `/v1/agent/auction?day=${BID_DAY}`,
    `/v1/agent/bids?day=${BID_DAY}`,
  ];
  const answers = [
    ...await Promise.all(paths.map((path) => api.ask(path, { as: ada }))),
    await postBid(api, ada),
    await postBid(api, ada),
    await postBid(api, ada, {}, "lower"),
    await postBid(api, ada, { ad_id: "ad_other" }, "creative"),
  ];
  for (const answer of answers) {
    const text = await answer.text() + JSON.stringify([...answer.headers]);
    for (const secret of ["77777", theirs.id, "acc_bob", "ad_bob", "pm_bob"]) {
      assert(!text.includes(secret), `an answer says ${secret}`);
    }
  }
});

function post(
  api: AgentApi,
  as: Agent,
  body: BodyInit,
  type = "application/json",
): Promise<Response> {
  const headers = { "content-type": type, "idempotency-key": "key-1" };
  return api.ask("/v1/agent/bids", { as, body, headers });
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
