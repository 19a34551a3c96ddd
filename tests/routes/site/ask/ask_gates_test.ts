/**
 * What `/ask` answers before it looks at what is asked, and when it can't.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { IndexNotReady } from "../../../../domain/retrieval/search_index.ts";
import { type AskSite, openAskSite } from "../../../support/ask_site.ts";
import { ManualClock } from "../../../support/clock.ts";
import { keyOf } from "../../../support/faults.ts";
import { spotlight } from "../../../support/public_spotlights.ts";
import { runService } from "../../../support/running_service.ts";

const PAID = spotlight("2026-11-18");

/** The code of a retrieval failure, which is its status too. */
async function failureOf(answer: Response): Promise<number> {
  assertEquals(answer.headers.get("content-type"), "application/json");
  const { _meta: meta, error } = await answer.json();
  assertEquals(meta, { version: "0.55", response_type: "failure" });
  assertEquals(error.code, answer.status);
  assertEquals(typeof error.message, "string");
  return error.code;
}

Deno.test("/ask takes GET, HEAD and POST: PUT and others are 405 with Allow", async () => {
  await using site = await openAskSite([PAID]);
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
    const answer = await site.ask("/ask?query=a", { method });
    assertEquals(answer.headers.get("allow"), "GET, HEAD, POST");
    assertEquals(await failureOf(answer), 405, method);
  }
});

for (
  const query of ["query=a", "query=a&streaming=true", "query=", "streaming=2"]
) {
  Deno.test(`HEAD /ask?${query} answers as GET without a body`, async () => {
    await using site = await openAskSite([PAID]);
    const [got, head] = [
      await site.ask(`/ask?${query}`),
      await site.ask(`/ask?${query}`, { method: "HEAD" }),
    ];
    assertEquals(head.status, got.status);
    for (const name of ["content-type", "cache-control", "ratelimit-policy"]) {
      assertEquals(head.headers.get(name), got.headers.get(name));
    }
    await got.body?.cancel();
    assertEquals(await head.text(), "");
  });
}

Deno.test("paths below /ask are 404 failures, a path beside it is none of it", async () => {
  await using site = await openAskSite([PAID]);
  for (const path of ["/ask//", "/ask/x", "/ask/x/y?query=a"]) {
    assertEquals(await failureOf(await site.ask(path)), 404, path);
    const headers = { accept: "text/html" };
    assertEquals(await failureOf(await site.ask(path, { headers })), 404);
  }
  const beside = await site.ask("/asking");
  assertEquals(
    beside.headers.get("content-type"),
    "application/problem+json",
  );
  await beside.body?.cancel();
});

async function emptyBucket(site: AskSite): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await (await site.ask("/ask")).body?.cancel();
  }
}

Deno.test("/ask answers 429 as a public problem before every other check", async () => {
  await using site = await openAskSite([PAID]);
  await emptyBucket(site);
  const answers = [
    await site.ask("/ask?query=a"),
    await site.ask("/ask?query=a&streaming=true"),
    await site.ask("/ask?streaming=1"),
    await site.ask("/ask/x"),
    await site.ask("/ask", { method: "PUT" }),
    await site.post("no JSON"),
    await site.post("x".repeat(5_000)),
    await site.post({ query: "a", streaming: true }, {
      headers: { "content-type": "text/plain" },
    }),
  ];
  for (const answer of answers) {
    const { headers } = answer;
    assertEquals(answer.status, 429);
    assertEquals(headers.get("content-type"), "application/problem+json");
    assertEquals(headers.get("retry-after"), "1");
    assertEquals(headers.get("ratelimit"), '"agent";r=0');
    const problem = await answer.json();
    assertEquals(Object.keys(problem).sort(), [
      "detail",
      "docs",
      "status",
      "title",
      "type",
    ]);
    assertEquals(problem.status, 429);
  }
});

Deno.test("/ask takes a token of its own address, and a token comes back in half a second", async () => {
  await using site = await openAskSite([PAID]);
  await emptyBucket(site);
  const other = await site.ask("/ask?query=a", { from: "192.0.2.99" });
  assertEquals(other.status, 200);
  await other.body?.cancel();
  site.test.clock.advance(500);
  assertEquals((await site.ask("/ask?query=a")).status, 200);
});

Deno.test("/ask is 503 as JSON while the index is not ready, streaming or not", async () => {
  await using site = await openAskSite([], {
    isReady: false,
    findSpotlights: () => Promise.reject(new IndexNotReady("not yet")),
    findPassages: () => Promise.reject(new IndexNotReady("not yet")),
  });
  for (
    const answer of [
      await site.ask("/ask?query=a"),
      await site.ask("/ask?query=a&streaming=true"),
      await site.post({ query: "a", prefer: { streaming: true } }),
    ]
  ) {
    assertEquals(answer.headers.get("retry-after"), "1");
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals(await failureOf(answer), 503);
  }
  // A bad request is told so all the same.
  assertEquals(await failureOf(await site.ask("/ask")), 400);
  assertEquals(site.log.lines, []);
});

Deno.test("/ask is 503 when the store does not answer", async () => {
  await using site = await openAskSite([PAID]);
  site.test.kv.inject({
    on: "read",
    fault: { kind: "fail_before" },
    key: keyOf("spotlights_version"),
    times: Infinity,
  });
  const answer = await site.ask("/ask?query=a&streaming=true");
  assertEquals(await failureOf(answer), 503);
  assert(answer.headers.has("retry-after"));
});

Deno.test("/ask is 500 without an inner detail, and the query is in no log line", async () => {
  await using site = await openAskSite([], {
    isReady: true,
    findSpotlights: (query) => Promise.reject(new Error(`at ${query.length}`)),
    findPassages: () => Promise.resolve([]),
  });
  const answer = await site.ask("/ask?query=a+very+private+question");
  assertEquals(await failureOf(answer.clone()), 500);
  assert(!(await answer.text()).includes(" at "));
  assertEquals(site.log.events, ["fault"]);
  assert(!site.log.lines.join().includes("private"));
});

Deno.test("one /48 asks 480 questions at once and then eight a second, of /ask and tool servers together, whatever /64s it asks from", async () => {
  const clock = new ManualClock();
  const env = { TRUSTED_PROXY_HOPS: "1" };
  await using running = await runService({ clock, env });
  const { baseUrl, docsMcpUrl } = running.config.settings;
  const urls = [`${baseUrl}/ask`, `${baseUrl}/mcp`, docsMcpUrl];
  const ask = async (nth: number, link?: string) => {
    const from = link ?? `2001:db8:1:${(nth % 64).toString(16)}00::1`;
    const headers = { "x-forwarded-for": from };
    const url = urls[nth % urls.length] ?? "";
    const answer = await fetch(url, { method: "POST", headers });
    assertEquals(answer.headers.has("ratelimit-policy"), true);
    await answer.body?.cancel();
    return answer.status;
  };
  const statuses = new Set<number>();
  for (let nth = 0; nth < 480; nth++) statuses.add(await ask(nth));
  assertEquals(statuses, new Set([400, 415]));
  assertEquals([await ask(0), await ask(1), await ask(2)], [429, 429, 429]);
  assertEquals(await ask(0, "192.0.2.1"), 400);
  clock.advance(125);
  assertEquals([await ask(0), await ask(1)], [400, 429]);
});
