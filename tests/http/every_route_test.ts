/**
 * Rules that hold at every route of every host, those included that are written
 * tomorrow: a browser that is signed in can't be used by another site.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { dump } from "../../kv/dump.ts";
import {
  type EveryRoute,
  openEveryRoute,
  type Operation,
} from "../support/every_route.ts";

const EVIL = "https://evil.example";

/** Changes that anybody may make, and that no cookie is read for. */
const OPEN: ReadonlySet<string> = new Set([
  "POST /api/v1/sandbox/jobs",
  "POST /ask",
  "POST /mcp",
  "POST /oauth/token",
  "POST /oauth/register",
  "POST /webhooks/stripe",
]);

/** An answer with its body read. */
interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

async function answered(
  every: EveryRoute,
  operation: Operation,
  headers: Record<string, string>,
  method = operation.method,
): Promise<Answered> {
  const answer = await every.ask(operation, {
    method,
    headers: { accept: "text/html", ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

async function rowsOf({ running }: EveryRoute): Promise<string> {
  return await new Response(dump(running.service.core.kv)).text();
}

Deno.test("no route changes anything for another site by a person's cookie", async () => {
  await using every = await openEveryRoute();
  const before = await rowsOf(every);
  const { cookie } = every;
  const changes = every.operations.filter(({ method }) => method !== "GET");
  assert(changes.length > 60);
  for (const operation of changes) {
    const { name } = operation;
    const headersOf: Record<string, string>[] = [{ origin: EVIL }, {}];
    for (const headers of headersOf) {
      const asked = await answered(every, operation, { ...headers, cookie });
      if (OPEN.has(name)) {
        const without = await answered(every, operation, headers);
        assertEquals(asked.status, without.status, name);
      } else {
        assert([401, 403].includes(asked.status), `${name}: ${asked.status}`);
      }
    }
  }
  assertEquals(await rowsOf(every), before);
});

Deno.test("no GET changes anything but the count of clicks, whoever is led to it", async () => {
  await using every = await openEveryRoute();
  const before = await rowsOf(every);
  const { cookie } = every;
  for (const operation of every.operations) {
    if (operation.method !== "GET" || operation.path === "/go/:day") continue;
    const { status } = await answered(every, operation, { cookie });
    assert(status < 500, `${operation.name}: ${status}`);
  }
  assertEquals(await rowsOf(every), before);
});

Deno.test("what scripts of other sites may read is the same with a cookie and without", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  let open = 0;
  for (const operation of every.operations) {
    const { name } = operation;
    const origin = { origin: EVIL };
    const asked = await answered(every, operation, { ...origin, cookie });
    const question = await answered(every, operation, {
      ...origin,
      cookie,
      "access-control-request-method": operation.method,
    }, "OPTIONS");
    for (const { headers } of [asked, question]) {
      const allowed = headers.get("access-control-allow-origin");
      assert(allowed === null || allowed === "*", name);
      assertEquals(headers.get("access-control-allow-credentials"), null, name);
    }
    if (asked.headers.get("access-control-allow-origin") === null) continue;
    open += 1;
    const [without, again] = [
      await answered(every, operation, origin),
      await answered(every, operation, origin),
    ];
    assertEquals(asked.status, without.status, name);
    // Some answers, such as challenges, are of one request each.
    if (without.text === again.text) {
      assertEquals(asked.text, without.text, name);
    }
  }
  assert(open > 30);
});

Deno.test("what a cookie shows is kept by no cache between", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  let personal = 0;
  for (const operation of every.operations) {
    if (operation.method !== "GET") continue;
    const asked = await answered(every, operation, { cookie });
    const without = await answered(every, operation, {});
    if (asked.text === without.text && asked.status === without.status) {
      continue;
    }
    personal += 1;
    const kept = asked.headers.get("cache-control") ?? "";
    assertMatch(kept, /^(no-store|private, no-cache)$/, operation.name);
  }
  assert(personal > 20);
});

Deno.test("every page forbids frames, guesses at its type and scripts of others", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  let pages = 0;
  for (const operation of every.operations) {
    for (const headers of [{ cookie }, { cookie: "" }]) {
      const asked = await answered(every, operation, headers);
      const header = (name: string) => asked.headers.get(name) ?? "";
      if (!header("content-type").startsWith("text/html")) continue;
      pages += 1;
      const policy = header("content-security-policy").split("; ");
      for (
        const rule of [
          "default-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]
      ) {
        assert(policy.includes(rule), `${operation.name}: ${policy}`);
      }
      assert(!/unsafe|\*|data:|script-src (?!'self')/.test(policy.join("; ")));
      assertEquals(header("x-content-type-options"), "nosniff");
      assertMatch(header("referrer-policy"), /^(no-referrer|.*origin.*)$/);
    }
  }
  assert(pages > 80);
});
