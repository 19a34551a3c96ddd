import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { ask } from "../../../domain/retrieval/ask.ts";
import {
  ASK_RESULTS_MAX,
  ASK_SPOTLIGHT_HITS,
} from "../../../domain/retrieval/limits.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import { IndexNotReady } from "../../../domain/retrieval/search_index.ts";
import { SearchWorld } from "../../adapters/search/support/search_world.ts";
import {
  dayText,
  removed,
  settle,
  settledDays,
  spotlight,
  TEST_BASE_URL,
} from "../../support/public_spotlights.ts";

const SHOES = spotlight("2026-11-18", {
  headline: "Winter running shoes",
  description: "Spikes that grip on ice.",
  advertiser: "Łukasz & Sons",
});

Deno.test("ask() answers a Spotlight with all that is known of it", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  assertEquals(await ask(retrieval, "shoes for the ice"), [{
    "@type": "CreativeWork",
    url: `${TEST_BASE_URL}/spotlights/2026-11-18`,
    name: "Winter running shoes",
    text: "Winter running shoes\nSpikes that grip on ice.\nŁukasz & Sons",
    description: "Spikes that grip on ice.",
    datePublished: SHOES.day,
    additionalType: "paid_advertisement",
  }]);
});

Deno.test("ask() answers a passage of the documentation", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  assertEquals(await ask(retrieval, "how long does a token last?"), [{
    "@type": "CreativeWork",
    url: `${TEST_BASE_URL}/auth#tokens`,
    name: "Tokens",
    text: "A token lasts an hour.",
    description: "Access",
  }]);
});

Deno.test("ask() answers the same result again, and another to whoever has another address", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  const query = "shoes, or how long a token lasts";
  const [first, second] = [
    await ask(retrieval, query),
    await ask(retrieval, query),
  ];
  assertEquals(first.length, 2);
  first.forEach((item, at) => assertStrictEquals(item, second[at]));
  const baseUrl = "https://elsewhere.example";
  const elsewhere = await ask({ ...retrieval, baseUrl }, query);
  assert(
    elsewhere.some(({ url }) => url === `${baseUrl}/spotlights/${SHOES.day}`),
  );
});

Deno.test("ask() answers nothing to a query without words", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  for (const query of [" ", "\u200b", "!?", "🙂", "\ud800", ""]) {
    assertEquals(await ask(retrieval, query), [], JSON.stringify(query));
  }
});

Deno.test("ask() answers at most 20, newest first among equals", async () => {
  const days = settledDays(40).map((one) => ({ ...one, headline: "Same" }));
  await using world = await SearchWorld.open(days);
  const { retrieval } = await world.ready();
  const answer = await ask(retrieval, "same");
  const newest = days.toReversed().slice(0, ASK_RESULTS_MAX);
  assertEquals(
    answer.map(({ datePublished }) => datePublished),
    newest.map(({ day }) => day),
  );
});

Deno.test("ask() never answers a day that another isolate has removed", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  await settle(world.test.another().store, removed(SHOES));
  assertEquals((await retrieval.index.findSpotlights("shoes", 5)).length, 1);
  assertEquals(await ask(retrieval, "shoes"), []);
});

Deno.test("ask() fills up where a removed day leaves a place", async () => {
  const days = settledDays(ASK_SPOTLIGHT_HITS)
    .map((one) => ({ ...one, headline: "Same" }));
  await using world = await SearchWorld.open(days);
  const { retrieval } = await world.ready();
  const newest = days.at(-1);
  assert(newest !== undefined);
  await settle(world.test.store, removed(newest));
  const answer = await ask(retrieval, "same");
  assertEquals(answer.length, ASK_RESULTS_MAX);
  assertEquals(answer[0]?.datePublished, days.at(-2)?.day);
});

Deno.test("ask() shows the text that the store has, not what was indexed", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval } = await world.ready();
  const renamed = { ...SHOES, advertiser: "Former advertiser" };
  await settle(world.test.store, renamed);
  const [item] = await ask(retrieval, "shoes");
  assertEquals(item?.text.split("\n").at(-1), "Former advertiser");
});

/** The same, counting the rows that each read of it takes. */
function countedReads(retrieval: Retrieval): [Retrieval, number[]] {
  const asked: number[] = [];
  const { store } = retrieval;
  const counted: Retrieval = {
    ...retrieval,
    store: {
      spotlights: store.spotlights,
      spotlightsVersion: () => store.spotlightsVersion(),
      getMany: (refs) => {
        asked.push(refs.length);
        return store.getMany(refs);
      },
    },
  };
  return [counted, asked];
}

Deno.test("ask() reads no day while nothing has changed since the records were read", async () => {
  await using world = await SearchWorld.open(settledDays(40));
  const { retrieval } = await world.ready();
  const [counted, asked] = countedReads(retrieval);
  assertEquals((await ask(counted, "headline")).length, ASK_RESULTS_MAX);
  assertEquals(asked, []);
});

Deno.test("ask() reads at most ten days at a time, all of them at once, after a change", async () => {
  const days = settledDays(40).map((one) => ({ ...one, headline: "Same" }));
  await using world = await SearchWorld.open(days);
  const { retrieval } = await world.ready();
  await settle(world.test.another().store, SHOES);
  const [counted, asked] = countedReads(retrieval);
  await ask(counted, "same");
  assertEquals(asked, [10, 10, 10]);
});

Deno.test("ask() answers alike from rows and from what was read of them", async () => {
  await using world = await SearchWorld.open([...settledDays(25), SHOES]);
  const { retrieval } = await world.ready();
  const fromRows = { ...retrieval, records: { snapshotAt: () => null } };
  for (const query of ["shoes", "headline", "acme", "token", "2026-11-19"]) {
    assertEquals(await ask(retrieval, query), await ask(fromRows, query));
  }
});

Deno.test("ask() leaves out what the index still has and the records no longer", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const { retrieval, records, index } = await world.ready();
  const [hit] = await index.findSpotlights("shoes", 1);
  assert(hit !== undefined);
  await settle(world.test.another().store, removed(SHOES));
  await records.refreshNow();
  const [counted, asked] = countedReads({
    ...retrieval,
    index: {
      isReady: true,
      findSpotlights: () => Promise.resolve([hit]),
      findPassages: () => Promise.resolve([]),
    },
  });
  assertEquals(await ask(counted, "shoes"), []);
  assertEquals(asked, []);
});

Deno.test("ask() fails for a while until everything is indexed", async () => {
  await using world = await SearchWorld.open([SHOES]);
  const isolate = world.start();
  const failure = await assertRejects(
    () => ask(isolate.retrieval, "shoes"),
    IndexNotReady,
  );
  assertEquals(failure.retryAfterS, 1);
  await isolate.refresh();
  assertEquals((await ask(isolate.retrieval, "shoes")).length, 1);
});

Deno.test("ask() answers the same bytes on two isolates and after a restart", async () => {
  const days = [...settledDays(30), SHOES].map((one) => ({
    ...one,
    description: `${one.description} with ice and shoes`,
  }));
  await using world = await SearchWorld.open(days.slice(0, 20));
  const early = await world.ready();
  await settle(world.test.store, ...days.slice(20));
  await early.refresh();
  const late = await world.ready();
  for (const query of ["shoes on ice", "advertised", dayText("2026-11-18")]) {
    const bytes = JSON.stringify(await ask(early.retrieval, query));
    assertEquals(JSON.stringify(await ask(early.retrieval, query)), bytes);
    assertEquals(JSON.stringify(await ask(late.retrieval, query)), bytes);
    assert(bytes.includes("CreativeWork"));
  }
});
