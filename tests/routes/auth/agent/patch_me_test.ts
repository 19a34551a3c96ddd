import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { readCompany } from "../../../../domain/accounts/company_form.ts";
import type { Scope } from "../../../../domain/oauth/grant.ts";
import {
  type AgentApi,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type {
  AdvertiserOptions,
  Agent,
} from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";

const PATH = "/v1/agent/me";
const WRITE: readonly Scope[] = ["account:read", "account:write"];

function patch(
  api: AgentApi,
  as: Agent,
  body: unknown,
  key?: string,
): Promise<Response> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
  };
  if (key !== undefined) headers["idempotency-key"] = key;
  return api.ask(PATH, {
    as,
    method: "PATCH",
    headers,
    body: JSON.stringify(body),
  });
}

/** An advertiser whose name nobody has looked at yet. */
const NEW: AdvertiserOptions = {
  scopes: WRITE,
  account: { vatStatus: "unverified" },
  creative: { state: "draft" },
};

const SETTINGS = {
  company_name: "ada GmbH",
  requested_company_name: null,
  address: { line1: "Hauptstraße 1", city: "Berlin", postal_code: "10115" },
  contact_preferences: {
    review_mails: true,
    lost_bid_mails: true,
    card_expiry_mails: true,
  },
};

Deno.test("PATCH /v1/agent/me changes what it names, leaves the rest and tells the processor", async () => {
  await using api = await openAgentApi();
  const { services } = api.world;
  const ada = await api.world.agent("ada", NEW);
  const answer = await patch(api, ada, {
    company_name: "  Ada  & Söhne\tGmbH ",
    address: { city: "Köln" },
    contact_preferences: { review_mails: false },
  });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await answer.json(), {
    company_name: "Ada & Söhne GmbH",
    requested_company_name: null,
    address: { ...SETTINGS.address, city: "Köln" },
    contact_preferences: {
      review_mails: false,
      lost_bid_mails: true,
      card_expiry_mails: true,
    },
  });
  const { company } = ada.account;
  assertEquals(await services.store.accounts.find("acc_ada"), {
    ...ada.account,
    company: company && {
      ...company,
      name: "Ada & Söhne GmbH",
      address: { ...company.address, city: "Köln" },
    },
    mutedMails: ["review"],
  });
  const task = await services.store.customerTasks.find("acc_ada");
  assertEquals([task?.state, task?.version], ["waiting", 1]);
  const me = await (await api.ask(PATH, { as: ada })).json();
  assertEquals(me.company_name, "Ada & Söhne GmbH");
});

Deno.test("PATCH /v1/agent/me of what is so already writes nothing and tells nobody", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const { requested_company_name: _, ...body } = SETTINGS;
  const answer = await patch(api, ada, body);
  assertEquals(await answer.json(), SETTINGS);
  assertEquals(await store.customerTasks.find("acc_ada"), null);
  assertEquals(await store.accounts.find("acc_ada"), ada.account);
  const mails = { contact_preferences: { card_expiry_mails: false } };
  assertEquals((await patch(api, ada, mails)).status, 200);
  assertEquals(await store.customerTasks.find("acc_ada"), null);
});

