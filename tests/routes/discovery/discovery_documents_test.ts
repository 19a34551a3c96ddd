/**
 * The documents that tell of the service, over the whole service: whatever they
 * name is there.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openKv } from "../../../kv/open.ts";
import { createStore } from "../../../kv/store.ts";
import { toolServers } from "../../../routes/discovery/catalog.ts";
import { removed, settle, spotlight } from "../../support/public_spotlights.ts";
import {
  type RunningService,
  runService,
} from "../../support/running_service.ts";

const COPY = "Zanzibar copy that no document repeats";

/** A service with three settled days, one of them removed. */
async function runPublished(): Promise<RunningService> {
  const kv = await openKv(":memory:");
  const store = createStore({ kv, clock: { now: () => Date.now() } });
  await settle(
    store,
    spotlight("2025-12-31", { headline: COPY, advertiser: COPY }),
    spotlight("2026-01-01", { headline: COPY, description: COPY }),
    removed(spotlight("2026-01-02", { headline: COPY })),
  );
  return await runService({ kv });
}

/** The documents on `{base_url}`, with their media types. */
const DOCUMENTS: readonly [path: string, type: string][] = [
  ["/openapi.json", "application/openapi+json"],
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/llms-full.txt", "text/plain; charset=utf-8"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/schema_map.xml", "application/xml; charset=utf-8"],
  [
    "/.well-known/api-catalog",
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
  ["/.well-known/security.txt", "text/plain; charset=utf-8"],
  ["/mcp/server-card", "application/mcp-server-card+json"],
  ["/.well-known/mcp/server-card.json", "application/mcp-server-card+json"],
  ["/.well-known/mcp.json", "application/mcp-server-card+json"],
];

Deno.test("documents about the service cost nothing, are open to scripts and tagged", async () => {
  await using running = await runPublished();
  const { baseUrl } = running.config.settings;
  for (const [path, type] of DOCUMENTS) {
    const answer = await fetch(baseUrl + path);
    const text = await answer.text();
    assertEquals(answer.status, 200, path);
    assertEquals(answer.headers.get("content-type"), type, path);
    assertEquals(answer.headers.get("access-control-allow-origin"), "*", path);
    assertEquals(answer.headers.get("ratelimit"), null, path);
    assert(text.endsWith("\n"), path);
    if (/json/.test(type)) JSON.parse(text);
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(baseUrl + path, {
      headers: { "if-none-match": etag },
    });
    assertEquals(again.status, 304, path);
    const head = await fetch(baseUrl + path, { method: "HEAD" });
    assertEquals(head.status, 200, path);
    assertEquals(head.headers.get("etag"), etag, path);
  }
});

/** Addresses of ours in a text that a reader may open. */
function addressesIn(text: string, hosts: readonly string[]): string[] {
  // What stands between backticks is called with a method and a body.
  const links = text.replaceAll(/`[^`]*`/g, "");
  return hosts.flatMap((host) =>
    links.match(new RegExp(`${host}(?![0-9])[^\\s<>()"',;\`]*`, "g")) ?? []
  ).map((address) => address.replace(/[.:]$/, ""));
}

/** Where programs begin or send things, which a plain GET is no part of. */
function isForPrograms(address: string, at: { authUrl: string }): boolean {
  const { pathname } = new URL(address);
  return address.startsWith(`${at.authUrl}/oauth/`) ||
    /^\/(api\/v1|ask|checkout_sessions|mcp|v1\/agent)\/?$/.test(pathname) ||
    pathname === "/" && address.startsWith(at.authUrl);
}

Deno.test("every address that a document about the service names is there", async () => {
  await using running = await runPublished();
  const { settings } = running.config;
  const { baseUrl, authUrl, docsMcpUrl } = settings;
  const hosts = [baseUrl, authUrl, new URL(docsMcpUrl).origin];
  const named = new Set<string>();
  const sources = [
    ...DOCUMENTS.filter(([path]) => path !== "/llms-full.txt")
      .map(([path]) => baseUrl + path),
    `${authUrl}/mcp/server-card`,
    `${authUrl}/.well-known/mcp.json`,
    `${authUrl}/.well-known/mcp/server-card.json`,
    `${authUrl}/.well-known/security.txt`,
    `${docsMcpUrl}/server-card`,
  ];
  for (const source of sources) {
    const text = await (await fetch(source)).text();
    const found = addressesIn(withoutExamples(text), hosts);
    assert(found.length > 0, `${source} names nothing`);
    for (const address of found) named.add(address);
  }
  for (const [, path] of (await linksOf(baseUrl)).matchAll(/<([^>]*)>/g)) {
    named.add(baseUrl + path);
  }
  let opened = 0;
  for (const address of named) {
    if (isForPrograms(address, settings)) continue;
    const answer = await fetch(address);
    await answer.body?.cancel();
    // Without a run of the jobs the service is healthy but not ready.
    assertEquals(answer.status, 200, address);
    opened += 1;
  }
  assert(opened > 20, `${opened} of ${named.size} addresses were opened`);
});

