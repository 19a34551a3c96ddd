import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Scope } from "../../../../domain/oauth/grant.ts";
import { PASSKEYS_MAX } from "../../../../domain/passkeys/passkey.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { savePasskeys } from "../../../support/passkeys.ts";

const LIST = "/v1/agent/passkeys";
const BOTH: readonly Scope[] = ["security:read", "security:write"];

/** An agent of an account with these passkeys. */
async function withPasskeys(
  { world }: AgentApi,
  ids: readonly string[],
  account: { email?: string } = {},
): Promise<Agent> {
  const ada = await world.agent("ada", { scopes: BOTH, account });
  await savePasskeys(world.services, ada, ids);
  return ada;
}

function remove(
  api: AgentApi,
  as: Agent,
  id: string,
  key?: string,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key !== undefined) headers["idempotency-key"] = key;
  return api.ask(`${LIST}/${id}`, { as, method: "DELETE", headers });
}

// deno-lint-ignore no-explicit-any -- tests compare what they expect of it
async function list(api: AgentApi, as: Agent, query = ""): Promise<any> {
  const answer = await api.ask(`${LIST}${query}`, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}

async function idsOf(api: AgentApi, as: Agent): Promise<string[]> {
  const { items } = await list(api, as);
  return items.map(({ id }: { id: string }) => id);
}

Deno.test("GET /v1/agent/passkeys answers passkeys with their five members, newest first, and no keys", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone", "pk_laptop"]);
  const answer = await api.ask(LIST, { as: ada });
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const text = await answer.text();
  const [phone, laptop] = ["pk_phone", "pk_laptop"].map((id, at) => ({
    id,
    name: `Key ${id}`,
    synced: true,
    created_at: `2026-11-20T12:00:0${at}.000Z`,
    last_used_at: null,
  }));
  assertEquals(JSON.parse(text), {
    items: [laptop, phone],
    next_cursor: null,
  });
  for (const hidden of ["credential", "public", "7654321", "ea9b8d66"]) {
    assert(!text.includes(hidden), hidden);
  }
});

Deno.test("GET /v1/agent/passkeys answers every passkey once, page after page", async () => {
  await using api = await openAgentApi();
  const ids = Array.from({ length: PASSKEYS_MAX }, (_, at) => `pk_${at}`);
  const ada = await withPasskeys(api, ids);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 21 }), async (limit) => {
      api.world.clock.advance(60_000); // the bucket is filled again
      const seen: string[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const { items, next_cursor } = await list(api, ada, query);
        seen.push(...items.map(({ id }: { id: string }) => id));
        if (next_cursor === null) break;
        query = `?limit=${limit}&cursor=${next_cursor}`;
      }
      assertEquals(seen, ids.toReversed());
    }),
    { numRuns: 15 },
  );
});

