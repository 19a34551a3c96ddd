import { assert, assertEquals } from "@std/assert";
import { requireAccount } from "../../../../domain/accounts/require_account.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { markRefused } from "../../../../domain/cards/mark_refused.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { bidBy } from "../../../support/bidding_world.ts";
import {
  type BillingApi,
  openBillingApi,
} from "../../../support/billing_api.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { askedWith } from "../../../support/asks_scope.ts";

const LIST = "/v1/agent/payment_methods";

interface Card {
  id: string;
  last4: string;
  is_default: boolean;
}

async function list(
  api: BillingApi,
  as: Agent,
  query = "",
): Promise<{ items: Card[]; next_cursor: string | null }> {
  const answer = await api.ask(`${LIST}${query}`, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}

/** The last four digits of the listed cards, the default one marked. */
async function shown(api: BillingApi, as: Agent): Promise<string[]> {
  const { items } = await list(api, as);
  return items.map(({ last4, is_default }) =>
    `${last4}${is_default ? "*" : ""}`
  );
}

function change(
  api: BillingApi,
  as: Agent,
  method: string,
  path: string,
  key?: string,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key !== undefined) headers["idempotency-key"] = key;
  return api.ask(path, { as, method, headers });
}

const remove = (api: BillingApi, as: Agent, id: string, key?: string) =>
  change(api, as, "DELETE", `${LIST}/${id}`, key);
const choose = (api: BillingApi, as: Agent, id: string, key?: string) =>
  change(api, as, "POST", `${LIST}/${id}/default`, key);

Deno.test("GET /v1/agent/payment_methods answers cards with their seven members", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", ["visa"]);
  const answer = await api.ask(LIST, { as: ada });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const { "4242": id } = await api.ids(ada);
  assertEquals(await answer.json(), {
    items: [{
      id,
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: 2029,
      is_default: true,
      created_at: "2026-11-20T12:00:00.000Z",
    }],
    next_cursor: null,
  });
});

Deno.test("GET /v1/agent/payment_methods lists the newest first, page after page", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", ["visa", "mastercard", "amex"]);
  assertEquals(await shown(api, ada), ["8431", "4444", "4242*"]);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await list(api, ada, `?limit=1${query}`);
    assertEquals(page.items.length, 1);
    seen.push(...page.items.map(({ last4 }) => last4));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assertEquals(seen, ["8431", "4444", "4242"]);
  const exact = await list(api, ada, "?limit=3");
  assertEquals([exact.items.length, exact.next_cursor], [3, null]);
});

Deno.test("GET /v1/agent/payment_methods goes on behind a card that was removed", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", ["visa", "mastercard", "amex"]);
  const page = await list(api, ada, "?limit=2");
  const { "4444": id = "" } = await api.ids(ada);
  assertEquals((await remove(api, ada, id)).status, 200);
  const rest = await list(api, ada, `?cursor=${page.next_cursor}`);
  assertEquals(rest.items.map(({ last4 }) => last4), ["4242"]);
});

