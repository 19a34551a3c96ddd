import { assert, assertEquals } from "@std/assert";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { BID_DAY } from "../../../support/bidding_world.ts";
import { openAgentApi } from "../../../support/agent_api.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import {
  askRest,
  bidTwin,
  openTwins,
  type Twin,
  type TwinWorld,
} from "../../../support/twins.ts";

const COPY = {
  headline: "Winter running shoes",
  description: "Grip on ice, tested on Finnish lakes",
  target_url: "https://shoes.example/winter",
};

/** Every operation that changes something, as either surface asks for it. */
const CHANGES: Readonly<
  Record<string, (world: TwinWorld, key: string) => Promise<Twin>>
> = {
  place_bid: ({ ada }, key) =>
    Promise.resolve(bidTwin(ada, { idempotency_key: key })),
  create_creative: (_, key) =>
    Promise.resolve({
      tool: "create_creative",
      given: { ...COPY, idempotency_key: key },
      rest: "POST /v1/agent/creatives",
      body: COPY,
      key,
    }),
  update_creative: async (world, key) => {
    const ad_id = await draft(world);
    const body = { headline: "Another headline" };
    return {
      tool: "update_creative",
      given: { ad_id, ...body, idempotency_key: key },
      rest: `PATCH /v1/agent/creatives/${ad_id}`,
      body,
      key,
    };
  },
  submit_creative: async (world, key) =>
    stepOf(await draft(world), "submit", key),
  archive_creative: async (world, key) =>
    stepOf(await draft(world), "archive", key),
  set_default_payment_method: async ({ api, ada }, key) => {
    const { "4444": id } = await api.ids(ada);
    return {
      tool: "set_default_payment_method",
      given: { payment_method_id: id, idempotency_key: key },
      rest: `POST /v1/agent/payment_methods/${id}/default`,
      key,
    };
  },
  remove_payment_method: async ({ api, ada }, key) => {
    const { "4444": id } = await api.ids(ada);
    return {
      tool: "remove_payment_method",
      given: { payment_method_id: id, idempotency_key: key },
      rest: `DELETE /v1/agent/payment_methods/${id}`,
      key,
    };
  },
  update_account: (_, key) => {
    const body = {
      company_name: "Ada & Söhne GmbH",
      address: { city: "Köln" },
      contact_preferences: { review_mails: false },
    };
    return Promise.resolve({
      tool: "update_account",
      given: { ...body, idempotency_key: key },
      rest: "PATCH /v1/agent/me",
      body,
      key,
    });
  },
  revoke_connection: async ({ api, ada }, key) => {
    const { services } = api.world;
    const { account: { id: accountId } } = ada;
    const { grant: { id: grant_id } } = await createGrant(services, {
      accountId,
      clientId: "https://other.example/client.json",
      scopes: ["account:read"],
      mandate: null,
    });
    return {
      tool: "revoke_connection",
      given: { grant_id, idempotency_key: key },
      rest: `DELETE /v1/agent/connections/${grant_id}`,
      key,
    };
  },
  remove_passkey: (_, key) =>
    Promise.resolve({
      tool: "remove_passkey",
      given: { passkey_id: "pk_phone", idempotency_key: key },
      rest: "DELETE /v1/agent/passkeys/pk_phone",
      key,
    }),
  open_billing_portal: (_, key) =>
    Promise.resolve({
      tool: "open_billing_portal",
      given: { idempotency_key: key },
      rest: "POST /v1/agent/billing_portal",
      key,
    }),
};

async function draft({ api, ada }: TwinWorld): Promise<string> {
  const key = crypto.randomUUID();
  const given = { ...COPY, idempotency_key: key };
  const { content } = await callTool(api, ada, "create_creative", given);
  return content.ad_id;
}

function stepOf(ad_id: string, step: string, key: string): Twin {
  return {
    tool: `${step}_creative`,
    given: { ad_id, idempotency_key: key },
    rest: `POST /v1/agent/creatives/${ad_id}/${step}`,
    key,
  };
}

