import { assert, assertEquals, assertMatch } from "@std/assert";
import { keyOf } from "../../../support/faults.ts";
import {
  removed,
  settledDays,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { openSite, problemBody } from "../../../support/site_app.ts";

const PAID = spotlight("2026-11-18");
const DAY = "/api/v1/spotlights/2026-11-18";
const JOB = "/api/v1/sandbox/jobs/sbx_0123456789abcdef";
const POLICY = '"agent";q=120;svc-refill=2';

/** Every operation with an answer that is a success. */
const READS = [
  "/api/v1/spotlight",
  "/api/v1/spotlights",
  "/api/v1/spotlights/batch?days=2026-11-18",
  DAY,
];

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}

Deno.test("public reads are private, revalidated and tagged", async () => {
  await using site = await openSite([PAID]);
  for (const path of READS) {
    const { headers } = await site.ask(path);
    assertEquals(headers.get("cache-control"), "private, no-cache");
    assertMatch(headers.get("etag") ?? "", /^"[\w-]{22}"$/);
  }
});

Deno.test("public reads answer 304 with the same headers", async () => {
  await using site = await openSite([PAID]);
  for (const path of READS) {
    const full = await site.ask(path);
    const { "content-type": _, ratelimit: __, ...kept } = headersOf(full);
    const etag = full.headers.get("etag") ?? "";
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const headers = { "if-none-match": tag };
      const response = await site.ask(path, { headers });
      assertEquals(response.status, 304);
      assertEquals(await response.text(), "");
      const { ratelimit, ...same } = headersOf(response);
      assertEquals(same, kept);
      assertMatch(ratelimit ?? "", /^"agent";r=\d+$/);
    }
    const headers = { "if-none-match": '"other"' };
    assertEquals((await site.ask(path, { headers })).status, 200);
  }
});

Deno.test("public reads change their tag with their content", async () => {
  await using site = await openSite(settledDays(3));
  const paths = [
    "/api/v1/spotlights?limit=2",
    "/api/v1/spotlights/batch?days=2026-11-18,2026-11-19",
  ];
  for (const path of paths) {
    const before = (await site.ask(path)).headers.get("etag");
    const [oldest, middle] = settledDays(3);
    assert(oldest && middle);
    site.records.apply(removed(path.includes("limit") ? oldest : middle));
    const headers = { "if-none-match": before ?? "" };
    assertEquals((await site.ask(path, { headers })).status, 200);
  }
});

Deno.test("a missing day is 404 whatever If-None-Match says", async () => {
  await using site = await openSite();
  const headers = { "if-none-match": "*" };
  assertEquals((await site.ask(DAY, { headers })).status, 404);
});

Deno.test("HEAD answers as GET without a body", async () => {
  await using site = await openSite([PAID]);
  for (const path of [...READS, "/api/v1/sandbox", JOB, `${DAY}x`]) {
    const got = await site.ask(path, { from: "192.0.2.1" });
    const head = await site.ask(path, { method: "HEAD", from: "192.0.2.2" });
    assertEquals(head.status, got.status);
    const { "content-length": length, ...headers } = headersOf(head);
    assertEquals(headers, headersOf(got));
    assertEquals(await head.text(), "");
    assertEquals(Number(length), (await got.arrayBuffer()).byteLength);
  }
});

Deno.test("other methods are 405 with Allow", async () => {
  await using site = await openSite([PAID]);
  const cases = [
    [DAY, "POST", "GET, HEAD"],
    [DAY, "OPTIONS", "GET, HEAD"],
    ["/api/v1/spotlight", "DELETE", "GET, HEAD"],
    ["/api/v1/spotlights", "PUT", "GET, HEAD"],
    ["/api/v1/spotlights/batch", "POST", "GET, HEAD"],
    ["/api/v1/sandbox", "POST", "GET, HEAD"],
    ["/api/v1/sandbox/jobs", "GET", "POST"],
    [JOB, "POST", "GET, HEAD"],
  ] as const;
  for (const [path, method, allow] of cases) {
    const response = await site.ask(path, { method });
    assertEquals(response.status, 405);
    assertEquals(response.headers.get("allow"), allow);
    assertEquals(
      await response.json(),
      problemBody({
        slug: "method-not-allowed",
        title: "Method not allowed",
        status: 405,
        detail: `Cannot use this method here: the address takes ${allow}`,
      }),
    );
  }
});

Deno.test("unknown paths of the API are 404 problems", async () => {
  await using site = await openSite([PAID]);
  for (const path of ["/api/v1", "/api/v1/nothing", `${DAY}//`]) {
    const response = await site.ask(path, { headers: { accept: "text/html" } });
    assertEquals(response.status, 404);
    assertEquals(
      await response.json(),
      problemBody({
        slug: "not-found",
        title: "Not found",
        status: 404,
        detail: `Cannot find "${path}"`,
      }),
    );
  }
});