Deno.test("GET /v1/agent/payment_methods answers 400 for other limits and cursors", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", []);
  for (
    const query of [
      "limit=0",
      "limit=51",
      "limit=x",
      "limit=1&limit=2",
      "cursor=",
      "cursor=!",
      "cursor=MTIz",
      `cursor=${"a".repeat(1_001)}`,
    ]
  ) {
    const answer = await api.ask(`${LIST}?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("GET /v1/agent/payment_methods shows nobody else's cards", async () => {
  await using api = await openBillingApi();
  await api.billing("ada");
  const eve = await api.billing("eve", []);
  assertEquals(await list(api, eve), { items: [], next_cursor: null });
});

Deno.test("POST …/default answers the card that is charged from now on", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada");
  const { "4444": id = "" } = await api.ids(ada);
  const answer = await choose(api, ada, id);
  assertEquals(answer.status, 200);
  const { is_default, last4 } = await answer.json();
  assertEquals([is_default, last4], [true, "4444"]);
  assertEquals(await shown(api, ada), ["4444*", "4242"]);
});

Deno.test("DELETE /v1/agent/payment_methods/{id} takes the card away here and there", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada");
  const { "4242": id = "" } = await api.ids(ada);
  const answer = await remove(api, ada, id);
  assertEquals(answer.status, 200);
  assertEquals(await answer.json(), { id, removed: true });
  assertEquals(await shown(api, ada), ["4444*"]);
  const requests = api.simulator.control.requests();
  assert(requests.some(({ path }) => path.endsWith(`${id}/detach`)));
  assertEquals((await remove(api, ada, id)).status, 404);
});

Deno.test("DELETE /v1/agent/payment_methods/{id} of a live bid's card is 409 CONFLICT", async () => {
  await using api = await openBillingApi();
  const scopes = ["billing:write", "billing:read", "bids:write"] as const;
  const ada = await api.billing("ada", ["visa", "mastercard"], scopes);
  await placeBid(api.world.services, bidBy(ada));
  const { "4242": id = "" } = await api.ids(ada);
  const answer = await remove(api, ada, id, "key-1");
  assertEquals(answer.status, 409);
  const { code, detail } = await answer.json();
  assertEquals(code, "CONFLICT");
  assertEquals(
    detail,
    `Cannot remove payment method "${id}": your bid stands on it until its ` +
      "auction has settled (2026-11-20)",
  );
  assertEquals(await shown(api, ada), ["4444", "4242*"]);
});

for (const operation of ["default", "DELETE"] as const) {
  const act = operation === "DELETE" ? remove : choose;
  Deno.test(`${operation} of a card that is unknown or another's is the same 404`, async () => {
    await using api = await openBillingApi();
    const ada = await api.billing("ada");
    const eve = await api.billing("eve", []);
    const { "4242": id = "" } = await api.ids(ada);
    for (const each of [id, "pm_none", "x", "%00", "x".repeat(3_000)]) {
      const answer = await act(api, eve, each, "key-1");
      assertEquals(answer.status, 404);
      const { code, detail } = await answer.json();
      assertEquals(code, "agent.not-found");
      const named = decodeURIComponent(each);
      assertEquals(
        detail,
        `Cannot find payment method "${named}": ` +
          "GET /v1/agent/payment_methods (list_payment_methods) lists " +
          "those you have",
      );
    }
    assertEquals((await shown(api, ada)).length, 2);
  });

  Deno.test(`${operation} of a card replays the stored answer for the same key`, async () => {
    await using api = await openBillingApi();
    const ada = await api.billing("ada");
    const { "4444": id = "", "4242": other = "" } = await api.ids(ada);
    const first = await act(api, ada, id, "key-1");
    assertEquals(first.headers.get("idempotent-replayed"), null);
    const body = await first.text();
    if (operation === "default") await choose(api, ada, other);
    const again = await act(api, ada, id, "key-1");
    assertEquals(again.status, 200);
    assertEquals(again.headers.get("idempotent-replayed"), "true");
    assertEquals(await again.text(), body);
    // A key belongs to one operation: another card's is free.
    assertEquals((await act(api, ada, other, "key-1")).status, 200);
  });

  Deno.test(`${operation} of a card leaves its key free when it is refused`, async () => {
    await using api = await openBillingApi();
    const ada = await api.billing("ada", []);
    assertEquals((await act(api, ada, "pm_none", "key-1")).status, 404);
    const { store } = api.world.services;
    const operations = [
      `DELETE ${LIST}/pm_none`,
      `POST ${LIST}/pm_none/default`,
    ];
    for (const each of operations) {
      const stored = await store.idempotency.find(ada.grant.id, each, "key-1");
      assertEquals(stored, null);
    }
  });

  Deno.test(`${operation} of a card answers 400 for keys of another shape`, async () => {
    await using api = await openBillingApi();
    const ada = await api.billing("ada");
    const { "4242": id = "" } = await api.ids(ada);
    for (const key of ["", "x".repeat(256), "a b"]) {
      const answer = await act(api, ada, id, key);
      assertEquals(answer.status, 400);
      assertEquals((await answer.json()).code, "agent.bad-request");
    }
    assertEquals((await shown(api, ada)).length, 2);
  });
}

Deno.test("parallel repeats of a removal with one key have one effect and one answer", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada");
  const { "4242": id = "" } = await api.ids(ada);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => remove(api, ada, id, "key-1")),
  );
  const bodies = await Promise.all(answers.map((each) => each.text()));
  assertEquals(new Set(bodies).size, 1);
  assertEquals(await shown(api, ada), ["4444*"]);
});

Deno.test("POST …/default of a refused card sends a person to the browser", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada");
  const { "4444": id = "" } = await api.ids(ada);
  await api.world.services.store.transact(async (tx) => {
    const card = await tx.paymentMethods.find(ada.account.id, id);
    if (card) tx.paymentMethods.save({ ...card, refusedAtMs: 1 });
  });
  const answer = await choose(api, ada, id);
  assertEquals(answer.status, 403);
  const { code, reasons, action_url } = await answer.json();
  assertEquals(code, "agent.human-step-required");
  assertEquals([reasons, action_url], [["card_refused"], "/billing"]);
});