Deno.test("PATCH /v1/agent/me never takes VAT id, country, e-mail or another member", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const refused: [unknown, string][] = [
    [{ vat_id: "DE999999999" }, '"vat_id"'],
    [{ country: "FR" }, '"country"'],
    [{ email: "eve@example.com", company_name: "x" }, '"email"'],
    [{ address: { country: "FR" } }, '"country"'],
    [{ contact_preferences: { security_mails: false } }, '"security_mails"'],
    [{ __proto__x: 1 }, '"__proto__x"'],
    [{}, "name what is to be changed"],
    [{ address: {} }, "name what is to be changed"],
    [{ company_name: "x", contact_preferences: {} }, "name what is"],
    [[], "must be a JSON object"],
    [null, "must be a JSON object"],
    ["x", "must be a JSON object"],
    [{ company_name: null }, "company_name must be a string"],
    [{ address: "x" }, "address must be an object"],
    [{ address: { city: 5 } }, "address.city must be a string"],
    [
      { contact_preferences: { review_mails: "no" } },
      "contact_preferences.review_mails must be true or false",
    ],
  ];
  for (const [body, said] of refused) {
    const answer = await patch(api, ada, body, "key-1");
    assertEquals(answer.status, 400, JSON.stringify(body));
    const { code, detail } = await answer.json();
    assertEquals(code, "agent.bad-request");
    assertStringIncludes(detail, said);
  }
  const { store } = api.world.services;
  assertEquals(await store.accounts.find("acc_ada"), ada.account);
});

Deno.test("PATCH /v1/agent/me names every text that no company has", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const body = {
    company_name: "x".repeat(101),
    address: { line1: " ", city: "Köln\u202e", postal_code: "" },
  };
  const answer = await patch(api, ada, body);
  assertEquals(answer.status, 400);
  assertEquals(
    (await answer.json()).detail,
    "Cannot change the account: company_name must be of 100 characters at " +
      "most, address.line1 must not be empty, address.city must hold no " +
      "characters that can't be seen, address.postal_code must not be empty",
  );
});

Deno.test("PATCH /v1/agent/me takes the texts the onboarding page takes, and no others", async () => {
  await using api = await openAgentApi();
  const { services } = api.world;
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom("", " ", "a\u200bb", "x".repeat(17), "x".repeat(101)),
    fc.integer({ min: 90, max: 210 }).map((length) => "ä".repeat(length)),
  );
  const typed = fc.record({
    name: text,
    line1: text,
    city: text,
    postalCode: text,
  });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      typed,
      fc.constantFrom("DE", "US"),
      async (all, country) => {
        const company = { name: "x", country, vatId: null, address: ADDRESS };
        const account = { company };
        const as = await api.world.agent(`a${made++}`, {
          ...NEW,
          account: { ...NEW.account, ...account },
        });
        const reading = readCompany(
          { ...all, country, vatId: "" },
          services.vatRegistry,
        );
        const { name, line1, city, postalCode } = all;
        const answer = await patch(api, as, {
          company_name: name,
          address: { line1, city, postal_code: postalCode },
        });
        assertEquals(answer.status, reading.ok ? 200 : 400);
        await answer.body?.cancel();
        const saved = await services.store.accounts.find(as.account.id);
        assertEquals(saved?.company, reading.ok ? reading.company : company);
      },
    ),
    { numRuns: 80 },
  );
});

const ADDRESS = { line1: "1 Main St", city: "Town", postalCode: "" };

Deno.test("PATCH /v1/agent/me sends a person to the browser before onboarding", async () => {
  await using api = await openAgentApi();
  const account = { company: null };
  const ada = await api.world.agent("ada", { scopes: WRITE, account });
  const answer = await patch(api, ada, { company_name: "Ada GmbH" }, "key-1");
  assertEquals(answer.status, 403);
  const { code, reasons, action_url } = await answer.json();
  assertEquals([code, reasons, action_url], [
    "agent.human-step-required",
    ["onboarding_incomplete"],
    "/onboarding",
  ]);
  const told = await callTool(api, ada, "update_account", {
    company_name: "Ada GmbH",
  });
  assertEquals([told.isError, told.content.code], [true, code]);
  // Only a success binds the key.
  await api.world.agent("ada");
  const again = await patch(api, ada, { company_name: "Ada GmbH" }, "key-1");
  assertEquals(again.status, 200);
});

Deno.test("PATCH /v1/agent/me keeps a VAT id verified, whoever else holds it by now", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  await api.world.agent("bob"); // with the same VAT id, verified
  const answer = await patch(api, ada, { company_name: "Ada AG" });
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  const { store } = api.world.services;
  const saved = await store.accounts.find("acc_ada");
  assertEquals(saved?.vatStatus, "valid");
});

