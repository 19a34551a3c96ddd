import { assertEquals } from "@std/assert";
import { keyOf } from "../../../support/faults.ts";
import { spotlight } from "../../../support/public_spotlights.ts";
import {
  invalidInput,
  openSite,
  problemBody,
  type SiteApp,
} from "../../../support/site_app.ts";

const JOBS = "/api/v1/sandbox/jobs";
// printf 'sandbox-job|order-1' | sha256sum | cut -c 1-16
const JOB_ID = "sbx_b498997784106420";
const STATUS_URL = `https://spotlight.example${JOBS}/${JOB_ID}`;

const QUEUED = {
  sandbox: true,
  jobId: JOB_ID,
  status: "queued",
  statusUrl: STATUS_URL,
};

const SAMPLE = {
  sandbox: true,
  data: {
    day: "2025-01-01",
    headline: "Fresh bread, baked before you wake",
    description:
      "Order until midnight and find warm sourdough at your door by seven. " +
      "This is sample data: the bakery does not exist.",
    advertiser: "Example Bakery",
    canonicalUrl: "https://spotlight.example/spotlights/sandbox",
    contentType: "paid_advertisement",
  },
};

function post(
  site: SiteApp,
  headers: Record<string, string>,
  body?: string,
): Promise<Response> {
  return site.ask(JOBS, { method: "POST", headers, ...body && { body } });
}

const KEY = { "idempotency-key": "order-1" };

Deno.test("GET /sandbox answers the same made-up record always", async () => {
  await using site = await openSite([spotlight("2026-11-19")]);
  const response = await site.ask("/api/v1/sandbox?x=1");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("etag"), null);
  assertEquals(await response.json(), SAMPLE);
});

Deno.test("the sandbox's canonicalUrl is a page", async () => {
  await using site = await openSite();
  const path = new URL(SAMPLE.data.canonicalUrl).pathname;
  const page = await site.ask(path);
  assertEquals(page.status, 200);
  assertEquals((await page.text()).includes(SAMPLE.data.headline), true);
});

Deno.test("POST /sandbox/jobs answers 202 with the job's address", async () => {
  await using site = await openSite();
  const response = await post(site, KEY);
  assertEquals(response.status, 202);
  assertEquals(response.headers.get("location"), STATUS_URL);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("idempotent-replayed"), null);
  assertEquals(await response.json(), QUEUED);
});

Deno.test("POST /sandbox/jobs answers a repeat as the first, completed or not", async () => {
  await using site = await openSite();
  await post(site, KEY);
  await site.ask(`${JOBS}/${JOB_ID}`);
  const repeat = await post(site, KEY);
  assertEquals(repeat.status, 202);
  assertEquals(repeat.headers.get("location"), STATUS_URL);
  assertEquals(repeat.headers.get("idempotent-replayed"), "true");
  assertEquals(await repeat.json(), QUEUED);
});

Deno.test("POST /sandbox/jobs answers 202 to every parallel repeat", async () => {
  await using site = await openSite();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => post(site, KEY)),
  );
  for (const response of all) {
    assertEquals(response.status, 202);
    assertEquals(await response.json(), QUEUED);
  }
});

Deno.test("POST /sandbox/jobs takes keys of 1 to 255 visible ASCII characters", async () => {
  await using site = await openSite();
  for (const key of ["!", "~", "x".repeat(255)]) {
    const response = await post(site, { "idempotency-key": key });
    assertEquals(response.status, 202);
  }
  for (const key of ["", "a b", "ä", "x".repeat(256)]) {
    const response = await post(site, { "idempotency-key": key });
    assertEquals(response.status, 400);
    assertEquals(
      await response.json(),
      invalidInput(
        "Cannot read the Idempotency-Key: a key is 1 to 255 visible ASCII " +
          `characters, current length is ${key.length}`,
      ),
    );
  }
});

Deno.test("POST /sandbox/jobs is 400 without a key", async () => {
  await using site = await openSite();
  const response = await post(site, {});
  assertEquals(response.status, 400);
  assertEquals(
    await response.json(),
    problemBody({
      slug: "idempotency-key-required",
      title: "Idempotency-Key required",
      status: 400,
      detail: "Cannot answer the request: the header Idempotency-Key must be " +
        "given, as 1 to 255 visible ASCII characters",
    }),
  );
  const writes = site.test.kv.commits.flatMap((commit) => commit.writes);
  assertEquals(writes.some(({ key }) => key[0] === "sandbox_jobs"), false);
});