Deno.test("every answer of the public API tells what is left", async () => {
  await using site = await openSite([PAID]);
  const etag = (await site.ask(DAY)).headers.get("etag") ?? "";
  const asked: [path: string, init: RequestInit, status: number][] = [
    [DAY, {}, 200],
    [DAY, { headers: { "if-none-match": etag } }, 304],
    ["/api/v1/spotlights?limit=0", {}, 400],
    ["/api/v1/spotlights/2020-01-01", {}, 404],
    ["/api/v1/nothing", {}, 404],
    [DAY, { method: "PATCH" }, 405],
    [DAY, { method: "HEAD" }, 200],
    ["/api/v1/spotlights/batch?days=2026-11-18,2026-11-19", {}, 200],
    ["/api/v1/sandbox", {}, 200],
    ["/api/v1/sandbox/jobs", { method: "POST" }, 400],
    [JOB, {}, 404],
  ];
  let left = 119;
  for (const [path, init, status] of asked) {
    const response = await site.ask(path, init);
    assertEquals(response.status, status);
    left -= 1;
    assertEquals(response.headers.get("ratelimit"), `"agent";r=${left}`);
    assertEquals(response.headers.get("ratelimit-policy"), POLICY);
  }
});

Deno.test("an empty bucket is 429 with Retry-After and what is left", async () => {
  await using site = await openSite([PAID]);
  for (let i = 0; i < 120; i++) await site.ask(DAY);
  for (const path of [DAY, "/api/v1/nothing", "/api/v1/sandbox"]) {
    const response = await site.ask(path);
    assertEquals(response.status, 429);
    const { headers } = response;
    assertEquals(headers.get("content-type"), "application/problem+json");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("retry-after"), "1");
    assertEquals(headers.get("ratelimit"), '"agent";r=0');
    assertEquals(headers.get("ratelimit-policy"), POLICY);
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(
      await response.json(),
      problemBody({
        slug: "rate-limited",
        title: "Too many requests",
        status: 429,
        detail: "Cannot answer now: the bucket of this address is empty, " +
          "retry in 1 second",
      }),
    );
  }
  assertEquals((await site.ask(DAY, { from: "192.0.2.9" })).status, 200);
  site.test.clock.advance(500);
  assertEquals((await site.ask(DAY)).status, 200);
});

Deno.test("the bucket is that of the client our proxy names", async () => {
  await using site = await openSite([PAID], { trustedProxyHops: 1 });
  const askFor = async (forwardedFor: string) => {
    const headers = { "x-forwarded-for": forwardedFor };
    return (await site.ask(DAY, { headers })).headers.get("ratelimit");
  };
  assertEquals(await askFor("198.51.100.1"), '"agent";r=119');
  assertEquals(await askFor("198.51.100.2"), '"agent";r=119');
  assertEquals(await askFor("203.0.113.9, 198.51.100.1"), '"agent";r=118');
});

Deno.test("a limiter without its store is 503 with Retry-After", async () => {
  await using site = await openSite([PAID]);
  const key = keyOf("rate_buckets");
  site.test.kv.inject({ on: "read", key, fault: { kind: "fail_before" } });
  site.test.kv.inject({ on: "commit", key, fault: { kind: "fail_before" } });
  const response = await site.ask(DAY);
  assertEquals(response.status, 503);
  assertEquals(response.headers.get("retry-after"), "1");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("ratelimit-policy"), POLICY);
  assertEquals(response.headers.get("ratelimit"), '"agent";r=0');
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
});

Deno.test("errors are not stored", async () => {
  await using site = await openSite();
  for (const path of [DAY, `${DAY}x`, "/api/v1/nothing", JOB]) {
    const { headers } = await site.ask(path);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("etag"), null);
  }
});

Deno.test("scripts of any site may read answers and their headers", async () => {
  await using site = await openSite([PAID]);
  for (const path of [...READS, "/api/v1/sandbox", "/api/v1/nothing"]) {
    const headers = { origin: "https://elsewhere.example" };
    const response = await site.ask(path, { headers });
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(
      response.headers.get("access-control-expose-headers"),
      "Content-Disposition, ETag, Idempotency-Key, Idempotent-Replayed, " +
        "Link, Location, Metrics-Final, Payment-Receipt, RateLimit, " +
        "RateLimit-Policy, Request-Id, Retry-After, WWW-Authenticate, " +
        "X-Request-Id",
    );
    assertEquals(
      response.headers.get("access-control-allow-credentials"),
      null,
    );
  }
});

Deno.test("a preflight is answered and costs no token", async () => {
  await using site = await openSite([PAID]);
  const preflight = await site.ask("/api/v1/sandbox/jobs", {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "idempotency-key",
    },
  });
  assertEquals(preflight.status, 204);
  assertEquals(headersOf(preflight), {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "Authorization, API-Version, " +
      "Content-Type, Idempotency-Key, If-None-Match, *",
    "access-control-max-age": "86400",
  });
  const next = await site.ask(DAY);
  assertEquals(next.headers.get("ratelimit"), '"agent";r=119');
});

Deno.test("reads go on while the store of the records fails", async () => {
  await using site = await openSite([PAID]);
  const failing = { kind: "fail_before" } as const;
  const key = keyOf("spotlights_version");
  site.test.kv.inject({ on: "read", key, fault: failing });
  assertEquals(await site.records.refresh(), "failed");
  assertEquals((await site.ask(DAY)).status, 200);
});

Deno.test("a removed day is 404 at once where it was removed", async () => {
  await using site = await openSite([PAID]);
  assertEquals((await site.ask(DAY)).status, 200);
  site.records.apply(removed(PAID));
  const paths = [DAY, "/api/v1/spotlight", "/spotlights/2026-11-18"];
  for (const path of paths) assertEquals((await site.ask(path)).status, 404);
  const list = await site.ask("/api/v1/spotlights");
  assertEquals((await list.json()).data, []);
});
