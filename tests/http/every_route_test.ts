/**
 * Rules that hold at every route of every host, those included that are written
 * tomorrow: a browser that is signed in can't be used by another site.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { networkCharges } from "../../domain/rate_limit/charge.ts";
import { networksOf } from "../../domain/rate_limit/network.ts";
import { dump } from "../../kv/dump.ts";
import { backupRows } from "../support/backup_rows.ts";
import {
  answered,
  type EveryRoute,
  openEveryRoute,
  type Operation,
  operationsOf,
} from "../support/every_route.ts";
import { rawRequest, rawStatus, sendRaw } from "../support/raw_http.ts";

const EVIL = "https://evil.example";

/** Changes that anybody may make, and that no cookie is read for. */
const OPEN: ReadonlySet<string> = new Set([
  "POST /api/v1/sandbox/jobs",
  "POST /api/v1/sandbox/rehearsals/:rehearsal/v1/agent/bids",
  "POST /api/v1/sandbox/rehearsals/:rehearsal/v1/agent/settle",
  "POST /ask",
  "POST /mcp",
  "POST /oauth/token",
  "POST /oauth/register",
  "POST /webhooks/stripe",
  // Who has the mail has the link, which says whose it is.
  "POST /unsubscribe/:token",
]);

async function rowsOf({ running }: EveryRoute): Promise<string[]> {
  return backupRows(
    await new Response(dump(running.service.core.kv, { keys: null })).text(),
  );
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

Deno.test("no character in a path is a fault, whoever reads there and wherever it leads", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  for (const odd of ["a%01b", "%7f", "%0d%0a", "%00", "%F0%9F%98%80"]) {
    // Where a form is sent, too, its page is found.
    const places = operationsOf(every.running, odd)
      .filter(({ url }) => url.includes(odd))
      .map((operation) => ({ ...operation, method: "GET" }));
    assert(places.length > 60);
    for (const place of places) {
      const { status } = await answered(every, place, { cookie });
      assert(status < 500, `${place.name} ${odd}: ${status}`);
    }
  }
});

/** Changes that cost nothing: the operator's, and what only a signature lets in. */
const FREE = /^POST \/(operator\/(?!v1\/)|webhooks\/)/;

Deno.test("no change goes through an empty bucket, whoever makes it", async () => {
  await using every = await openEveryRoute();
  const { service, config } = every.running;
  const address = "198.51.100.7";
  const { limiter } = service.core;
  const { store } = service.core.services;
  const owner = await store.accountEmails.find("operator@example.com");
  assert(owner);
  for (const id of [address, owner.accountId]) {
    for (const kind of ["address", "public", "own_bid", "exchange"] as const) {
      while ((await limiter.take(kind, id)).admitted);
    }
  }
  const registrations = networkCharges("registration", networksOf(address));
  while ((await limiter.takeAll(registrations, address)).admitted);
  const { baseUrl: origin } = config.settings;
  /** Of another type, what `/oauth` is sent is refused and not counted. */
  const types: Record<string, string> = {
    "/oauth/register": "application/json",
    "/oauth/token": "application/x-www-form-urlencoded",
  };
  for (const operation of every.operations) {
    const { method, name } = operation;
    if (method === "GET" || FREE.test(name)) continue;
    // Without a key or a token nothing begins that would have to be counted.
    const isKeyed = /^\/(operator\/v1|v1\/agent|checkout_sessions)\b/
      .test(operation.path);
    const { status } = await answered(every, operation, {
      origin,
      cookie: every.cookie,
      "x-forwarded-for": address,
      "content-type": types[operation.path] ?? "",
    });
    const wanted = isKeyed ? [401, 429] : [429];
    assert(wanted.includes(status), `${name}: ${status}`);
  }
});

