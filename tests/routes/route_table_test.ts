import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { StoreUnavailable } from "../../domain/failure.ts";
import { InvariantBroken } from "../../domain/invariant.ts";
import { refuse } from "../../domain/refusal.ts";
import { renderAgent } from "../../routes/errors/agent_surface.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { eventLog } from "../../routes/event_log.ts";
import {
  type HostApp,
  type Route,
  route,
  routeTable,
  type Surface,
} from "../../routes/route_table.ts";
import { LARGE_FROM, respond } from "../../routes/http/respond.ts";
import { ask, bindings } from "../support/bindings.ts";
import { ManualClock } from "../support/clock.ts";
import { MemoryLines } from "../support/captured_logs.ts";

const SETTINGS = {
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example",
};

function tableOf(
  ...surfaces: Partial<Surface>[]
): HostApp & { logged: MemoryLines } {
  const logged = new MemoryLines();
  const log = eventLog(logged, new ManualClock());
  const app = routeTable({ settings: SETTINGS, log }, [
    { prefix: "", routes: [], answers: { refused: renderPublic } },
    ...surfaces.map((surface) => ({
      prefix: "/api",
      routes: [],
      answers: { refused: renderPublic },
      ...surface,
    })),
  ]);
  return { ...app, logged };
}

const text = (path: string, says = path): Route =>
  route("GET", path, () => new Response(says));

Deno.test("routeTable() answers a route with the parameters of its path", async () => {
  const app = tableOf({
    routes: [
      route(
        "GET",
        "/api/days/:day",
        (context) => context.text(context.req.param("day")),
      ),
    ],
  });
  const answer = await ask(app, "/api/days/2026-11-20");
  assertEquals(await answer.text(), "2026-11-20");
});

Deno.test("routeTable() prefers static segments, wherever they are written", async () => {
  const app = tableOf({
    routes: [
      text("/api/days/:day"),
      text("/api/:kind/batch"),
      text("/api/days/batch"),
      text("/api/days/:day/metrics"),
    ],
  });
  const says = async (path: string) => await (await ask(app, path)).text();
  assertEquals(await says("/api/days/batch"), "/api/days/batch");
  assertEquals(await says("/api/days/2026-11-20"), "/api/days/:day");
  assertEquals(await says("/api/other/batch"), "/api/:kind/batch");
  assertEquals(await says("/api/days/1/metrics"), "/api/days/:day/metrics");
});

Deno.test("routeTable() answers a known path with another method 405", async () => {
  const app = tableOf({
    routes: [
      text("/api/bids"),
      route("POST", "/api/bids", () => new Response("placed")),
      route("DELETE", "/api/:any", () => new Response("gone")),
    ],
  });
  for (const method of ["DELETE", "PUT", "OPTIONS", "PURGE"]) {
    const answer = await ask(app, "/api/bids", { method });
    assertEquals(answer.status, 405, method);
    assertEquals(answer.headers.get("allow"), "GET, HEAD, POST", method);
    await answer.body?.cancel();
  }
});

Deno.test("routeTable() answers unknown paths in the shape of their surface", async () => {
  const app = tableOf({ prefix: "/v1", answers: { refused: renderAgent } });
  const inside = await (await ask(app, "/v1/x?secret=1")).json();
  assertEquals(inside.code, "agent.not-found");
  assertEquals(inside.detail, 'Cannot find "/v1/x"');
  const outside = await (await ask(app, "/v10/x")).json();
  assertEquals(outside.code, undefined);
  assertEquals(outside.status, 404);
});

Deno.test("routeTable() answers an unknown path of the prefix itself", async () => {
  const app = tableOf({ prefix: "/v1", answers: { refused: renderAgent } });
  assertEquals((await (await ask(app, "/v1")).json()).code, "agent.not-found");
});

Deno.test("routeTable() answers HEAD as GET without a body", async () => {
  const app = tableOf({
    routes: [
      route("GET", "/api/x", (context) =>
        new Response("four", {
          headers: { etag: '"1"', "x-method": context.req.method },
        })),
    ],
  });
  const answer = await ask(app, "/api/x", { method: "HEAD" });
  assertEquals(answer.body, null);
  assertEquals(Object.fromEntries(answer.headers), {
    "content-length": "4",
    "content-type": "text/plain;charset=UTF-8",
    etag: '"1"',
    "x-method": "GET",
  });
});

Deno.test("routeTable() answers HEAD of what has a length by that, and makes none of the body", async () => {
  const long = "x".repeat(2 * LARGE_FROM);
  let pieces = 0;
  const body = new ReadableStream({
    pull: () => void pieces++,
  }, { highWaterMark: 0 });
  const app = tableOf({
    routes: [
      route(
        "GET",
        "/api/x",
        () => new Response(body, { headers: { "content-length": "123456" } }),
      ),
      route("GET", "/api/long", () => respond(long)),
    ],
  });
  const answer = await ask(app, "/api/x", { method: "HEAD" });
  assertEquals(answer.headers.get("content-length"), "123456");
  assertEquals(pieces, 0);
  const large = await ask(app, "/api/long", { method: "HEAD" });
  assertEquals(large.headers.get("content-length"), String(long.length));
});

Deno.test("routeTable() answers HEAD of a path without GET 405", async () => {
  const app = tableOf({
    routes: [route("POST", "/api/x", () => new Response(""))],
  });
  const answer = await ask(app, "/api/x", { method: "HEAD" });
  assertEquals(answer.status, 405);
  assertEquals(answer.headers.get("allow"), "POST");
});

