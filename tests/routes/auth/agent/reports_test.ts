import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { addDays } from "../../../../domain/day.ts";
import { openAgentApi } from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";
import {
  CLICKS,
  count,
  DAY,
  LIST,
  pay,
  READ,
  read,
  wonBy,
} from "./report_world.ts";

Deno.test("GET /v1/agent/reports lists own won days with their members, newest first", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  const bob = await api.world.agent("bob");
  await settle(
    store,
    wonBy(ada, DAY),
    wonBy(bob, "2026-11-17"),
    wonBy(ada, "2026-11-18", { removedAtMs: 1, removalReason: "policy" }),
    spotlight("2026-11-19", {
      accountId: null,
      contentType: "house_advertisement",
    }),
  );
  await count(store, DAY, CLICKS);
  await pay(api, ada, DAY);
  const answer = await api.ask(LIST, { as: ada });
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("vary"), "accept");
  const line = {
    currency: "EUR",
    refunded_cents: 0,
    final: true,
    removed: false,
  };
  assertEquals(await answer.json(), {
    items: [{
      ...line,
      day: "2026-11-18",
      clicks: 0,
      human_clicks: 0,
      countries: 0,
      spend_cents: 0,
      invoice_number: null,
      removed: true,
      final: false,
    }, {
      ...line,
      day: DAY,
      clicks: 130,
      human_clicks: 100,
      countries: 4,
      spend_cents: 12_100,
      invoice_number: "SPOT-2026-11-16",
    }],
    next_cursor: null,
  });
});

Deno.test("GET /v1/agent/reports/{day} has clicks by reason, human clicks by hour and country, and spend", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  await settle(store, wonBy(ada, DAY), spotlight("2026-11-17"));
  await count(store, DAY, CLICKS);
  await pay(api, ada, DAY, {
    refunds: [{ id: "re_1", amountCents: 2_000 } as never],
    lostCents: 100,
  });
  assertEquals(await read(api, ada, `${LIST}/${DAY}`), {
    day: DAY,
    clicks: 130,
    human_clicks: 100,
    countries: 4,
    spend_cents: 12_100,
    refunded_cents: 2_100,
    currency: "EUR",
    invoice_number: "SPOT-2026-11-16",
    removed: false,
    final: true,
    clicks_by_reason: [
      { reason: "human", clicks: 100 },
      { reason: "repeat", clicks: 0 },
      { reason: "bot", clicks: 30 },
      { reason: "ai_fetcher", clicks: 0 },
      { reason: "preview", clicks: 0 },
      { reason: "head", clicks: 0 },
      { reason: "no_user_agent", clicks: 0 },
      { reason: "embedded", clicks: 0 },
      { reason: "prefetch", clicks: 7 },
    ],
    // The 3 of one hour would be told by the total: the next goes with them.
    human_clicks_by_hour: {
      items: [{ hour: "2026-11-16T23:00:00.000Z", clicks: 90 }],
      other: 10,
    },
    // France's 4 are hidden by the 7 of unknown countries and Estonia's 9.
    human_clicks_by_country: {
      items: [
        { country: "DE", clicks: 60 },
        { country: "LV", clicks: 20 },
      ],
      other: 20,
    },
  });
});

Deno.test("GET /v1/agent/reports/{day} counts unknown countries as one more", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  await settle(store, wonBy(ada, DAY), spotlight("2026-11-17"));
  await count(store, DAY, [
    ["outcome", "human", 100],
    ["country", "DE", 60],
    ["country", "LV", 20],
  ]);
  const path = `${LIST}/${DAY}`;
  const { countries, human_clicks_by_country } = await read(api, ada, path);
  assertEquals(countries, 2);
  assertEquals(human_clicks_by_country, {
    items: [
      { country: "DE", clicks: 60 },
      { country: null, clicks: 20 },
      { country: "LV", clicks: 20 },
    ],
    other: 0,
  });
  const headers = { accept: "text/csv" };
  const table = await (await api.ask(path, { as: ada, headers })).text();
  assert(table.includes("human_clicks_by_country,unknown,20\r\n"), table);
});

