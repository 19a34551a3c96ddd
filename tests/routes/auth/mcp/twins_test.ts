import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { BID_DAY } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";
import {
  askRest,
  assertTwins,
  bidTwin,
  openTwins,
  type Twin,
} from "../../../support/twins.ts";

const read = (tool: string, given: Twin["given"], rest: string): Twin => ({
  tool,
  given,
  rest: `GET /v1/agent/${rest}`,
});

const WON = { from: "2026-11-01", to: "2026-11-18" };
const NEVER = { from: "2026-11-18", to: "2026-11-01" };

Deno.test("every reading tool answers what the agent API answers, and refuses as it does", async () => {
  await using world = await openTwins();
  const { api, ada, bob } = world;
  await askRest(api, ada, bidTwin(ada));
  await askRest(api, bob, bidTwin(bob));
  await settle(
    api.world.services.store,
    spotlight("2026-11-17", { accountId: bob.account.id }),
    spotlight("2026-11-18", { accountId: ada.account.id }),
  );
  const asked = { day: BID_DAY, ad_id: ada.adId, amount_cents: 2_000 };
  const query = `day=${BID_DAY}&ad_id=${ada.adId}&amount_cents=2000`;
  const [own] = (await callTool(api, ada, "list_my_bids", { day: BID_DAY }))
    .content.bids;
  const [others] = (await callTool(api, bob, "list_my_bids", { day: BID_DAY }))
    .content.bids;
  const reads = [
    read("get_account", {}, "me"),
    read("get_account", asked, `me?${query}`),
    read("get_account", { amount_cents: 0 }, "me?amount_cents=0"),
    read("get_auction", { day: BID_DAY }, `auction?day=${BID_DAY}`),
    read("get_auction", { day: "2026-12-24" }, "auction?day=2026-12-24"),
    read("list_my_bids", { day: BID_DAY }, `bids?day=${BID_DAY}`),
    read("list_my_bids", { day: "2020-01-01" }, "bids?day=2020-01-01"),
    read("get_bid", { id: own.id }, `bids/${own.id}`),
    read("get_bid", { id: others.id }, `bids/${others.id}`),
    read("get_bid", { id: "bid_nope" }, "bids/bid_nope"),
    read("list_creatives", {}, "creatives"),
    read("get_creative", { ad_id: ada.adId }, `creatives/${ada.adId}`),
    read("get_creative", { ad_id: bob.adId }, `creatives/${bob.adId}`),
    read("list_invoices", {}, "invoices"),
    read("list_invoices", { limit: 1 }, "invoices?limit=1"),
    read("list_invoices", { cursor: "!" }, "invoices?cursor=!"),
    read("get_invoice", { number: "SPOT-0001" }, "invoices/SPOT-0001"),
    read("get_invoice", { number: "SPOT-0003" }, "invoices/SPOT-0003"),
    read("list_payment_methods", {}, "payment_methods"),
    read("list_payment_methods", { limit: 1 }, "payment_methods?limit=1"),
    read(
      "list_payment_methods",
      { cursor: "MTIz" },
      "payment_methods?cursor=MTIz",
    ),
    read("list_reports", {}, "reports"),
    read("list_reports", WON, `reports?from=${WON.from}&to=${WON.to}`),
    read("list_reports", NEVER, `reports?from=${NEVER.from}&to=${NEVER.to}`),
    read("get_report", { day: "2026-11-18" }, "reports/2026-11-18"),
    read("get_report", { day: "2026-11-17" }, "reports/2026-11-17"),
    read("list_passkeys", {}, "passkeys"),
    read("list_passkeys", { cursor: "!" }, "passkeys?cursor=!"),
    read("list_connections", {}, "connections"),
    read("list_connections", { cursor: "!" }, "connections?cursor=!"),
  ];
  for (const twin of reads) {
    api.world.clock.advance(2_000); // the bucket is filled again
    for (const old of [false, true]) await assertTwins(api, ada, twin, { old });
  }
});