Deno.test("PATCH /v1/agent/me replays its answer for the same key and body", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", NEW);
  const first = await patch(api, ada, { company_name: "One" }, "key-1");
  await (await patch(api, ada, { company_name: "Two" })).body?.cancel();
  const again = await patch(api, ada, { company_name: "One" }, "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), await first.text());
  const other = await patch(api, ada, { company_name: "Three" }, "key-1");
  assertEquals([other.status, (await other.json()).code], [409, "CONFLICT"]);
  const { store } = api.world.services;
  const saved = await store.accounts.find("acc_ada");
  assertEquals(saved?.company?.name, "Two");
});

Deno.test("PATCH /v1/agent/me answers 400 for keys and bodies that can't be read", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const asked = { as: ada, method: "PATCH" };
  const json = { "content-type": "application/json" };
  const bodies: [HeadersInit, BodyInit][] = [
    [json, "{"],
    [json, `{"company_name":"${"x".repeat(17_000)}"}`],
    [{ "content-type": "text/plain" }, '{"company_name":"x"}'],
    [{ ...json, "idempotency-key": "a b" }, '{"company_name":"x"}'],
  ];
  for (const [headers, body] of bodies) {
    const answer = await api.ask(PATH, { ...asked, headers, body });
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("changes of different members at once both hold, beside a bid", async () => {
  for (let round = 0; round < 5; round++) {
    await using api = await openAgentApi();
    const scopes = [...WRITE, "bids:write"] as const;
    const ada = await api.world.agent("ada", { scopes });
    const answers = await Promise.all([
      patch(api, ada, { company_name: "Ada AG" }, "key-1"),
      patch(api, ada, { address: { city: "Köln" } }, "key-2"),
      patch(api, ada, { contact_preferences: { review_mails: false } }),
      postBid(api, ada),
    ]);
    assertEquals(answers.map(({ status }) => status), [200, 200, 200, 200]);
    const { store } = api.world.services;
    const saved = await store.accounts.find("acc_ada");
    assertEquals(
      [saved?.rename?.name, saved?.company?.address.city, saved?.mutedMails],
      ["Ada AG", "Köln", ["review"]],
    );
  }
});

Deno.test("PATCH /v1/agent/me changes no other account", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const bob = await api.world.agent("bob");
  assertEquals((await patch(api, ada, { company_name: "A" })).status, 200);
  const { store } = api.world.services;
  assertEquals(await store.accounts.find("acc_bob"), bob.account);
});

Deno.test("PATCH /v1/agent/me has a name that readers would see wait, and says so", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: WRITE });
  const body = { company_name: "Stripe Payments Europe" };
  const answer = await patch(api, ada, body);
  assertEquals(await answer.json(), {
    ...SETTINGS,
    requested_company_name: "Stripe Payments Europe",
  });
  const me = await (await api.ask(PATH, { as: ada })).json();
  assertEquals(me.company_name, "ada GmbH");
  const { content } = await callTool(api, ada, "update_account", {
    company_name: "ada GmbH",
  });
  assertEquals(content, SETTINGS);
});

Deno.test("PATCH /v1/agent/me asks for account:write, and for a token", () =>
  assertAsksScope(`PATCH ${PATH}`, "account:write"));

Deno.test("a change whose answer was lost is made once, and its repeat told so", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", NEW);
  await (await api.ask(PATH, { as: ada })).body?.cancel(); // its use is noted
  const fault = { kind: "fail_after" } as const;
  api.world.testStore.kv.inject({ on: "commit", fault });
  const body = { company_name: "Ada AG" };
  assertEquals((await patch(api, ada, body, "key-1")).status, 503);
  const again = await patch(api, ada, body, "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals((await again.json()).company_name, "Ada AG");
  assertEquals((await store.customerTasks.find("acc_ada"))?.version, 1);
});