for (const surface of ["REST", "a tool"] as const) {
  Deno.test(`choosing the default over ${surface} ends card_refused, where another card was refused`, async () => {
    await using api = await openBillingApi();
    const ada = await api.billing("ada");
    const { "4242": good = "", "4444": other = "" } = await api.ids(ada);
    const { store } = api.world.services;
    await store.transact(async (tx) => {
      const account = await requireAccount(tx, ada.account.id);
      await markRefused(tx, account, { paymentMethodId: other, nowMs: 1 });
    });
    const chosen = surface === "REST"
      ? await (await choose(api, ada, good)).json()
      : (await callTool(api, ada, "set_default_payment_method", {
        payment_method_id: good,
        idempotency_key: "key-1",
      })).content;
    assertEquals([chosen.id, chosen.is_default], [good, true]);
    const account = await store.accounts.find(ada.account.id);
    assertEquals(account?.cardRefused, false);
  });
}

Deno.test("POST /v1/agent/billing_portal answers a link for the user", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada");
  const path = "/v1/agent/billing_portal";
  const first = await change(api, ada, "POST", path, "key-1");
  assertEquals(first.status, 200);
  assertEquals(first.headers.get("cache-control"), "no-store");
  const body = await first.json();
  assertEquals(Object.keys(body), ["url"]);
  assertEquals(new URL(body.url).origin, api.simulator.url);
  const again = await change(api, ada, "POST", path, "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.json(), body);
  const other = await change(api, ada, "POST", path);
  assert((await other.json()).url !== body.url);
});

Deno.test("POST /v1/agent/billing_portal before onboarding sends a person to it", async () => {
  await using api = await openBillingApi();
  const ada = await api.world.agent("ada", {
    scopes: ["billing:write"],
    account: { company: null, processorCustomerId: null },
  });
  const answer = await change(api, ada, "POST", "/v1/agent/billing_portal");
  assertEquals(answer.status, 403);
  const { code, reasons, action_url } = await answer.json();
  assertEquals(code, "agent.human-step-required");
  assertEquals([reasons, action_url], [
    ["onboarding_incomplete"],
    "/onboarding",
  ]);
});

Deno.test("POST /v1/agent/billing_portal is 503 with Retry-After while the processor is silent", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", []);
  api.simulator.control.addFault({ kind: "rate_limit" });
  const path = "/v1/agent/billing_portal";
  const answer = await change(api, ada, "POST", path, "key-1");
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("retry-after"), "1");
  assertEquals((await change(api, ada, "POST", path, "key-1")).status, 200);
});

for (
  const [method, path, scope] of [
    ["GET", LIST, "billing:read"],
    ["POST", `${LIST}/pm_1/default`, "billing:write"],
    ["DELETE", `${LIST}/pm_1`, "billing:write"],
    ["POST", "/v1/agent/billing_portal", "billing:write"],
  ] as const
) {
  Deno.test(`${method} ${path} takes ${scope} and names it when missing`, async () => {
    await using api = await openBillingApi();
    const others = ["billing:read", "billing:write", "account:read"] as const;
    const scopes = others.filter((each) => each !== scope);
    const ada = await api.billing("ada", [], scopes);
    const answer = await change(api, ada, method, path);
    assertEquals(answer.status, 403);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert(challenge.includes(`scope="${askedWith(scope)}"`), challenge);
    assertEquals((await answer.json()).code, "agent.scope-missing");
    const none = await api.ask(path, { method });
    assertEquals([none.status, await none.text()], [401, ""]);
  });
}

Deno.test("other methods on payment methods and the portal are 405", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", []);
  for (
    const [path, allow] of [
      [LIST, "GET, HEAD"],
      [`${LIST}/pm_1`, "DELETE"],
      [`${LIST}/pm_1/default`, "POST"],
      ["/v1/agent/billing_portal", "POST"],
    ] as const
  ) {
    const answer = await change(api, ada, "PUT", path);
    assertEquals([answer.status, answer.headers.get("allow")], [405, allow]);
    assertEquals((await answer.json()).code, "agent.method-not-allowed");
  }
});

Deno.test("an empty bucket of the grant is 429 on payment methods too", async () => {
  await using api = await openBillingApi();
  const ada = await api.billing("ada", []);
  let status = 200;
  for (let nth = 0; nth < 130 && status === 200; nth++) {
    const answer = await api.ask(LIST, { as: ada });
    status = answer.status;
    await answer.body?.cancel();
  }
  assertEquals(status, 429);
});