Deno.test("GET /v1/agent/passkeys answers 400 for other limits and cursors", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, []);
  for (const query of ["limit=0", "limit=51", "cursor=!", "cursor=MTIz"]) {
    const answer = await api.ask(`${LIST}?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("GET /v1/agent/passkeys shows nobody else's passkeys", async () => {
  await using api = await openAgentApi();
  await withPasskeys(api, ["pk_phone"]);
  const eve = await api.world.agent("eve", { scopes: BOTH });
  assertEquals(await list(api, eve), { items: [], next_cursor: null });
});

Deno.test("DELETE /v1/agent/passkeys/{id} removes it and tells the owner by mail, once a key", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone", "pk_laptop"]);
  const first = await remove(api, ada, "pk_phone", "key-1");
  assertEquals(first.status, 200);
  assertEquals(first.headers.get("idempotent-replayed"), null);
  const body = await first.text();
  assertEquals(JSON.parse(body), { id: "pk_phone", removed: true });
  assertEquals(await idsOf(api, ada), ["pk_laptop"]);
  const again = await remove(api, ada, "pk_phone", "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), body);
  const mails = await api.world.services.store.listMails({ limit: 10 });
  assertEquals(mails.map(({ to, subject }) => [to, subject]), [[
    "ada@example.com",
    "A passkey was removed from your Spotlight account",
  ]]);
  assertEquals((await remove(api, ada, "pk_phone")).status, 404);
});

Deno.test("DELETE /v1/agent/passkeys/{id} never takes the last way to sign in", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone"], { email: "" });
  const answer = await remove(api, ada, "pk_phone", "key-1");
  assertEquals(answer.status, 409);
  const { code, detail } = await answer.json();
  assertEquals(code, "CONFLICT");
  assertEquals(
    detail,
    "Cannot remove the passkey: it is the last way to sign in",
  );
  const given = { passkey_id: "pk_phone", idempotency_key: "key-1" };
  const told = await callTool(api, ada, "remove_passkey", given);
  assertEquals([told.isError, told.content.detail], [true, detail]);
  assertEquals(await idsOf(api, ada), ["pk_phone"]);
  // Only a success binds the key: with another passkey the request goes on.
  await savePasskeys(api.world.services, ada, ["pk_phone", "pk_laptop"]);
  assertEquals((await remove(api, ada, "pk_phone", "key-1")).status, 200);
});

Deno.test("the last passkey goes where a mailed code signs in", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone"]);
  assertEquals((await remove(api, ada, "pk_phone")).status, 200);
  assertEquals(await idsOf(api, ada), []);
});

Deno.test("of two passkeys removed at once one way to sign in stays", async () => {
  for (let round = 0; round < 8; round++) {
    await using api = await openAgentApi();
    const both = ["pk_phone", "pk_laptop"];
    const ada = await withPasskeys(api, both, { email: "" });
    const answers = await Promise.all(
      both.map((id) => remove(api, ada, id, "key-1")),
    );
    assertEquals(answers.map(({ status }) => status).toSorted(), [200, 409]);
    assertEquals((await idsOf(api, ada)).length, 1);
  }
});

Deno.test("parallel repeats of a passkey's removal send one mail", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone"]);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => remove(api, ada, "pk_phone", "key-1")),
  );
  const bodies = await Promise.all(answers.map((each) => each.text()));
  assertEquals(new Set(bodies).size, 1);
  const mails = await api.world.services.store.listMails({ limit: 10 });
  assertEquals(mails.length, 1);
});

Deno.test("DELETE /v1/agent/passkeys/{id} of another account or of none is the same 404", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone"]);
  const eve = await api.world.agent("eve", { scopes: BOTH });
  for (const id of ["pk_phone", "pk_none", "%00", "x".repeat(3_000)]) {
    const answer = await remove(api, eve, id, "key-1");
    assertEquals(answer.status, 404);
    const { code, detail } = await answer.json();
    assertEquals([code, detail], [
      "agent.not-found",
      "Cannot find the passkey",
    ]);
  }
  assertEquals(await idsOf(api, ada), ["pk_phone"]);
});

Deno.test("DELETE /v1/agent/passkeys/{id} answers 400 for keys of another shape", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone"]);
  for (const key of ["", "x".repeat(256), "a b"]) {
    const answer = await remove(api, ada, "pk_phone", key);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

for (
  const [operation, scope] of [
    [`GET ${LIST}`, "security:read"],
    [`DELETE ${LIST}/pk_1`, "security:write"],
  ] as const
) {
  Deno.test(`${operation} asks for ${scope}, and for a token`, () =>
    assertAsksScope(operation, scope));
}

Deno.test("a passkey whose removal's answer was lost is gone, with one mail and one answer", async () => {
  await using api = await openAgentApi();
  const ada = await withPasskeys(api, ["pk_phone", "pk_laptop"]);
  await list(api, ada); // its use is noted, which is a commit
  const fault = { kind: "fail_after" } as const;
  api.world.testStore.kv.inject({ on: "commit", fault });
  const lost = await remove(api, ada, "pk_phone", "key-1");
  assertEquals(lost.status, 503);
  assertEquals(await idsOf(api, ada), ["pk_laptop"]);
  const again = await remove(api, ada, "pk_phone", "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.json(), { id: "pk_phone", removed: true });
  const mails = await api.world.services.store.listMails({ limit: 10 });
  assertEquals(mails.length, 1);
});

Deno.test("DELETE /v1/agent/passkeys/{id} never takes an operator's last passkey, by which alone an operator decides", async () => {
  await using api = await openAgentApi();
  const [email = ""] = api.world.services.settings.operatorEmails;
  const ids = ["pk_phone", "pk_laptop"];
  const operator = await withPasskeys(api, ids, { email });
  const statuses: number[] = [];
  for (const id of ids) {
    const answer = await remove(api, operator, id);
    statuses.push(answer.status);
    await answer.body?.cancel();
  }
  assertEquals(statuses, [200, 409]);
  assertEquals(await idsOf(api, operator), ["pk_laptop"]);
});
