import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../domain/day.ts";
import { advanceCommissions } from "../../../../domain/partners/advance_commissions.ts";
import { commissionCents } from "../../../../domain/partners/commission.ts";
import type { Month } from "../../../../domain/month.ts";
import {
  emptyBalance,
  type PartnerBalance,
} from "../../../../domain/partners/partner_balance.ts";
import {
  readBalance,
  readMonths,
} from "../../../../domain/partners/read_figures.ts";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import type { Services } from "../../../../domain/ports.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { invoiceOf } from "../../../support/invoices.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { LINK_CODE, refer, savePartner } from "../../../support/partners.ts";

const BASE = "/v1/agent/affiliate";

interface PartnerWorld extends AsyncDisposable {
  api: AgentApi;
  services: Services;
  agent: Agent;
  partnerId: string;
  read(path: string): Promise<Record<string, unknown>>;
  pay(key: string | null): Promise<Response>;
}

/** A verified partner's agent, over the API. */
async function openPartner(
  changes: Partial<PartnerBalance> = {},
): Promise<PartnerWorld> {
  const api = await openAgentApi();
  const { world } = api;
  const agent = await world.agent("grace", {
    scopes: ["affiliate:read", "affiliate:write"],
  });
  const partnerId = agent.grant.accountId;
  const { services } = world;
  await savePartner(services, {
    partner: { accountId: partnerId },
    account: { id: partnerId },
  });
  await services.store.transact(async (tx) => {
    const link = await tx.referralLinks.find(LINK_CODE);
    assert(link !== null);
    tx.referralLinks.save({ ...link, partnerId });
    tx.partnerBalances.save({ ...emptyBalance(partnerId), ...changes });
  });
  return {
    api,
    services,
    agent,
    partnerId,
    async read(path) {
      const answer = await api.ask(`${BASE}${path}`, { as: agent });
      assertEquals(answer.status, 200);
      return await answer.json();
    },
    pay(key) {
      const headers: Record<string, string> = {};
      if (key !== null) headers["idempotency-key"] = key;
      const asked = { as: agent, method: "POST", headers };
      return api.ask(`${BASE}/payouts`, asked);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const PAYABLE = {
  payableCents: 12_345,
  releasedThrough: "2026-09" as Month,
  statements: 1,
};

Deno.test("POST /v1/agent/affiliate/payouts asks once a key for all that is payable, and one is open at a time", async () => {
  await using partner = await openPartner(PAYABLE);
  const first = await partner.pay("payout-1");
  assertEquals(first.status, 201);
  const payout = await first.json();
  assertEquals(
    [payout.status, payout.amount_cents, payout.paid_at],
    ["requested", 12_345, null],
  );
  const again = await partner.pay("payout-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.json(), payout);
  const second = await partner.pay("payout-2");
  assertEquals(second.status, 409);
  const { code, type } = await second.json();
  assertEquals(code, "CONFLICT");
  assert(type.endsWith("/payout-open"));
  assertEquals((await partner.read("/payouts")).items, [payout]);
  const { balance } = await partner.read("/stats");
  assertEquals(balance, {
    payable_cents: 0,
    requested_cents: 12_345,
    paid_cents: 0,
    minimum_payout_cents: 5_000,
    currency: "EUR",
  });
});

Deno.test("payouts that are asked for at once by many are one", async () => {
  await using partner = await openPartner(PAYABLE);
  const answers = await Promise.all(
    ["a", "b", "c"].map((key) => partner.pay(key)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  await Promise.all(answers.map((each) => each.body?.cancel()));
  assertEquals(statuses, [201, 409, 409]);
  const { store } = partner.services;
  const payouts = await store.listPayouts(partner.partnerId, { limit: 9 });
  assertEquals(payouts.length, 1);
});

Deno.test("a payout below EUR 50, without a key, or to nobody who can be paid is refused", async () => {
  await using partner = await openPartner({ ...PAYABLE, payableCents: 4_999 });
  const keyless = await partner.pay(null);
  assertEquals(
    (await keyless.json()).code,
    "agent.idempotency-key-required",
  );
  const small = await partner.pay("p");
  assertEquals(small.status, 409);
  assert((await small.json()).type.endsWith("/payout-too-small"));
  const { store } = partner.services;
  const suspend = (suspendedAtMs: number | null) =>
    store.transact(async (tx) => {
      const found = await tx.accounts.find(partner.partnerId);
      assert(found !== null);
      tx.accounts.save({ ...found, suspendedAtMs });
    });
  await suspend(1);
  const held = await partner.pay("p1");
  assertEquals(held.status, 409);
  assert((await held.json()).type.endsWith("/payout-held"));
  await suspend(null);
  await store.transact(async (tx) => {
    const found = await tx.partners.find(partner.partnerId);
    assert(found !== null);
    tx.partners.save({ ...found, connectedAccount: null });
  });
  const nowhere = await partner.pay("p2");
  assertEquals(nowhere.status, 409);
  assert((await nowhere.json()).type.endsWith("/partner-not-payable"));
});

Deno.test("GET /v1/agent/affiliate/links lists the partner's own links, and nobody else's", async () => {
  await using partner = await openPartner();
  const { store } = partner.services;
  await store.transact((tx) =>
    tx.referralLinks.save({
      code: "otherpartner",
      partnerId: "acc_other",
      name: "Another's",
      state: "active",
      createdAtMs: 1,
      endedAtMs: null,
    })
  );
  const { items } = await partner.read("/links");
  const { settings, clock } = partner.services;
  assertEquals(items, [{
    code: LINK_CODE,
    url: `${settings.baseUrl}/r/${LINK_CODE}`,
    name: "Newsletter",
    state: "active",
    created_at: new Date(clock.now()).toISOString(),
  }]);
});

Deno.test("the operations of partners ask for their scopes", async () => {
  for (const path of ["stats", "links", "payouts"]) {
    await assertAsksScope(`GET ${BASE}/${path}`, "affiliate:read");
  }
  await assertAsksScope(`POST ${BASE}/payouts`, "affiliate:write");
  await assertAsksScope(`PUT ${BASE}/callback`, "affiliate:write");
});

Deno.test("the tools of partners answer what the requests do", async () => {
  await using partner = await openPartner(PAYABLE);
  const { api, agent } = partner;
  for (
    const [tool, path] of [
      ["get_affiliate_stats", "/stats"],
      ["list_referral_links", "/links"],
      ["list_payouts", "/payouts"],
    ] as const
  ) {
    const called = await callTool(api, agent, tool, {});
    assertEquals(called.content, await partner.read(path), tool);
  }
  const asked = await callTool(api, agent, "request_payout", {
    idempotency_key: "payout-1",
  });
  assertEquals(asked.content, await (await partner.pay("payout-1")).json());
});

Deno.test("PUT /v1/agent/affiliate/callback has a partner's agent told of referrals, and of nothing else of the account", async () => {
  await using partner = await openPartner();
  const { api, agent } = partner;
  const answer = await api.ask(`${BASE}/callback`, {
    as: agent,
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://agent.example/hooks" }),
  });
  assertEquals(answer.status, 200);
  const callback = await answer.json();
  assertEquals([callback.state, callback.url], [
    "on",
    "https://agent.example/hooks",
  ]);
  const stored = await partner.services.store.callbacks.find(agent.grant.id);
  assertEquals(stored?.accountId, partner.partnerId);
});

/** What one referred advertiser pays, net, by the day it is paid. */
const SALES: readonly (readonly [day: number, netCents: number])[] = [
  [1, 50_110],
  [3, 71_370],
  [40, 93_790],
  [70, 12_930],
  [75, 250_010],
  [140, 33_330],
  [150, 181_810],
  [152, 64_640],
];
/** The sale that is given back, and when. */
const RETURNED = { nth: 1, day: 145 };

Deno.test("no price can be told from what a partner with one advertiser sees, on any day", async () => {
  await using partner = await openPartner();
  const { services, partnerId } = partner;
  const { store, clock } = services;
  const beganMs = clock.now();
  await store.transact((tx) =>
    tx.accounts.save(newAccount("acc_only", "only@bakery.example", beganMs))
  );
  await refer(services, "acc_only", { partnerId });
  const seen = new Set<number>([0]);
  for (let day = 0; day <= 240; day++) {
    const nowMs = beganMs + day * DAY_MS;
    (clock as unknown as { set(ms: number): void }).set(nowMs);
    for (const [nth, [at, netCents]] of SALES.entries()) {
      const isBack = nth === RETURNED.nth && day === RETURNED.day;
      if (at !== day && !isBack) continue;
      await saveSale(services, partnerId, { nth, netCents, isBack });
    }
    await advanceCommissions(services);
    // What the operations answer, without a token that lasts so long.
    const { payableCents } = await readBalance(services, partnerId);
    const part = { limit: 50, before: null };
    const months = await readMonths(services, partnerId, part);
    seen.add(payableCents);
    months.forEach((each) => seen.add(each.commissionCents ?? 0));
  }
  const prices = SALES.map(([, netCents]) => commissionCents(netCents));
  const all = [...seen];
  assert(all.length >= 3, "something is told");
  for (const a of all) {
    for (const b of all) {
      assert(!prices.includes(Math.abs(a - b)), `${a} and ${b} tell a price`);
    }
  }
});

function saveSale(
  { store, clock }: Services,
  partnerId: string,
  { nth, netCents, isBack }: {
    nth: number;
    netCents: number;
    isBack: boolean;
  },
): Promise<void> {
  return store.transact(async (tx) => {
    const number = `SPOT-${nth}`;
    const sold = invoiceOf("acc_only", number, {
      totalCents: netCents,
      taxCents: 0,
      finalizedAtMs: clock.now(),
      commission: { partnerId, countedCents: 0 },
    });
    const known = await tx.invoices.find(sold.id);
    const invoice = known ?? sold;
    tx.invoices.save(isBack ? { ...invoice, money: "refunding" } : invoice);
  });
}