/** The days and invoices of examples are made up. */
function withoutExamples(text: string): string {
  if (!text.startsWith("{")) return text;
  const made = (name: string) => name === "examples" || name === "example";
  return JSON.stringify(
    JSON.parse(text, (name, value) => made(name) ? undefined : value),
  );
}

async function linksOf(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/`);
  await answer.body?.cancel();
  return answer.headers.get("link") ?? "";
}

Deno.test("/ links to the description, the documentation and the catalogs", async () => {
  await using running = await runPublished();
  assertEquals(
    await linksOf(running.config.settings.baseUrl),
    '</openapi.json>; rel="service-desc"; type="application/openapi+json", ' +
      '</developers>; rel="service-doc"; type="text/html", ' +
      '</.well-known/api-catalog>; rel="api-catalog", ' +
      '</llms.txt>; rel="describedby"; type="text/plain"',
  );
  const { baseUrl } = running.config.settings;
  const head = await fetch(`${baseUrl}/.well-known/api-catalog`, {
    method: "HEAD",
  });
  assertEquals(
    head.headers.get("link"),
    '</.well-known/api-catalog>; rel="api-catalog"',
  );
});

Deno.test("tool servers are where their cards say, and speak what those say", async () => {
  await using running = await runPublished();
  const { settings } = running.config;
  for (const server of toolServers(settings)) {
    const card = await (await fetch(`${server.url}/server-card`)).json();
    assertEquals(card.remotes[0].url, server.url);
    assertEquals(card.version, "1.0.0");
    const [servers] = Object.values<{ url: string }[]>(card._meta);
    assertEquals(
      servers?.map(({ url }) => url),
      toolServers(settings).map(({ url }) => url),
    );
    assert(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(card.name), card.name);
    assert(card.description.length <= 100, card.description);
    for (const version of card.remotes[0].supportedProtocolVersions) {
      const answer = await fetch(server.url, askFor(version));
      const text = await answer.text();
      if (server.name === "advertiser") assertEquals(answer.status, 401);
      else {
        assertEquals(answer.status, 200, `${server.url} ${version}: ${text}`);
        assertStringIncludes(text, version);
      }
    }
  }
});

/** What a client sends first: it depends on the version that it speaks. */
function askFor(version: string): RequestInit {
  const isModern = version >= "2026";
  const method = isModern ? "server/discover" : "initialize";
  const params = isModern
    ? {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    }
    : {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...isModern &&
        { "mcp-protocol-version": version, "mcp-method": method },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

Deno.test("llms.txt has a title, a summary and sections of links, and no advertising", async () => {
  await using running = await runPublished();
  const { baseUrl, authUrl } = running.config.settings;
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const lines = text.split("\n");
  assertEquals(lines[0], "# Spotlight");
  assert(lines[2]?.startsWith("> "));
  assertEquals(lines.filter((line) => line.startsWith("## ")), [
    "## Recipes",
    "## Clients",
    "## In development",
    "## Documentation",
    "## HTTP interfaces",
    "## MCP servers",
    "## Optional",
  ]);
  assertStringIncludes(text, `[Developers](${baseUrl}/developers.md)`);
  assertStringIncludes(text, `\`${authUrl}/mcp\``);
  const full = await (await fetch(`${baseUrl}/llms-full.txt`)).text();
  assert(full.startsWith(text));
  for (const path of ["/developers.md", "/auth.md", "/privacy.md"]) {
    const page = await (await fetch(baseUrl + path)).text();
    assertStringIncludes(full, page.trim());
  }
});

Deno.test("the recipes of llms.txt begin with a rehearsal and lead to sections that there are", async () => {
  await using running = await runPublished();
  const { baseUrl } = running.config.settings;
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const [, recipes = ""] = /## Recipes\n\n([^]*?)\n\n/.exec(text) ?? [];
  const links = [...recipes.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)]
    .map(([, title, url = ""]) => [title, new URL(url)] as const);
  assertEquals(links.map(([title]) => title), [
    "Rehearse a bid",
    "Bid for your owner",
    "Buy the figures of a day",
  ]);
  for (const [title, { pathname, hash }] of links) {
    assert(pathname.startsWith("/developers/"), title);
    const answer = await fetch(baseUrl + pathname, {
      headers: { accept: "text/html" },
    });
    assertEquals(answer.status, 200, title);
    assertStringIncludes(await answer.text(), `id="${hash.slice(1)}`, title);
  }
});

