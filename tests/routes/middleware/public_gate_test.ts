import { assertEquals } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { RATE_LIMIT_POLICY } from "../../../routes/http/rate_headers.ts";
import { publicGate } from "../../../routes/middleware/public_gate.ts";
import { route, routeTable } from "../../../routes/route_table.ts";
import { MemoryLog } from "../../support/captured_logs.ts";

const settings = { baseUrl: "http://site.test", authUrl: "http://auth.test" };

/** Asks for what is behind one gate. */
function hostBehind(take: RateLimiter["take"]): () => Promise<Response> {
  const limits = { limiter: { take } as RateLimiter, trustedProxyHops: 0 };
  const host = routeTable({ settings, log: new MemoryLog() }, [{
    prefix: "/api",
    enter: [publicGate(limits, settings)],
    routes: [route("GET", "/api/day", () => new Response("day"))],
    answers: PUBLIC_ANSWERS,
  }, { prefix: "", routes: [], answers: PUBLIC_ANSWERS }]);
  const trace = { requestId: "1", route: "", grantId: null };
  const env = { remoteAddress: "192.0.2.1", trace } as never;
  return async () =>
    await host.fetch(new Request("http://site.test/api/day"), env);
}

Deno.test("publicGate() tells the policy with the 503 of a store that does not answer", async () => {
  const ask = hostBehind(() => Promise.reject(new StoreUnavailable()));
  const answer = await ask();
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("ratelimit-policy"), RATE_LIMIT_POLICY);
});

Deno.test("publicGate() tells the wait of each refusal, of those that are made by then too", async () => {
  const waits = [1, 2, 1, 2];
  const ask = hostBehind(() => ({
    admitted: false,
    retryAfterS: waits[0] ?? 0,
  }));
  for (; waits.length > 0; waits.shift()) {
    const answer = await ask();
    assertEquals(answer.status, 429);
    assertEquals(answer.headers.get("retry-after"), `${waits[0]}`);
    assertEquals((await answer.json()).status, 429);
  }
});
