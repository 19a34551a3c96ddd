import { assert, assertEquals } from "@std/assert";
import { creativeRecord } from "../../../../routes/shapes/records.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";

const LIST = "/v1/agent/creatives";

const COPY = {
  headline: "Bread by bicycle",
  description: "Warm loaves at your door before eight, every day but Monday.",
  target_url: "https://bakery.example/bread?from=spotlight",
};

const SCOPES = ["creatives:read", "creatives:write"] as const;

function agent(api: AgentApi, name = "ada"): Promise<Agent> {
  return api.world.agent(name, { scopes: SCOPES });
}

interface Sent {
  method?: string;
  body?: unknown;
  key?: string | null;
}

let keys = 0;

function send(
  api: AgentApi,
  as: Agent,
  path: string,
  { method = "POST", body, key }: Sent = {},
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  const sentKey = key === undefined ? `key-${++keys}` : key;
  if (sentKey !== null) headers["idempotency-key"] = sentKey;
  return api.ask(path, {
    as,
    method,
    headers,
    ...body !== undefined && {
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
  });
}

const create = (
  api: AgentApi,
  as: Agent,
  body: unknown = COPY,
  key = `key-${++keys}`,
) => send(api, as, LIST, { body, key });

/** The creative of an answer, its members checked. */
async function creativeOf(answer: Response, status = 200) {
  assertEquals(answer.status, status, await answer.clone().text());
  return creativeRecord.parse(await answer.json());
}

async function draft(api: AgentApi, as: Agent) {
  return await creativeOf(await create(api, as), 201);
}

async function list(api: AgentApi, as: Agent, query = "") {
  const answer = await api.ask(`${LIST}${query}`, { as });
  assertEquals(answer.status, 200);
  const { items, next_cursor } = await answer.json();
  return {
    ids: items.map((item: unknown) => creativeRecord.parse(item).ad_id),
    next_cursor,
  };
}

Deno.test("POST /v1/agent/creatives answers 201 with the draft and its members", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const answer = await create(api, ada);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const { ad_id, ...rest } = await creativeOf(answer, 201);
  assert(/^ad_[a-z0-9]{20}$/.test(ad_id), ad_id);
  assertEquals(rest, {
    ...COPY,
    state: "draft",
    revises: null,
    revised_by: null,
    created_at: "2026-11-20T12:00:00.000Z",
    updated_at: "2026-11-20T12:00:00.000Z",
    submitted_at: null,
    reviewed_at: null,
    rejection: null,
  });
  const read = await api.ask(`${LIST}/${ad_id}`, { as: ada });
  assertEquals(await creativeOf(read), { ad_id, ...rest });
});

Deno.test("POST /v1/agent/creatives names every problem of the copy", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const answer = await create(api, ada, {
    headline: "Hi",
    description: "Ten letters\u202e at least",
    target_url: "http://bakery.example/",
  });
  assertEquals(answer.status, 400);
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
  const { code, errors } = await answer.json();
  assertEquals(code, "VALIDATION_FAILED");
  assertEquals(
    errors.map(({ field, code }: Record<string, string>) => [field, code]),
    [
      ["headline", "too_short"],
      ["description", "direction_character"],
      ["target_url", "not_https"],
    ],
  );
});

Deno.test("POST and PATCH /v1/agent/creatives answer 400 to JSON of another shape", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const { ad_id } = await draft(api, ada);
  const cases: [string, string, unknown, string, string][] = [
    ["POST", LIST, [], "body", "wrong_type"],
    ["POST", LIST, { ...COPY, headline: undefined }, "headline", "missing"],
    ["POST", LIST, { ...COPY, headline: 7 }, "headline", "wrong_type"],
    ["POST", LIST, { ...COPY, state: "approved" }, "state", "unknown_member"],
    ["PATCH", `${LIST}/${ad_id}`, {}, "body", "wrong_type"],
    ["PATCH", `${LIST}/${ad_id}`, null, "body", "wrong_type"],
    ["PATCH", `${LIST}/${ad_id}`, { headline: null }, "headline", "wrong_type"],
  ];
  for (const [method, path, body, field, code] of cases) {
    const answer = await send(api, ada, path, { method, body });
    assertEquals(answer.status, 400);
    const problem = await answer.json();
    assertEquals(problem.code, "VALIDATION_FAILED");
    assertEquals([problem.errors[0].field, problem.errors[0].code], [
      field,
      code,
    ]);
  }
});

