import { MAX_LINES_OF_ONE } from "../../../domain/rate_limit/limits.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readDayClicks } from "../../../domain/clicks/day_clicks.ts";
import { ADDRESS_BUCKET_CAPACITY } from "../../../domain/rate_limit/policy.ts";
import { figuresOf } from "../../support/click_world.ts";
import { keyOf } from "../../support/faults.ts";
import { openGoSite } from "../../support/go_site.ts";
import {
  dayText,
  removed,
  spotlight,
} from "../../support/public_spotlights.ts";

const PAID = spotlight("2026-11-18", {
  targetUrl: "https://acme.example/spring?from=spotlight#top",
});
const HOUSE = spotlight("2026-11-19", {
  contentType: "house_advertisement",
  targetUrl: "https://spotlight.example/advertise",
});
const DAY = dayText("2026-11-18");

Deno.test("GET /go/{day} leads to the advertiser and counts a human click", async () => {
  await using site = await openGoSite([PAID]);
  const answer = await site.go("/go/2026-11-18");
  assertEquals(answer.status, 302);
  assertEquals(await answer.text(), "");
  assertEquals(Object.fromEntries(answer.headers), {
    "location": "https://acme.example/spring?from=spotlight#top",
    "cache-control": "no-store",
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
  });
  await site.book();
  assertEquals(await figuresOf(site.test.store, DAY), {
    "outcome human": 1,
    "hour 2026-11-20T12": 1,
    "country LV": 1,
  });
});

Deno.test("GET /go/{day} of a house advertisement leads to its target", async () => {
  await using site = await openGoSite([PAID, HOUSE]);
  const answer = await site.go("/go/2026-11-19");
  assertEquals(answer.status, 302);
  assertEquals(answer.headers.get("location"), HOUSE.targetUrl);
});

Deno.test("HEAD /go/{day} is answered as GET and counted as no human click", async () => {
  await using site = await openGoSite([PAID]);
  const answer = await site.go("/go/2026-11-18", { method: "HEAD" });
  assertEquals(answer.status, 302);
  assertEquals(answer.headers.get("location"), PAID.targetUrl);
  await site.book();
  const figures = await figuresOf(site.test.store, DAY);
  assertEquals(figures, { "outcome head": 1 });
});

Deno.test("/go answers other methods 405 and counts nothing", async () => {
  await using site = await openGoSite([PAID]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await site.go("/go/2026-11-18", { method });
    assertEquals(answer.status, 405, method);
    assertEquals(answer.headers.get("allow"), "GET, HEAD");
    assertEquals(answer.headers.get("location"), null);
  }
  await site.book();
  assertEquals(await figuresOf(site.test.store, DAY), {});
});

Deno.test("/go of an unknown, unsettled, removed or malformed day is a 404 page", async () => {
  await using site = await openGoSite([removed(PAID), HOUSE]);
  const paths = [
    "2026-11-18",
    "2026-11-20",
    "1999-01-01",
    "2026-02-30",
    "2026-11-18%0d%0a",
    "%E0%A4%A",
    "today",
    "__proto__",
    "2026-11-19/more",
    "",
  ];
  for (const path of paths) {
    const answer = await site.go(`/go/${path}`);
    assertEquals(answer.status, 404, path);
    const type = answer.headers.get("content-type");
    assertEquals(type, "text/html; charset=utf-8", path);
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assert((await answer.text()).includes("<h1>"), path);
  }
  assertEquals((await site.go("/go")).status, 404);
});

Deno.test("a Spotlight that is removed leads nowhere from then on", async () => {
  await using site = await openGoSite([PAID]);
  assertEquals((await site.go("/go/2026-11-18")).status, 302);
  site.records.apply(removed(PAID));
  assertEquals((await site.go("/go/2026-11-18")).status, 404);
});

Deno.test("any path under /go is a redirect to the target or a page", async () => {
  await using site = await openGoSite([PAID]);
  const segment = fc.string({ unit: "grapheme", maxLength: 12 })
    .map(encodeURIComponentOrNothing);
  await fc.assert(fc.asyncProperty(segment, async (path) => {
    const from = "unknown host";
    const answer = await site.go(`/go/${path}`, { from });
    await answer.body?.cancel();
    assert([404, 429].includes(answer.status), `${answer.status}`);
    assertEquals(answer.headers.get("location"), null);
  }));
});

Deno.test("/go sets no cookie and answers nothing of the bucket", async () => {
  await using site = await openGoSite([PAID]);
  for (const path of ["/go/2026-11-18", "/go/2026-11-20"]) {
    const { headers } = await site.go(path);
    for (const name of ["set-cookie", "ratelimit", "ratelimit-policy"]) {
      assertEquals(headers.get(name), null, name);
    }
  }
});

Deno.test("an empty bucket of clicks is a 429 page, and only granted clicks are counted", async () => {
  await using site = await openGoSite([PAID]);
  const statuses: number[] = [];
  for (let n = 0; n < ADDRESS_BUCKET_CAPACITY + 20; n++) {
    const answer = await site.go("/go/2026-11-18");
    statuses.push(answer.status);
    await site.clicks.counter.idle();
  }
  const led = statuses.filter((status) => status === 302);
  assertEquals(led.length, ADDRESS_BUCKET_CAPACITY);
  const refused = await site.go("/go/2026-11-18");
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  assertEquals(refused.headers.get("cache-control"), "no-store");
  assert((await refused.text()).includes("Too many requests"));
  await site.book();
  const figures = await figuresOf(site.test.store, DAY);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome repeat"], ADDRESS_BUCKET_CAPACITY - 1);
});