for (const type of ["text/event-stream", "application/x-ndjson"]) {
  Deno.test(`routeTable() ends a stream of ${type} that HEAD asked for`, async () => {
    let cancelled = false;
    const app = tableOf({
      routes: [
        route("GET", "/api/x", () =>
          new Response(
            new ReadableStream({ cancel: () => void (cancelled = true) }),
            { headers: { "content-type": type } },
          )),
      ],
    });
    const answer = await ask(app, "/api/x", { method: "HEAD" });
    assertEquals(answer.status, 200);
    assertEquals(cancelled, true);
  });
}

Deno.test("routeTable() writes the pattern into the trace, never the path", async () => {
  const app = tableOf({ routes: [text("/api/days/:day")] });
  const env = bindings();
  await ask(app, "/api/days/secret?token=1", {}, env);
  assertEquals(env.trace.route, "/api/days/:day");
  await ask(app, "/api/secret", {}, env);
  assertEquals(env.trace.route, "/api/*");
});

Deno.test("a surface's entry gates come before 404 and 405", async () => {
  const app = tableOf({
    routes: [text("/api/x")],
    enter: [() => refuse({ code: "token_missing" })],
    answers: { refused: renderAgent },
  });
  for (const path of ["/api/x", "/api/unknown", "/api"]) {
    assertEquals((await ask(app, path)).status, 401, path);
  }
  assertEquals((await ask(app, "/api/x", { method: "PUT" })).status, 401);
});

Deno.test("a surface's later gates come after 404 and 405", async () => {
  const app = tableOf({
    routes: [text("/api/x")],
    proceed: [() => refuse({ code: "rate_limited", retryAfterS: 1 })],
  });
  assertEquals((await ask(app, "/api/x")).status, 429);
  assertEquals((await ask(app, "/api/unknown")).status, 404);
  assertEquals((await ask(app, "/api/x", { method: "PUT" })).status, 405);
});

Deno.test("a gate that answers ends the way", async () => {
  const app = tableOf({
    routes: [text("/api/x")],
    enter: [() => null, () => Promise.resolve(new Response("stopped"))],
  });
  assertEquals(await (await ask(app, "/api/x")).text(), "stopped");
});

Deno.test("errors carry the rate-limit headers that a gate set", async () => {
  const app = tableOf({
    enter: [(context) => {
      context.set("rateHeaders", { ratelimit: '"agent";r=1' });
      return null;
    }],
  });
  const answer = await ask(app, "/api/unknown");
  assertEquals(answer.headers.get("ratelimit"), '"agent";r=1');
});

Deno.test("a temporary failure is answered 503 with Retry-After", async () => {
  const app = tableOf({
    routes: [
      route("GET", "/api/x", () => {
        throw new StoreUnavailable("the store did not answer");
      }),
    ],
  });
  const answer = await ask(app, "/api/x");
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("retry-after"), "1");
  const body = await answer.text();
  assertEquals(body.includes("store"), false);
  assertStringIncludes(app.logged.text, "StoreUnavailable");
});

Deno.test("an exception is answered 500 and logged with the request's id", async () => {
  const app = tableOf({
    routes: [
      route("GET", "/api/x", () => {
        throw new TypeError("the inner detail of ada@example.org");
      }),
    ],
  });
  const answer = await ask(app, "/api/x");
  assertEquals(answer.status, 500);
  const body = await answer.text();
  assertStringIncludes(body, "req_1");
  assertEquals(body.includes("inner"), false);
  const logged = app.logged.text;
  assertStringIncludes(logged, "the inner detail");
  assertStringIncludes(logged, '"request":"req_1"');
  assertEquals(logged.includes("ada@"), false);
});

Deno.test("a refusal that a surface can't meet is that surface's 500", async () => {
  const app = tableOf({
    routes: [
      route("GET", "/api/x", () => refuse({ code: "mandate_expired" })),
    ],
  });
  assertEquals((await ask(app, "/api/x")).status, 500);
  assertStringIncludes(app.logged.text, "mandate_expired");
});

Deno.test("a surface answers 500 and 503 in its own shape", async () => {
  const app = tableOf({
    routes: [
      route("GET", "/api/500", () => {
        throw new Error("fault");
      }),
      route("GET", "/api/503", () => {
        throw new StoreUnavailable("slow");
      }),
    ],
    answers: {
      refused: renderPublic,
      failed: () => new Response("own 500"),
      unavailable: (s) => new Response(`own 503 after ${s}`),
    },
  });
  assertEquals(await (await ask(app, "/api/500")).text(), "own 500");
  assertEquals(await (await ask(app, "/api/503")).text(), "own 503 after 1");
});

Deno.test("routeTable() refuses a path outside its surface", () => {
  assertThrows(() => tableOf({ routes: [text("/other")] }), InvariantBroken);
});

Deno.test("routeTable() refuses an operation written twice", () => {
  const twice = [text("/api/x"), text("/api/x")];
  assertThrows(() => tableOf({ routes: twice }), InvariantBroken);
});

Deno.test("routeTable() refuses a host without a surface for the rest", () => {
  const surface = {
    prefix: "/api",
    routes: [],
    answers: { refused: renderPublic },
  };
  const services = {
    settings: SETTINGS,
    log: eventLog(new MemoryLines(), new ManualClock()),
  };
  assertThrows(() => routeTable(services, [surface]), InvariantBroken);
});