Deno.test("every route behind a session is counted by account, also where it is only shown", async () => {
  await using every = await openEveryRoute();
  const { limiter, services } = every.running.service.core;
  const owner = await services.store.accountEmails.find("operator@example.com");
  assert(owner);
  const shown: Operation[] = [];
  for (const operation of every.operations) {
    if (operation.method !== "GET") continue;
    const { headers } = await answered(every, operation, {});
    const next = headers.get("location") ?? "";
    if (/^\/sign-in\b/.test(next)) shown.push(operation);
  }
  const names = shown.map(({ path }) => path);
  for (
    const path of ["/account", "/bids", "/connect/:request", "/operator/review"]
  ) {
    assert(names.includes(path), `${path} is none of ${names}`);
  }
  for (const kind of ["own_list", "page"] as const) {
    while ((await limiter.take(kind, owner.accountId)).admitted);
  }
  const free: string[] = [];
  for (const operation of shown) {
    const { cookie } = every;
    const { status } = await answered(every, operation, { cookie });
    if (status !== 429) free.push(`${operation.name}: ${status}`);
  }
  assertEquals(free, []);
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
  // What months that are over closed with is kept so that it is summed up once.
  const after = (await rowsOf(every)).filter((row) =>
    !row.startsWith('[["month_balances"')
  );
  assertEquals(after, before);
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

Deno.test("nothing of the operator's is there for an advertiser, at every route", async () => {
  await using every = await openEveryRoute("ada@example.com");
  const { cookie } = every;
  const { baseUrl: origin } = every.running.config.settings;
  const before = await rowsOf(every);
  const desk = every.operations.filter(({ host, path }) =>
    // The API host sends everybody on to the site.
    host === "site" && path.startsWith("/operator/")
  );
  assert(desk.length > 30);
  for (const operation of desk) {
    const { status } = await answered(every, operation, { cookie, origin });
    const wanted = operation.path.startsWith("/operator/v1/") ? 401 : 404;
    assertEquals(status, wanted, operation.name);
  }
  assertEquals(await rowsOf(every), before);
});

/** What proxies and frameworks take for another host, path or method. */
const REWRITES: Readonly<Record<string, string>> = {
  forwarded: "for=127.0.0.1;host=evil.example;proto=http",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
  "x-forwarded-prefix": "/evil",
  "x-original-url": "/operator/money",
  "x-rewrite-url": "/operator/money",
  "x-http-method-override": "DELETE",
  "x-real-ip": "127.0.0.1",
};

Deno.test("headers that name another host, path or method change no answer", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  for (const operation of every.operations) {
    const plain = await answered(every, operation, { cookie });
    const asked = await answered(every, operation, { cookie, ...REWRITES });
    assertEquals(asked.status, plain.status, operation.name);
    assert(!asked.text.includes("evil"), operation.name);
    const headers = JSON.stringify([...asked.headers]);
    assert(!headers.includes("evil"), operation.name);
  }
});

/** Ways to write a path that some servers take for the same. */
function spellingsOf(path: string): string[] {
  const first = path.charCodeAt(1).toString(16);
  return [
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/%2e${path}`,
    `/x/%2e%2e${path}`,
    `/%2f${path.slice(1)}`,
    `/%${first}${path.slice(2)}`,
    `/%25${first}${path.slice(2)}`,
    path.toUpperCase(),
    path.replaceAll("/", "\\"),
    path.replaceAll("/", "%2f"),
    `${path}/`,
    `${path}/.`,
    `${path}//`,
    `${path};x=1`,
    `${path}.json`,
    `${path}%00`,
    `${path}%20`,
    `${path}%0d%0a`,
    `${path}?x=/healthz`,
    `/healthz/..${path}`,
    `/.well-known/..%2f${path.slice(1)}`,
  ];
}

Deno.test("no spelling of a guarded path is answered to a stranger", async () => {
  await using every = await openEveryRoute();
  const guarded = [];
  for (const operation of every.operations) {
    if (operation.method !== "GET") continue;
    const { status, headers } = await answered(every, operation, {});
    const { origin } = new URL(operation.url);
    const leads = new URL(headers.get("location") ?? "/", origin).origin;
    // The API host sends everybody on to the site, guarded or not.
    if (leads !== origin) continue;
    if (status === 401 || status === 303) guarded.push(operation);
  }
  assert(guarded.length > 35);
  for (const [at, { url, name }] of guarded.entries()) {
    const { host, port, pathname } = new URL(url);
    for (const target of spellingsOf(pathname)) {
      const lines = [
        `Host: ${host}`,
        "Accept: text/html",
        `X-Forwarded-For: 203.0.113.${at}`,
      ];
      const answer = await sendRaw(Number(port), rawRequest(target, lines));
      const status = rawStatus(answer);
      // A slash too many leads to the path itself, which is guarded.
      const [, leads] = /^location: (.*)\r$/m.exec(answer) ?? [];
      const isItself = status === 308 && leads === pathname;
      assert(
        isItself || [303, 400, 401, 404].includes(status),
        `${name} ${target} ${status}`,
      );
    }
  }
});