Deno.test("requests at once may be redirected beyond the bucket, but are not counted beyond it", async () => {
  await using site = await openGoSite([PAID]);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => site.go("/go/2026-11-18")),
  );
  assert(answers.every(({ status }) => [302, 429].includes(status)));
  await site.book();
  const { clicks } = await readDayClicks(site.test, DAY);
  assertEquals(clicks, ADDRESS_BUCKET_CAPACITY);
});

Deno.test("failures and other methods cost a token of the bucket too", async () => {
  await using site = await openGoSite([PAID], { unawaitedMax: 0 });
  for (let n = 0; n < ADDRESS_BUCKET_CAPACITY; n++) {
    const method = n % 2 === 0 ? "GET" : "POST";
    await site.go("/go/2026-11-20", { method });
  }
  assertEquals((await site.go("/go/2026-11-18")).status, 429);
  const another = await site.go("/go/2026-11-18", { from: "10.0.0.2" });
  assertEquals(another.status, 302);
});

Deno.test("clicks and public reads draw on buckets of their own", async () => {
  await using site = await openGoSite([PAID], { unawaitedMax: 0 });
  for (let n = 0; n < ADDRESS_BUCKET_CAPACITY; n++) {
    await site.go("/go/2026-11-18");
  }
  assertEquals((await site.go("/go/2026-11-18")).status, 429);
  for (const kind of ["public", "address"] as const) {
    const verdict = await site.limiter.take(kind, "10.0.0.1");
    assertEquals(verdict.admitted, true);
  }
});

Deno.test("a store that hangs delays no redirect, and its clicks are counted later", async () => {
  await using site = await openGoSite([PAID], { patience: { callMs: 300 } });
  const { kv, store } = site.test;
  const released = Promise.withResolvers<void>();
  const hang = { kind: "hold", until: released.promise } as const;
  kv.inject({ on: "read", times: 1_000, fault: hang });
  kv.inject({ on: "commit", times: 1_000, fault: hang });
  for (let n = 1; n <= 5; n++) {
    // Nothing that the store was asked has been answered.
    const answer = await site.go("/go/2026-11-18", { from: `10.0.0.${n}` });
    assertEquals(answer.status, 302);
  }
  released.resolve();
  await site.book();
  await site.book();
  assertEquals((await figuresOf(store, DAY))["outcome human"], 5);
});

Deno.test("many redirects at once wait for their buckets, and go on without when the store hangs", async () => {
  await using site = await openGoSite([PAID], {
    patience: { callMs: 200 },
    unawaitedMax: 5,
  });
  site.test.kv.inject({
    on: "read",
    key: keyOf("rate_buckets"),
    times: 1_000,
    fault: { kind: "hang" },
  });
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, n) => site.go("/go/2026-11-18", { from: `10.0.0.${n}` }),
    ),
  );
  assert(answers.every(({ status }) => status === 302));
});

Deno.test("a store that keeps failing is asked by one redirect at a time, the others go on", async () => {
  await using site = await openGoSite([PAID], {
    patience: { callMs: 300 },
    unawaitedMax: 0,
  });
  const never = Promise.withResolvers<void>();
  const { kv } = site.test;
  const buckets = { on: "read", key: keyOf("rate_buckets") } as const;
  kv.inject({ ...buckets, fault: { kind: "fail_before" } });
  await site.go("/go/2026-11-18", { from: "10.0.0.1" });
  kv.inject({ ...buckets, fault: { kind: "hold", until: never.promise } });
  const asking = site.go("/go/2026-11-18", { from: "10.0.0.2" });
  for (let n = 3; n < 10; n++) {
    const answer = await site.go("/go/2026-11-18", { from: `10.0.0.${n}` });
    assertEquals(answer.status, 302);
  }
  assertEquals((await asking).status, 302);
  never.resolve();
  await site.book();
  const figures = await figuresOf(site.test.store, DAY);
  assertEquals(figures["outcome human"], 9, "they are counted all the same");
  const answer = await site.go("/go/2026-11-18", { from: "10.0.0.10" });
  assertEquals(answer.status, 302);
});

Deno.test("a click of a network of which too many wait is redirected and not counted, and others are", async () => {
  await using site = await openGoSite([PAID]);
  const { kv, store } = site.test;
  const released = Promise.withResolvers<void>();
  const hold = { kind: "hold", until: released.promise } as const;
  kv.inject({
    on: "read",
    key: keyOf("rate_buckets"),
    times: 999,
    fault: hold,
  });
  const linkOf = (nth: number) => `2001:db8:1:${nth.toString(16)}::`;
  const crowd = Array.from(
    { length: 2 * MAX_LINES_OF_ONE },
    async (_, nth) => await site.limiter.take("click", `${linkOf(nth)}/64`),
  );
  const told = Promise.allSettled(crowd);
  for (const from of [`${linkOf(0xffff)}1`, "10.0.0.2"]) {
    const answer = await site.go("/go/2026-11-18", { from });
    assertEquals(answer.status, 302);
  }
  released.resolve();
  await told;
  await site.book();
  assertEquals((await figuresOf(store, DAY))["outcome human"], 1);
});

function encodeURIComponentOrNothing(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "";
  }
}
