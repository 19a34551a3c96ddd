import { assertEquals } from "@std/assert";
import { health as healthOf, type HealthCheck } from "../../routes/health.ts";

const health = (checks: Record<string, HealthCheck>) =>
  healthOf(checks, "1.2.3");

Deno.test("/healthz says that the process runs", async () => {
  const answer = await health({ store: () => "down" })("GET", "/healthz");
  assertEquals(answer?.status, 200);
  assertEquals(answer?.headers.get("cache-control"), "no-store");
  assertEquals(await answer?.json(), { status: "ok", version: "1.2.3" });
});

Deno.test("/readyz names every check", async () => {
  const checks = { store: () => null, crons: () => Promise.resolve(null) };
  const answer = await health(checks)("GET", "/readyz");
  assertEquals(answer?.status, 200);
  assertEquals(await answer?.json(), {
    status: "ready",
    checks: { store: { ok: true }, crons: { ok: true } },
  });
});

Deno.test("/readyz answers 503 when one check fails", async () => {
  const answer = await health({
    store: () => Promise.reject(new Error("inner detail")),
    readers: () => null,
    crons: () => "The job close_auction is 7 minutes late",
  })("GET", "/readyz");
  assertEquals(answer?.status, 503);
  assertEquals(await answer?.json(), {
    status: "not_ready",
    checks: {
      store: { ok: false, detail: "Cannot be checked: it does not answer" },
      readers: { ok: true },
      crons: { ok: false, detail: "The job close_auction is 7 minutes late" },
    },
  });
});

Deno.test("/healthz and /readyz answer other methods 405", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await health({})("POST", path);
    assertEquals(answer?.status, 405);
    assertEquals(answer?.headers.get("allow"), "GET, HEAD");
  }
});

Deno.test("health answers no other path", () => {
  assertEquals(health({})("GET", "/healthz/x"), null);
});

Deno.test("/readyz looks once for all who ask at the same time", async () => {
  let looks = 0;
  const looked = Promise.withResolvers<null>();
  const answer = health({
    store: () => {
      looks += 1;
      return looked.promise;
    },
  });
  const asked = Array.from({ length: 50 }, () => answer("GET", "/readyz"));
  looked.resolve(null);
  const answers = await Promise.all(asked);
  assertEquals(answers.map((each) => each?.status), Array(50).fill(200));
  assertEquals(looks, 1);
  assertEquals((await answer("GET", "/readyz"))?.status, 200);
  assertEquals(looks, 2);
});