Deno.test("GET /v1/agent/reports/{day} tells countries once the figures are final", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  await settle(store, wonBy(ada, "2026-11-19"));
  const today = dayText("2026-11-19");
  await count(store, today, CLICKS);
  const path = `${LIST}/2026-11-19`;
  const before = await read(api, ada, path);
  assertEquals([before.final, before.human_clicks_by_country], [false, null]);
  assertEquals(before.human_clicks_by_hour.other, 10);
  await settle(store, spotlight("2026-11-20"));
  api.world.clock.set("2026-11-22T23:55:59.999Z");
  await api.world.agent("ada", READ); // its token ran out
  const late = await api.world.agent("ada", READ);
  assertEquals((await read(api, late, path)).human_clicks_by_country, null);
  api.world.clock.advance(1);
  const after = await read(api, late, path);
  assertEquals([after.final, after.human_clicks_by_country.other], [true, 20]);
});

Deno.test("GET /v1/agent/reports/{day} of a day that is not one's own is 404", async () => {
  await using api = await openAgentApi();
  const { store } = api.world.services;
  const ada = await api.world.agent("ada", READ);
  const bob = await api.world.agent("bob", READ);
  await settle(
    store,
    wonBy(ada, DAY),
    wonBy(ada, "2026-11-17", { contentType: "house_advertisement" }),
  );
  const others: [Agent, string][] = [
    [bob, DAY],
    [ada, "2026-11-17"],
    [ada, "2026-11-20"],
    [ada, "1999-01-01"],
  ];
  for (const [as, day] of others) {
    const answer = await api.ask(`${LIST}/${day}`, { as });
    assertEquals(answer.status, 404);
    const { code, detail } = await answer.json();
    assertEquals([code, detail], [
      "agent.not-found",
      `Cannot find a report of ${day}: the account did not win that day, ` +
      `GET /api/v1/spotlights/${day}/metrics sells figures to anyone`,
    ]);
  }
  for (const day of ["2026-02-30", "today", "%00"]) {
    const answer = await api.ask(`${LIST}/${day}`, { as: ada });
    assertEquals([answer.status, (await answer.json()).code], [
      400,
      "agent.bad-request",
    ]);
  }
});

Deno.test("GET /v1/agent/reports answers every won day once, page after page", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", READ);
  const first = dayText("2026-09-01");
  const all = Array.from({ length: 60 }, (_, at) => addDays(first, at));
  const won = all.filter((_, at) => at % 3 !== 1);
  await settle(
    api.world.services.store,
    ...all.map((day) => won.includes(day) ? wonBy(ada, day) : spotlight(day)),
  );
  const span = fc.tuple(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: -5, max: 65 }),
    fc.integer({ min: 0, max: 70 }),
  );
  await fc.assert(
    fc.asyncProperty(span, async ([limit, begin, length]) => {
      api.world.clock.advance(60_000); // the bucket is filled again
      const [from, to] = [
        addDays(first, begin),
        addDays(first, begin + length),
      ];
      const seen: string[] = [];
      let cursor = "";
      for (;;) {
        const query = `from=${from}&to=${to}&limit=${limit}${cursor}`;
        const page = await read(api, ada, `${LIST}?${query}`);
        seen.push(...page.items.map((item: { day: string }) => item.day));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      const wanted = won.filter((day) => day >= from && day <= to);
      assertEquals(seen, wanted.toReversed());
    }),
    { numRuns: 25 },
  );
});

Deno.test("GET /v1/agent/reports answers 400 for other ranges, limits and cursors", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", READ);
  for (
    const query of [
      "from=2026-11-02&to=2026-11-01",
      "from=2026-12-01",
      "from=2025-01-01&to=2026-01-02",
      "from=2026-02-30",
      "to=x",
      "to=2026-11-01&to=2026-11-02",
      "limit=0",
      "limit=51",
      "cursor=!",
      "cursor=MTIz",
    ]
  ) {
    const answer = await api.ask(`${LIST}?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
  const most = "from=2025-01-01&to=2026-01-01";
  assertEquals((await read(api, ada, `${LIST}?${most}`)).items, []);
});

for (const path of [LIST, `${LIST}/${DAY}`]) {
  Deno.test(`GET ${path} asks for reports:read, and for a token`, () =>
    assertAsksScope(`GET ${path}`, "reports:read"));
}
