import { assertEquals } from "@std/assert";
import { closeAuction } from "../../../../domain/settlement/close_auction.ts";
import {
  type AgentApi,
  type AskOptions,
  bidMembers,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import {
  type AdvertiserOptions,
  type Agent,
  BID_DAY,
} from "../../../support/bidding_world.ts";

/** What is wrong with a request, from what is answered first to last. */
const ROWS = [
  "no Authorization",
  "unknown token",
  "method",
  "grant bucket empty",
  "scope missing",
  "no Idempotency-Key",
  "bad key",
  "not JSON",
  "another shape",
  "key of another request",
  "card on a raise",
  "mandate",
  "human step",
  "creative unknown",
  "auction closed",
] as const;

type Row = typeof ROWS[number];

const ANSWERS: Readonly<Record<Row, string>> = {
  "no Authorization": "401",
  "unknown token": "401 invalid_token",
  "method": "405 agent.method-not-allowed",
  "grant bucket empty": "429 agent.rate-limited",
  "scope missing": "403 agent.scope-missing",
  "no Idempotency-Key": "400 agent.idempotency-key-required",
  "bad key": "400 agent.bad-request",
  "not JSON": "400 agent.bad-request",
  "another shape": "400 auction.bad-body",
  "key of another request": "409 CONFLICT",
  "card on a raise": "400 auction.bad-body",
  "mandate": "403 agent.mandate-exceeded",
  "human step": "403 agent.human-step-required",
  "creative unknown": "404 agent.not-found",
  "auction closed": "409 CONFLICT",
};

/** Rows that are wrong in a way that leaves no room for the other. */
const INSTEAD: Readonly<Partial<Record<Row, Row>>> = {
  "no Authorization": "unknown token",
  "no Idempotency-Key": "bad key",
  "not JSON": "another shape",
};

ROWS.forEach((row, at) => {
  Deno.test(`POST /v1/agent/bids answers "${row}" before what follows`, async () => {
    const wrong = new Set(ROWS.slice(at));
    const other = INSTEAD[row];
    if (other !== undefined) wrong.delete(other);
    for (const [first, second] of Object.entries(INSTEAD)) {
      if (wrong.has(first as Row)) wrong.delete(second);
    }
    await using api = await openAgentApi();
    assertEquals(await answerTo(api, wrong), ANSWERS[row]);
  });
});

async function answerTo(
  api: AgentApi,
  wrong: ReadonlySet<Row>,
): Promise<string> {
  const ada = await troubledAgent(api, wrong);
  const response = await api.ask("/v1/agent/bids", requestOf(ada, wrong));
  const text = await response.text();
  if (text === "") return String(response.status);
  const body = JSON.parse(text);
  const code = body.code ?? body.error.code ?? body.error;
  return `${response.status} ${code}`;
}

/** Brings the state into all the trouble that is wanted. */
async function troubledAgent(
  api: AgentApi,
  wrong: ReadonlySet<Row>,
): Promise<Agent> {
  const { world } = api;
  const ada = await world.agent("ada", optionsOf(wrong));
  if (wrong.has("key of another request")) {
    await world.services.store.transact((tx) => {
      tx.idempotency.save({
        owner: ada.grant.id,
        operation: "POST /v1/agent/bids",
        key: "key-1",
        requestHash: "another",
        state: "done",
        answer: { status: 200, body: "{}" },
        expiresAtMs: world.clock.now() + 1_000,
      });
    });
  }
  if (wrong.has("card on a raise")) {
    await world.services.store.transact((tx) => {
      tx.bids.save({
        id: "bid_1",
        day: BID_DAY,
        accountId: ada.account.id,
        adId: ada.adId,
        amountCents: 100,
        status: "active",
        placedAtMs: 0,
        paymentMethodId: ada.cardId,
        grantId: null,
      });
    });
  }
  if (wrong.has("auction closed")) {
    await closeAuction(world.services, { day: BID_DAY });
  }
  if (wrong.has("grant bucket empty")) {
    for (let n = 0; n < 120; n++) await api.ask("/v1/agent/x", { as: ada });
  }
  return ada;
}

function optionsOf(wrong: ReadonlySet<Row>): AdvertiserOptions {
  return {
    ...wrong.has("scope missing") && { scopes: ["account:read"] },
    ...wrong.has("mandate") && { mandate: { maxBidCents: 500 } },
    ...wrong.has("human step") && { account: { suspendedAtMs: 1 } },
  };
}

function requestOf(ada: Agent, wrong: ReadonlySet<Row>): AskOptions {
  const key = wrong.has("bad key") ? "a b" : "key-1";
  const headers = new Headers({ "content-type": "application/json" });
  if (!wrong.has("no Idempotency-Key")) headers.set("idempotency-key", key);
  if (wrong.has("unknown token")) headers.set("authorization", "Bearer x");
  const members = bidMembers(ada, {
    ...wrong.has("another shape") && { currency: "USD" },
    ...wrong.has("card on a raise") && { payment_method_id: ada.cardId },
    ...wrong.has("creative unknown") && { ad_id: "ad_nobody" },
  });
  return {
    method: wrong.has("method") ? "PUT" : "POST",
    headers,
    body: wrong.has("not JSON") ? "{" : JSON.stringify(members),
    ...!wrong.has("no Authorization") && !wrong.has("unknown token") &&
      { as: ada },
  };
}

Deno.test("POST /v1/agent/bids answers a replay before the state speaks", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const first = await postBid(api, ada, { payment_method_id: ada.cardId });
  await closeAuction(api.world.services, { day: BID_DAY });
  const again = await postBid(api, ada, { payment_method_id: ada.cardId });
  assertEquals(await again.text(), await first.text());
});
