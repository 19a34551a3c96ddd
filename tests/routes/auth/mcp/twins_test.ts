import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { BID_DAY } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";
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
