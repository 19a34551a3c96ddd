/**
 * What anybody may look at: it is made once for all, and nobody has more of it
 * than a person, a crawler or an office wants.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { networksOf } from "../../domain/rate_limit/network.ts";
import type { BucketKind } from "../../domain/rate_limit/policy.ts";
import { NETWORK_POLICIES } from "../../domain/rate_limit/policy.ts";
import {
  networkCharges,
  type NetworkPurpose,
  visitCharges,
} from "../../domain/rate_limit/charge.ts";
import {
  DAY,
  type EveryRoute,
  openEveryRoute,
} from "../support/every_route.ts";

const ADDRESS = "198.51.100.7";

/** Pages and feeds that show Spotlights, asked for by nobody in particular. */
const SHOWING = [
  "/",
  "/?done=signed-out",
  "/spotlights",
  `/spotlights?month=${DAY.slice(0, 7)}`,
  "/spotlights?before=2026-11-20",
  `/spotlights/${DAY}`,
  "/feed.xml",
  "/feed.json",
  "/sitemap.xml",
];

/** How often the one headline there is was read. */
function headlineReads({ running }: EveryRoute): () => number {
  const [record] = running.service.core.records.snapshot.records;
  assert(record);
  const { headline } = record;
  let reads = 0;
  Object.defineProperty(record, "headline", {
    enumerable: true,
    get() {
      reads++;
      return headline;
    },
  });
  return () => reads;
}

Deno.test("pages and feeds are made once for all who ask, whatever they take and have already", async () => {
  await using every = await openEveryRoute();
  const { baseUrl } = every.running.config.settings;
  const reads = headlineReads(every);
  for (const path of SHOWING) {
    const ask = (headers: Record<string, string>, method = "GET") =>
      every.ask({ method, url: baseUrl + path } as never, {
        headers: { accept: "text/html", ...headers },
      });
    const first = await ask({});
    const tag = first.headers.get("etag") ?? "";
    await first.body?.cancel();
    assertEquals(first.status, 200, path);
    const before = reads();
    for (let n = 0; n < 3; n++) {
      const again = await ask({ "accept-encoding": "gzip" });
      await again.body?.cancel();
      await (await ask({}, "HEAD")).body?.cancel();
      const known = await ask({ "if-none-match": tag });
      assertEquals(known.status, 304, path);
    }
    assertEquals(reads(), before, path);
  }
});

Deno.test("a page is made anew when what it shows has changed: its minute, or the Spotlights", async () => {
  await using every = await openEveryRoute();
  const { baseUrl } = every.running.config.settings;
  const home = { method: "GET", url: `${baseUrl}/` } as never;
  const textOf = async () => await (await every.ask(home)).text();
  const first = await textOf();
  every.clock.advance(30_000);
  const between = await textOf();
  every.clock.advance(29_999);
  assertEquals(await textOf(), between);
  every.clock.advance(60_001);
  const later = await textOf();
  assert(first !== later && between !== later);
  const { store } = every.running.service.core.services;
  await store.transact(async (tx) => {
    const found = await tx.spotlights.find(DAY as never);
    assert(found);
    tx.spotlights.save({ ...found, removedAtMs: every.clock.now() });
    tx.touchSpotlights();
  });
  await every.running.service.core.records.refreshNow();
  assert(!(await textOf()).includes(`/og/${DAY}.png`));
});

Deno.test("who is signed in is shown a page of their own, and nobody else is", async () => {
  await using every = await openEveryRoute();
  const { baseUrl } = every.running.config.settings;
  const page = { method: "GET", url: `${baseUrl}/spotlights` } as never;
  const shown = async (cookie: string) => {
    const answer = await every.ask(page, {
      headers: { accept: "text/html", cookie },
    });
    return (await answer.text()).includes('href="/operator"');
  };
  assertEquals(await shown(every.cookie), true);
  assertEquals(await shown(""), false);
  assertEquals(await shown(every.cookie), true);
});

Deno.test("every route that is only read is counted, or answers from a text that is made once", async () => {
  await using every = await openEveryRoute();
  const { limiter } = every.running.service.core;
  const networks = networksOf(ADDRESS);
  const kinds: BucketKind[] = [
    "address",
    "public",
    "page",
    "exchange",
    "click",
  ];
  for (const kind of kinds) {
    while ((await limiter.take(kind, ADDRESS)).admitted);
  }
  for (const purpose of Object.keys(NETWORK_POLICIES) as NetworkPurpose[]) {
    const charges = networkCharges(purpose, networks);
    while ((await limiter.takeAll(charges, ADDRESS)).admitted);
  }
  while (limiter.takeHere(visitCharges(networks)).admitted);
  const { service } = every.running;
  const fixed = new Set(
    Object.entries(service.routes).flatMap(([host, routes]) =>
      routes.filter(({ isFixed }) => isFixed)
        .map(({ method, path }) => `${host} ${method} ${path}`)
    ),
  );
  const uncounted: string[] = [];
  for (const operation of every.operations) {
    const { host, method, name } = operation;
    if (method !== "GET") continue;
    if (fixed.has(`${host} ${name}`)) continue;
    const { status, body, headers } = await every.ask(operation, {
      headers: { accept: "text/html", "x-forwarded-for": ADDRESS },
    });
    await body?.cancel();
    // What is behind a session is counted by account.
    if (headers.get("location")?.startsWith("/sign-in")) continue;
    if (status !== 429) uncounted.push(`${host} ${name}: ${status}`);
  }
  assertEquals(uncounted, []);
});

Deno.test("one /48 opens 2400 public pages at once, whatever /64s it asks from, and then 120 a second, its neighbours as many", async () => {
  await using every = await openEveryRoute();
  const { service, config } = every.running;
  const { limiter } = service.core;
  const page = { method: "GET", url: `${config.settings.baseUrl}/` } as never;
  const asked = async (address: string) => {
    const answer = await every.ask(page, {
      headers: { accept: "text/html", "x-forwarded-for": address },
    });
    await answer.body?.cancel();
    return answer;
  };
  let admitted = 0;
  for (let link = 0; link < 8; link++) {
    // A household has two links' worth.
    const of = networksOf(`2001:db8:1:${link}00::/64`);
    while (limiter.takeHere(visitCharges(of)).admitted) admitted++;
  }
  assertEquals(admitted, 2_400);
  const refused = await asked("2001:db8:1:ff00::1");
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  const media = refused.headers.get("content-type");
  assertEquals(media, "application/problem+json");
  assertEquals((await asked("2001:db8:2::1")).status, 200);
  every.clock.advance(1_000);
  assertEquals((await asked("2001:db8:1:ff00::1")).status, 200);
});

Deno.test("who is signed in opens 600 public pages at once, from however many addresses", async () => {
  await using every = await openEveryRoute("ada@example.com");
  const { service, config } = every.running;
  const { limiter, services: { store } } = service.core;
  const found = await store.accountEmails.find("ada@example.com");
  const account = { id: `account ${found?.accountId}`, factor: 1 };
  const page = { method: "GET", url: `${config.settings.baseUrl}/` } as never;
  const status = async () => {
    const answer = await every.ask(page, {
      headers: { accept: "text/html", cookie: every.cookie },
    });
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await status(), 200);
  let left = 0;
  while (limiter.takeHere(visitCharges([account])).admitted) left++;
  assertEquals(left, 599);
  assertEquals(await status(), 429);
});