for (const [name, twinOf] of Object.entries(CHANGES)) {
  Deno.test(`${name} is replayed by the agent API for the same key`, async () => {
    await using world = await openTwins();
    const { api, ada } = world;
    const twin = await twinOf(world, "key-a");
    const told = await callTool(api, ada, twin.tool, twin.given);
    assertEquals(told.isError, false, told.text);
    const again = await askRest(api, ada, twin);
    assertEquals(again.headers.get("idempotent-replayed"), "true");
    assertEquals(await again.text(), told.text);
  });

  Deno.test(`${name} replays what the agent API answered for the same key`, async () => {
    await using world = await openTwins();
    const { api, ada } = world;
    const twin = await twinOf(world, "key-a");
    const first = await askRest(api, ada, twin);
    const said = await first.text();
    assert(first.ok, said);
    assertEquals(first.headers.get("idempotent-replayed"), null);
    for (const old of [false, true]) {
      const told = await callTool(api, ada, twin.tool, twin.given, { old });
      assertEquals([told.isError, told.text], [false, said]);
      assertEquals(told.isReplay, true);
    }
  });

  Deno.test(`${name} marks the result of a repeat, and of no first call`, async () => {
    for (const old of [false, true]) {
      await using world = await openTwins();
      const { api, ada } = world;
      const { tool, given } = await twinOf(world, "key-a");
      const first = await callTool(api, ada, tool, given, { old });
      const again = await callTool(api, ada, tool, given, { old });
      assertEquals([first.isReplay, again.isReplay], [false, true]);
      assertEquals(again.text, first.text);
    }
  });
}

Deno.test("a key that was used over one surface for another bid is refused over the other", async () => {
  await using world = await openTwins();
  const { api, ada } = world;
  await askRest(api, ada, bidTwin(ada));
  const other = bidTwin(ada, { amount_cents: 1_500 });
  const told = await callTool(api, ada, "place_bid", other.given);
  assertEquals([told.isError, told.content.code], [true, "CONFLICT"]);
});

Deno.test("the same bid over both surfaces at once is placed once", async () => {
  for (let round = 0; round < 5; round++) {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada");
    const twin = bidTwin(ada, { idempotency_key: "one" });
    const answers = await Promise.all([
      askRest(api, ada, twin).then((answer) => answer.text()),
      callTool(api, ada, "place_bid", twin.given).then(({ text }) => text),
      callTool(api, ada, "place_bid", twin.given, { old: true })
        .then(({ text }) => text),
      askRest(api, ada, twin).then((answer) => answer.text()),
    ]);
    assertEquals(new Set(answers).size, 1, answers.join("\n"));
    const own = await callTool(api, ada, "list_my_bids", { day: BID_DAY });
    assertEquals(own.content.bids.length, 1);
    assertEquals(own.content.bids[0].amount_cents, 1_000);
  }
});

Deno.test("of two bids of one amount over both surfaces at once one stands", async () => {
  for (let round = 0; round < 5; round++) {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada");
    const [rest, told] = await Promise.all([
      askRest(api, ada, bidTwin(ada, { idempotency_key: "a" })),
      callTool(
        api,
        ada,
        "place_bid",
        bidTwin(ada, { idempotency_key: "b" }).given,
      ),
    ]);
    const refused = rest.ok ? told.content : await rest.json();
    assertEquals([rest.ok, told.isError], [told.isError, rest.ok]);
    assertEquals(refused.code, "CONFLICT");
    const { content } = await callTool(api, ada, "get_auction", {
      day: BID_DAY,
    });
    assertEquals(content.bidCount, 1);
  }
});

Deno.test("a bid whose outcome is unknown is told as 503, and replayed over either surface", async () => {
  for (const lostOver of ["tool", "request"]) {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada");
    const twin = bidTwin(ada);
    const fault = { kind: "fail_after" } as const;
    api.world.testStore.kv.inject({ on: "commit", fault });
    if (lostOver === "tool") {
      const lost = await callTool(api, ada, "place_bid", twin.given);
      assertEquals([lost.isError, lost.content.status], [true, 503]);
    } else {
      const lost = await askRest(api, ada, twin);
      assertEquals(lost.status, 503);
      await lost.body?.cancel();
    }
    const read = await callTool(api, ada, "list_my_bids", { day: BID_DAY });
    assertEquals(read.content.bids.length, 1);
    const rest = await askRest(api, ada, twin);
    assertEquals(rest.headers.get("idempotent-replayed"), "true");
    const told = await callTool(api, ada, "place_bid", twin.given);
    assertEquals([told.isError, told.text], [false, await rest.text()]);
  }
});

Deno.test("place_bid takes as many reads and commits as POST /v1/agent/bids", async () => {
  await using api = await openAgentApi();
  const { kv } = api.world.testStore;
  const costs = [];
  for (const name of ["ada", "bob"]) {
    const agent = await api.world.agent(name);
    const twin = bidTwin(agent);
    const [reads, commits] = [kv.readCount, kv.commits.length];
    if (name === "ada") {
      await (await askRest(api, agent, twin)).body?.cancel();
    } else await callTool(api, agent, "place_bid", twin.given);
    costs.push([kv.readCount - reads, kv.commits.length - commits]);
  }
  assertEquals(costs[0], costs[1]);
});