Deno.test("what the recipes of llms.txt name can be sent as it stands, in earnest and in a rehearsal", async () => {
  await using running = await runPublished();
  const { baseUrl, authUrl } = running.config.settings;
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const [rehearsal = "", bid = "", figures = ""] = text
    .slice(text.indexOf("## Recipes")).split("\n- [").slice(1);
  // No parameter without a value: an empty one is refused.
  assert(!/=(&|`)/.test(rehearsal + bid + figures));
  assertStringIncludes(bid, `${authUrl}/v1/agent/events?wait=25\``);
  assertStringIncludes(rehearsal, `tool server \`${baseUrl}/mcp\``);
  const [, day] = /day (\S+) and/.exec(rehearsal) ?? [];
  const [, adId] = /ad_id `(.+?)`/.exec(rehearsal) ?? [];
  const here = `${baseUrl}/api/v1/sandbox/rehearsals/llms-recipe`;
  const asked = `day=${day}&ad_id=${adId}&amount_cents=2500`;
  const read = await fetch(`${here}/v1/agent/me?${asked}`);
  assertEquals((await read.json()).first_bid.status, "ready");
  const [, settle = ""] = /POST `(.+?)`/.exec(rehearsal) ?? [];
  const settled = await fetch(here + settle, {
    method: "POST",
    headers: { "idempotency-key": "k1" },
  });
  assertEquals((await settled.json()).sandbox, true);
  assertEquals(settled.status, 200);
  assertStringIncludes(figures, "four days before today");
  // Whoever asks for what the first recipe names can do what the others say.
  assertStringIncludes(bid, "reports:read");
  assertStringIncludes(bid, "invoices:read");
  assertStringIncludes(figures, "with reports:read");
  // One consent does for both where it names both.
  assertStringIncludes(
    bid,
    `name \`resource\` twice, \`${authUrl}\` and \`${baseUrl}\``,
  );
  assertStringIncludes(figures, `a token for \`${baseUrl}\``);
});

Deno.test("no document about the service repeats what advertisers wrote", async () => {
  await using running = await runPublished();
  const { baseUrl } = running.config.settings;
  for (const [path] of DOCUMENTS) {
    const text = await (await fetch(baseUrl + path)).text();
    assert(!text.includes("Zanzibar"), path);
  }
});

Deno.test("the sitemap has a page a public day, the feeds a Spotlight a day", async () => {
  await using running = await runPublished();
  const { baseUrl } = running.config.settings;
  const sitemap = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  const days = [...sitemap.matchAll(
    /<loc>[^<]*\/spotlights\/([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod>/g,
  )].map(([, day, changed]) => [day, changed]);
  assertEquals(days, [
    ["2026-01-01", "2026-01-01"],
    ["2025-12-31", "2025-12-31"],
  ]);
  const map = await (await fetch(`${baseUrl}/schema_map.xml`)).text();
  assertEquals(
    [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url),
    ["2026", "2025"].map((year) => `${baseUrl}/feeds/spotlights/${year}`),
  );
  const feed = await fetch(`${baseUrl}/feeds/spotlights/2026`);
  assertEquals(feed.headers.get("content-type"), "application/ld+json");
  const { itemListElement: items } = await feed.json();
  assertEquals(items.length, 1);
  assertEquals(items[0].item.url, `${baseUrl}/spotlights/2026-01-01`);
  for (const year of ["2024", "20260", "x", "__proto__"]) {
    const none = await fetch(`${baseUrl}/feeds/spotlights/${year}`);
    assertEquals(none.status, 404, year);
    await none.body?.cancel();
  }
});

Deno.test("security.txt expires later, but within a year", async () => {
  await using running = await runPublished();
  const { baseUrl, authUrl, seller } = running.config.settings;
  for (const host of [baseUrl, authUrl]) {
    const url = `${host}/.well-known/security.txt`;
    const text = await (await fetch(url)).text();
    assertStringIncludes(text, `Contact: mailto:${seller.email}\n`);
    assertStringIncludes(text, `Canonical: ${url}\n`);
    const expires = /^Expires: (.*)$/m.exec(text)?.[1] ?? "";
    const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
    assert(daysLeft > 90 && daysLeft < 365, expires);
  }
});