Deno.test("lists of tools go on where the agent API's cursor says", async () => {
  await using world = await openTwins();
  const { api, ada } = world;
  for (const [tool, path, key] of LISTS) {
    const first = await assertTwins(
      api,
      ada,
      read(tool, { limit: 1 }, `${path}?limit=1`),
    );
    assert(first.next_cursor !== null, tool);
    const cursor = first.next_cursor;
    const rest = await assertTwins(
      api,
      ada,
      read(tool, { cursor }, `${path}?cursor=${cursor}`),
    );
    assertEquals(rest.items.length, 1, tool);
    assert(rest.items[0][key] !== first.items[0][key], tool);
  }
});

const LISTS = [
  ["list_invoices", "invoices", "number"],
  ["list_payment_methods", "payment_methods", "id"],
  ["list_passkeys", "passkeys", "id"],
] as const;

Deno.test("a refused bid is told by the tool with the agent API's own object", async () => {
  await using world = await openTwins();
  const { api, ada, bob } = world;
  await askRest(api, ada, bidTwin(ada));
  const refused: [Twin, string][] = [
    [bidTwin(ada, { idempotency_key: "other" }), "CONFLICT"],
    [bidTwin(ada, { amount_cents: 1_001 }), "CONFLICT"],
    [
      bidTwin(ada, { amount_cents: 200_000, idempotency_key: "k2" }),
      "agent.mandate-exceeded",
    ],
    [
      bidTwin(ada, { ad_id: bob.adId, idempotency_key: "k3" }),
      "agent.not-found",
    ],
    [bidTwin(ada, { day: "2026-12-24", idempotency_key: "k4" }), "CONFLICT"],
    [
      bidTwin(ada, {
        amount_cents: 2_000,
        payment_method_id: "pm_x",
        idempotency_key: "k5",
      }),
      "auction.bad-body",
    ],
    [
      bidTwin(ada, { idempotency_key: "not visible" }),
      "agent.bad-request",
    ],
  ];
  for (const [twin, code] of refused) {
    const said = await assertTwins(api, ada, twin);
    assertEquals(said.code ?? said.error.code, code);
  }
});

Deno.test("a bid is refused by both surfaces or by none, whatever its members are", async () => {
  await using world = await openTwins();
  const { api, ada, bob } = world;
  let keys = 0;
  await fc.assert(
    fc.asyncProperty(BIDS(ada.adId, bob.adId), async (members) => {
      const twin = bidTwin(ada, {
        ...members,
        idempotency_key: `key-${keys++}`,
      });
      api.world.clock.advance(10_000); // the bucket is filled again
      const told = await callTool(api, ada, twin.tool, twin.given);
      api.world.clock.advance(10_000);
      const rest = await askRest(api, ada, twin);
      const said = await rest.json();
      assertEquals(told.isError, !rest.ok, JSON.stringify([members, said]));
      if (!told.isError) assertEquals(told.content, said);
      assert(told.text !== "Internal error.", JSON.stringify(members));
      assert(rest.status < 500, JSON.stringify(members));
    }),
    { numRuns: 60 },
  );
});

const BIDS = (own: string, others: string) =>
  fc.record({
    day: fc.oneof(
      { weight: 4, arbitrary: fc.constant<unknown>(BID_DAY) },
      fc.constantFrom<unknown>("2026-11-21", "2026-02-30", "", null, 5),
    ),
    ad_id: fc.oneof(
      { weight: 4, arbitrary: fc.constant<unknown>(own) },
      fc.constantFrom<unknown>(others, "", "a".repeat(5_000), "é", null, {}),
    ),
    amount_cents: fc.oneof<fc.Arbitrary<unknown>[]>(
      fc.integer({ min: 90, max: 110_000 }),
      fc.constantFrom(99.5, "1000", null, 1e21, -1, [1]),
    ),
    currency: fc.oneof(
      { weight: 6, arbitrary: fc.constant<unknown>("EUR") },
      fc.constantFrom<unknown>("eur", "USD", null),
    ),
  });
