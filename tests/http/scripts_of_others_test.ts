/**
 * Who may read what in a browser: scripts of any page where no cookie counts,
 * nobody's elsewhere. Held against every operation there is.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { HostKind } from "../../routes/hosts.ts";
import {
  answered,
  openEveryRoute,
  type Operation,
} from "../support/every_route.ts";

const EVIL = "https://evil.example";

/** Where scripts of any page may ask: what the word of a cookie means nothing to. */
const OPEN_PREFIXES: Readonly<Record<HostKind, readonly string[]>> = {
  site: ["/api/v1", "/ask", "/mcp", "/checkout_sessions", "/.well-known"],
  auth: [
    "/v1/agent",
    "/mcp",
    "/oauth/token",
    "/oauth/register",
    "/.well-known",
  ],
  docs_mcp: ["/mcp"],
};

function isOpen({ host, path }: Operation): boolean {
  return OPEN_PREFIXES[host].some((prefix) =>
    path === prefix || path.startsWith(`${prefix}/`)
  );
}

/** Documents that stand among the pages, for scripts of any page too. */
const DOCUMENTS = [
  "/openapi.json",
  "/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
  "/developers.md",
  "/developers",
];

Deno.test("a script of any page may ask for every operation of the APIs, and reads whatever is answered", async () => {
  await using every = await openEveryRoute();
  let open = 0;
  for (const operation of every.operations.filter(isOpen)) {
    open += 1;
    const { name, method } = operation;
    const question = await answered(every, operation, {
      origin: EVIL,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization, if-none-match",
    }, "OPTIONS");
    assertEquals([question.status, question.text], [204, ""], name);
    const said = (header: string) =>
      (question.headers.get(`access-control-${header}`) ?? "").split(", ");
    assertEquals(said("allow-origin"), ["*"], name);
    assert(said("allow-methods").includes(method), name);
    for (
      const header of [
        "Authorization",
        "API-Version",
        "Content-Type",
        "Idempotency-Key",
        "If-None-Match",
        "*",
      ]
    ) assert(said("allow-headers").includes(header), `${name}: ${header}`);
    // Without a token, without a body, as another method: always readable.
    for (const sent of [method, "DELETE", "PUT"]) {
      const { headers } = await answered(
        every,
        operation,
        { origin: EVIL },
        sent,
      );
      assertEquals(headers.get("access-control-allow-origin"), "*", name);
      const exposed = headers.get("access-control-expose-headers") ?? "";
      for (const header of ["Retry-After", "WWW-Authenticate", "ETag"]) {
        assert(exposed.split(", ").includes(header), `${name}: ${header}`);
      }
    }
  }
  assert(open > 60, String(open));
});

Deno.test("documents take a preflight that asks for If-None-Match", async () => {
  await using every = await openEveryRoute();
  const documents = every.operations.filter(({ host, path }) =>
    host === "site" && DOCUMENTS.includes(path)
  );
  assertEquals(documents.length, DOCUMENTS.length);
  for (const document of documents) {
    const { status, headers } = await answered(every, document, {
      origin: EVIL,
      "access-control-request-method": "GET",
      "access-control-request-headers": "if-none-match",
    }, "OPTIONS");
    assertEquals(status, 204, document.name);
    assertEquals(headers.get("access-control-allow-methods"), "GET, HEAD");
  }
});

Deno.test("a question whether a script may ask needs no token and costs none", async () => {
  await using every = await openEveryRoute();
  const from = { "x-forwarded-for": "198.51.100.7" };
  const find = (name: string) => {
    const found = every.operations.find((each) => each.name === name);
    assert(found, name);
    return found;
  };
  const me = find("GET /v1/agent/me");
  for (let count = 0; count < 130; count++) {
    const question = { ...from, "access-control-request-method": "GET" };
    const { status } = await answered(every, me, question, "OPTIONS");
    assertEquals(status, 204);
  }
  const { headers } = await answered(every, find("GET /api/v1/sandbox"), from);
  assertEquals(headers.get("ratelimit"), '"agent";r=119');
});

Deno.test("no page and no route with a person's cookie is open to scripts of other sites", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  for (const operation of every.operations) {
    const { name } = operation;
    const { headers } = await answered(every, operation, {
      origin: EVIL,
      cookie,
    });
    const isPage = (headers.get("content-type") ?? "").startsWith("text/html");
    const setsCookie = headers.has("set-cookie");
    if (!isPage && !setsCookie) continue;
    assertEquals(headers.get("access-control-allow-origin"), null, name);
  }
});