Deno.test("POST /v1/agent/creatives answers agent.bad-request to what is no JSON", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  for (const body of ["{", "", `"${"a".repeat(17_000)}"`]) {
    const answer = await create(api, ada, body);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("POST /v1/agent/creatives asks for a key, the other writes do not", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const bare = await send(api, ada, LIST, { body: COPY, key: null });
  assertEquals(bare.status, 400);
  assertEquals((await bare.json()).code, "agent.idempotency-key-required");
  const { ad_id } = await draft(api, ada);
  const path = `${LIST}/${ad_id}`;
  const patch = { method: "PATCH", body: { headline: "Rolls" }, key: null };
  assertEquals((await send(api, ada, path, patch)).status, 200);
  for (const verb of ["submit", "archive"]) {
    const answer = await send(api, ada, `${path}/${verb}`, { key: null });
    assertEquals(answer.status, 200);
  }
});

Deno.test("each write of a creative replays its answer for the same key, once", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const created = await create(api, ada, COPY, "k1");
  const again = await create(api, ada, COPY, "k1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), await created.clone().text());
  const { ad_id } = await creativeOf(created, 201);
  assertEquals((await list(api, ada)).ids.length, 2, "the world's and this");

  const other = await create(api, ada, { ...COPY, headline: "Rolls" }, "k1");
  assertEquals([other.status, (await other.json()).code], [409, "CONFLICT"]);

  const path = `${LIST}/${ad_id}`;
  const patch = { method: "PATCH", body: { headline: "Rolls" }, key: "k2" };
  const patched = await send(api, ada, path, patch);
  await send(api, ada, path, {
    ...patch,
    body: { headline: "Buns" },
    key: "k3",
  });
  const repeated = await send(api, ada, path, patch);
  assertEquals(repeated.headers.get("idempotent-replayed"), "true");
  assertEquals(await repeated.text(), await patched.text());
  const read = await api.ask(path, { as: ada });
  assertEquals((await creativeOf(read)).headline, "Buns");
});

Deno.test("PATCH /v1/agent/creatives/{ad_id} changes what it names of a draft", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const before = await draft(api, ada);
  api.world.clock.advance(60_000);
  const body = { headline: "Rolls by bicycle" };
  const path = `${LIST}/${before.ad_id}`;
  const after = await creativeOf(
    await send(api, ada, path, { method: "PATCH", body }),
  );
  assertEquals(after, {
    ...before,
    ...body,
    updated_at: "2026-11-20T12:01:00.000Z",
  });
});

Deno.test("PATCH of an approved creative answers 201 with a new draft, the old one stands", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const path = `${LIST}/${ada.adId}`;
  const old = await creativeOf(await api.ask(path, { as: ada }));
  const body = { headline: "A better headline" };
  const made = await creativeOf(
    await send(api, ada, path, { method: "PATCH", body }),
    201,
  );
  assertEquals([made.state, made.revises], ["draft", ada.adId]);
  assertEquals(made.headline, body.headline);
  assertEquals(made.description, old.description);
  assertEquals(await creativeOf(await api.ask(path, { as: ada })), {
    ...old,
    revised_by: made.ad_id,
  });
});

Deno.test("submit and archive answer the creative, 409 CONFLICT where its state forbids it", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const { ad_id } = await draft(api, ada);
  const path = `${LIST}/${ad_id}`;
  const submitted = await creativeOf(await send(api, ada, `${path}/submit`));
  assertEquals(submitted.state, "submitted");
  assertEquals(submitted.submitted_at, "2026-11-20T12:00:00.000Z");
  const patch = { method: "PATCH", body: { headline: "Rolls" } };
  const locked = await send(api, ada, path, patch);
  assertEquals([locked.status, (await locked.json()).code], [409, "CONFLICT"]);

  const archived = await creativeOf(await send(api, ada, `${path}/archive`));
  assertEquals(archived.state, "archived");
  for (const verb of ["submit", "patch"]) {
    const answer = verb === "patch"
      ? await send(api, ada, path, patch)
      : await send(api, ada, `${path}/${verb}`);
    assertEquals([answer.status, (await answer.json()).code], [
      409,
      "CONFLICT",
    ]);
  }
  const approved = await send(api, ada, `${LIST}/${ada.adId}/submit`);
  assertEquals(approved.status, 409);
});