Deno.test("POST /sandbox/jobs ignores a body, and refuses a large one", async () => {
  await using site = await openSite();
  const small = await post(site, KEY, "{not json");
  assertEquals(small.status, 202);
  const large = { ...KEY, "content-length": "4097" };
  const response = await post(site, large, "x".repeat(4097));
  assertEquals(response.status, 400);
  assertEquals(
    await response.json(),
    invalidInput(
      "Cannot create the sandbox job: no body is wanted, the limit is 4096 " +
        "bytes and the current length is 4097",
    ),
  );
});

Deno.test("POST /sandbox/jobs is 503 when the store fails", async () => {
  await using site = await openSite();
  site.test.kv.inject({
    on: "commit",
    key: keyOf("sandbox_jobs"),
    fault: { kind: "fail_after" },
  });
  const response = await post(site, KEY);
  assertEquals(response.status, 503);
  assertEquals(response.headers.get("retry-after"), "1");
  assertEquals(response.headers.get("ratelimit"), '"agent";r=119');
  const repeat = await post(site, KEY);
  assertEquals(repeat.headers.get("idempotent-replayed"), "true");
});

Deno.test("GET /sandbox/jobs/{jobId} completes the job", async () => {
  await using site = await openSite();
  await post(site, KEY);
  for (let i = 0; i < 2; i++) {
    const response = await site.ask(`${JOBS}/${JOB_ID}`);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(await response.json(), {
      ...QUEUED,
      status: "completed",
      result: SAMPLE,
    });
  }
});

Deno.test("GET /sandbox/jobs/{jobId} is 404 before the job and a day after", async () => {
  await using site = await openSite();
  const path = `${JOBS}/${JOB_ID}`;
  const missing = problemBody({
    slug: "not-found",
    title: "Not found",
    status: 404,
    detail: `Cannot find sandbox job "${JOB_ID}": a job is kept 24 hours`,
  });
  const before = await site.ask(path);
  assertEquals(before.status, 404);
  assertEquals(await before.json(), missing);
  await post(site, KEY);
  site.test.clock.advance(24 * 3_600_000 - 1);
  assertEquals((await site.ask(path)).status, 200);
  site.test.clock.advance(1);
  assertEquals((await site.ask(path)).status, 404);
});

Deno.test("GET /sandbox/jobs/{jobId} is 400 for another form of id", async () => {
  await using site = await openSite();
  const ids = [
    "x",
    "sbx_",
    JOB_ID.toUpperCase(),
    `${JOB_ID}0`,
    "sbx_g23456789abcdef0",
  ];
  for (const id of ids) {
    const response = await site.ask(`${JOBS}/${id}`);
    assertEquals(response.status, 400);
    assertEquals(
      await response.json(),
      invalidInput(
        `Cannot read sandbox job "${id}": a job id is sbx_ and 16 lowercase ` +
          "hex characters",
      ),
    );
  }
});

Deno.test("GET /sandbox/jobs/{jobId} is 503 when the store fails", async () => {
  await using site = await openSite();
  site.test.kv.inject({
    on: "read",
    key: keyOf("sandbox_jobs"),
    fault: { kind: "fail_before" },
  });
  const response = await site.ask(`${JOBS}/${JOB_ID}`);
  assertEquals(response.status, 503);
  assertEquals(response.headers.get("retry-after"), "1");
});

Deno.test("the sandbox changes nothing of production", async () => {
  await using site = await openSite();
  const before = await site.test.store.spotlightsVersion();
  await post(site, KEY);
  await site.ask(`${JOBS}/${JOB_ID}`);
  assertEquals(await site.test.store.spotlightsVersion(), before);
  assertEquals(await site.test.store.listSpotlights(null, { limit: 1 }), []);
});

Deno.test("one /48 makes 480 sandbox jobs at once and then eight a second, whatever /64s it asks from", async () => {
  await using site = await openSite([], { trustedProxyHops: 1 });
  const make = async (nth: number) => {
    const link = `2001:db8:1:${(nth % 64).toString(16)}00::1`;
    const headers = {
      "idempotency-key": `job-${nth}`,
      "x-forwarded-for": link,
    };
    return (await post(site, headers)).status;
  };
  const statuses: number[] = [];
  for (let nth = 0; nth < 480; nth++) statuses.push(await make(nth));
  assertEquals(new Set(statuses), new Set([202]));
  assertEquals(await make(480), 429);
  site.test.clock.advance(125);
  assertEquals([await make(481), await make(482)], [202, 429]);
});

Deno.test("a client that makes the 120 jobs of its bucket at the same moment is given each of them", async () => {
  await using site = await openSite();
  const answers = await Promise.all(
    Array.from(
      { length: 120 },
      (_, nth) => post(site, { "idempotency-key": `job-${nth}` }),
    ),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  assertEquals(statuses, new Set([202]));
});
