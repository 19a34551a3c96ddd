import { assert, assertEquals } from "@std/assert";
import { openAskSite, PASSAGE } from "../../../support/ask_site.ts";
import {
  removed,
  settle,
  settledDays,
  spotlight,
  TEST_BASE_URL,
} from "../../../support/public_spotlights.ts";
import { parseEventStream } from "../../../support/event_stream.ts";

const PAID = spotlight("2026-11-18");
const HOUSE = spotlight("2026-11-19", { contentType: "house_advertisement" });

const META = {
  version: "0.55",
  response_type: "answer",
  response_format: "conversational_search",
};

/** What the fixture index finds, as results. */
const RESULTS = [
  {
    "@type": "CreativeWork",
    url: `${TEST_BASE_URL}/spotlights/2026-11-19`,
    name: "Headline of 2026-11-19",
    text: "Headline of 2026-11-19\nWhat is advertised on 2026-11-19\nAcme GmbH",
    description: "What is advertised on 2026-11-19",
    datePublished: "2026-11-19",
    additionalType: "house_advertisement",
  },
  {
    "@type": "CreativeWork",
    url: `${TEST_BASE_URL}/spotlights/2026-11-18`,
    name: "Headline of 2026-11-18",
    text: "Headline of 2026-11-18\nWhat is advertised on 2026-11-18\nAcme GmbH",
    description: "What is advertised on 2026-11-18",
    datePublished: "2026-11-18",
    additionalType: "paid_advertisement",
  },
  {
    "@type": "CreativeWork",
    url: PASSAGE.url,
    name: "Rate limits",
    text: "Every request costs a token.",
    description: "Spotlight for developers",
  },
];

Deno.test("GET /ask answers results as JSON", async () => {
  await using site = await openAskSite([PAID, HOUSE]);
  const answer = await site.ask("/ask?query=spare+parts");
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(await answer.json(), { _meta: META, results: RESULTS });
});

Deno.test("POST /ask answers alike to a text, to {text} and to GET", async () => {
  await using site = await openAskSite([PAID, HOUSE]);
  const texts = await Promise.all([
    site.ask("/ask?query=parts&mode=list&streaming=false"),
    site.post({ query: "parts" }),
    site.post({ query: { text: "parts" } }),
    site.post({
      query: { text: "parts", site: "all", limit: 3 },
      prefer: {
        mode: "list",
        streaming: false,
        response_format: "conversational_search",
      },
      meta: { version: "0.55" },
    }),
  ].map(async (answer) => await (await answer).text()));
  assertEquals(new Set(texts).size, 1);
});

Deno.test("/ask streams start, an indexed event per result, and complete", async () => {
  await using site = await openAskSite([PAID, HOUSE]);
  for (
    const answer of [
      await site.ask("/ask?query=parts&streaming=true"),
      await site.post({ query: "parts", prefer: { streaming: true } }),
      await site.post({ query: "parts", streaming: true }),
    ]
  ) {
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "text/event-stream");
    assertEquals(answer.headers.get("x-accel-buffering"), "no");
    assertEquals(answer.headers.get("cache-control"), "no-store");
    const events = parseEventStream(await answer.text());
    assertEquals(
      events.map(({ event, data }) => [event, JSON.parse(data)]),
      [
        ["start", {
          _meta: { ...META, mode: "list", site: "spotlight.example" },
          streaming: true,
        }],
        ...RESULTS.map((item, index) => ["result", { index, item }]),
        ["complete", { _meta: { version: "0.55" } }],
      ],
    );
  }
});

Deno.test("/ask answers no hits with 200 and an empty list", async () => {
  await using site = await openAskSite([], {
    isReady: true,
    findSpotlights: () => Promise.resolve([]),
    findPassages: () => Promise.resolve([]),
  });
  const answer = await site.post({ query: "\u200b" });
  assertEquals(answer.status, 200);
  assertEquals(await answer.json(), { _meta: META, results: [] });
  const stream = await site.ask("/ask?query=nothing&streaming=true");
  assertEquals(
    parseEventStream(await stream.text()).map(({ event }) => event),
    ["start", "complete"],
  );
});

Deno.test("/ask answers at most 20 results", async () => {
  await using site = await openAskSite(settledDays(40));
  const { results } = await (await site.ask("/ask?query=headline")).json();
  assertEquals(results.length, 20);
});

Deno.test("/ask never answers a day that was removed a moment ago", async () => {
  await using site = await openAskSite([PAID, HOUSE]);
  await settle(site.test.another().store, removed(PAID));
  // The index still has it; only the store knows.
  const text = await (await site.ask("/ask?query=headline")).text();
  assert(!text.includes("2026-11-18"), text);
  assert(text.includes("2026-11-19"), text);
});

Deno.test("/ask answers carry the rate limit, are open to scripts and not kept", async () => {
  await using site = await openAskSite([PAID]);
  const answers = [
    await site.ask("/ask?query=a"),
    await site.ask("/ask?query=a&streaming=true"),
    await site.ask("/ask"),
    await site.ask("/ask/x"),
    await site.ask("/ask", { method: "PUT" }),
    await site.post("x".repeat(4_097)),
  ];
  for (const [at, { headers, status }] of answers.entries()) {
    assertEquals(headers.get("cache-control"), "no-store", String(status));
    assertEquals(
      headers.get("ratelimit-policy"),
      '"agent";q=120;svc-refill=2',
    );
    assertEquals(headers.get("ratelimit"), `"agent";r=${119 - at}`);
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(headers.get("x-content-type-options"), "nosniff");
  }
});

Deno.test("scripts of any site may ask: a preflight is answered and costs nothing", async () => {
  await using site = await openAskSite([PAID]);
  const preflight = await site.ask("/ask", {
    method: "OPTIONS",
    headers: { "access-control-request-method": "POST" },
  });
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
  const next = await site.ask("/ask?query=a");
  assertEquals(next.headers.get("ratelimit"), '"agent";r=119');
});