Deno.test("submit answers 403 agent.human-step-required before onboarding", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", {
    scopes: SCOPES,
    account: { company: null },
  });
  const { ad_id } = await draft(api, ada);
  const answer = await send(api, ada, `${LIST}/${ad_id}/submit`);
  assertEquals(answer.status, 403);
  const problem = await answer.json();
  assertEquals(problem.code, "agent.human-step-required");
  assertEquals(problem.reasons, ["onboarding_incomplete"]);
  assertEquals(problem.action_url, "/onboarding");
});

Deno.test("another account's creative is 404 agent.not-found on every operation", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const bob = await agent(api, "bob");
  const unknown = [ada.adId, "ad_none", "a".repeat(65), "%00", "ad_%F0"];
  for (const id of unknown) {
    const path = `${LIST}/${id}`;
    const answers = [
      await api.ask(path, { as: bob }),
      await send(api, bob, path, {
        method: "PATCH",
        body: { headline: "Mine" },
      }),
      await send(api, bob, `${path}/submit`),
      await send(api, bob, `${path}/archive`),
    ];
    for (const answer of answers) {
      assertEquals(answer.status, 404, id);
      assertEquals((await answer.json()).code, "agent.not-found");
    }
  }
});

Deno.test("GET /v1/agent/creatives lists one's own, newest first, page after page", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const bob = await agent(api, "bob");
  const made: string[] = [];
  for (let at = 0; at < 3; at++) {
    api.world.clock.advance(1_000);
    made.unshift((await draft(api, ada)).ad_id);
  }
  await draft(api, bob);
  const all = [...made, ada.adId];
  assertEquals((await list(api, ada)).ids, all);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await list(api, ada, `?limit=2${from}`);
    seen.push(...page.ids);
    cursor = page.next_cursor;
    // What is made meanwhile moves nothing.
    await draft(api, ada);
  } while (cursor !== null);
  assertEquals(seen, all);
  for (const query of ["limit=0", "limit=51", "cursor=!", "cursor=MTIz"]) {
    const answer = await api.ask(`${LIST}?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("creatives need their scopes, on every operation", async () => {
  await using api = await openAgentApi();
  const reader = await api.world.agent("ada", { scopes: ["creatives:read"] });
  const writer = await api.world.agent("bob", { scopes: ["creatives:write"] });
  const refused = [
    await api.ask(LIST, { as: writer }),
    await api.ask(`${LIST}/${writer.adId}`, { as: writer }),
    await send(api, reader, LIST, { body: COPY, key: null }),
    await send(api, reader, `${LIST}/${reader.adId}`, { method: "PATCH" }),
    await send(api, reader, `${LIST}/${reader.adId}/submit`),
    await send(api, reader, `${LIST}/${reader.adId}/archive`),
  ];
  for (const answer of refused) {
    assertEquals(answer.status, 403);
    assertEquals((await answer.json()).code, "agent.scope-missing");
    assert(answer.headers.get("www-authenticate")?.includes("creatives:"));
  }
});

Deno.test("creatives answer 405 with Allow to other methods", async () => {
  await using api = await openAgentApi();
  const ada = await agent(api);
  const cases: [string, string][] = [
    [LIST, "GET, HEAD, POST"],
    [`${LIST}/${ada.adId}`, "GET, HEAD, PATCH"],
    [`${LIST}/${ada.adId}/submit`, "POST"],
  ];
  for (const [path, allow] of cases) {
    const answer = await api.ask(path, { as: ada, method: "DELETE" });
    assertEquals([answer.status, answer.headers.get("allow")], [405, allow]);
  }
});
