/**
 * What the documentation server answers to every kind of request, row by row of
 * the table that servers with two revisions keep to. All over HTTP.
 */
import { assertEquals } from "@std/assert";
import {
  initialize,
  legacy,
  META,
  MODERN,
  modern,
  modernHeaders,
  type Params,
  sendTo,
} from "../../support/mcp_calls.ts";
import { openDocsSite } from "../../support/mcp_site.ts";
import { rawRequest, rawStatus, sendRaw } from "../../support/raw_http.ts";

const SEARCH = { name: "search_docs", arguments: { query: "bids" } };

/** What a row is answered: the status, and an error's code. */
type Row = [number, number | undefined];

/** Asks, and compares status and code. */
async function row(
  expected: Row,
  ask: (url: string) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  await using site = await openDocsSite();
  const { status, body } = await ask(site.url);
  const { error } = (body ?? {}) as { error?: { code?: number } };
  assertEquals([status, error?.code], expected);
  assertEquals(site.log.lines, []);
}

/** A modern request whose `_meta` is another. */
function withMeta(url: string, meta: Params, version = MODERN) {
  return modern(url, "tools/list", { _meta: meta }, {
    "mcp-protocol-version": version,
  });
}

for (
  const version of [
    "2025-06-18",
    "2024-11-05",
    "2025-11-25",
    "2026-07-28",
    "1999-01-01",
  ]
) {
  Deno.test(`initialize for ${version} is answered with 2025-06-18`, async () => {
    await using site = await openDocsSite();
    const { status, body } = await initialize(site.url, version);
    assertEquals([status, body.result.protocolVersion], [200, "2025-06-18"]);
    assertEquals(body.result.serverInfo.version, "1.0.0");
  });
}

Deno.test("a list without a version and without _meta is taken as of 2025", () =>
  row([200, undefined], (url) => legacy(url, "tools/list")));

for (const version of ["1999-01-01", "2024-11-05", "2025-11-25"]) {
  Deno.test(`the header ${version} without _meta is 400 -32000`, () =>
    row(
      [400, -32000],
      (url) =>
        legacy(url, "tools/list", {}, { "mcp-protocol-version": version }),
    ));
}

Deno.test("the header 2025-06-18 without _meta is 200", () =>
  row(
    [200, undefined],
    (url) =>
      legacy(url, "tools/list", {}, { "mcp-protocol-version": "2025-06-18" }),
  ));

const HEADER_ROWS: Record<string, Record<string, string | null>> = {
  "without the version header": { "mcp-protocol-version": null },
  "without Mcp-Method": { "mcp-method": null },
  "with another Mcp-Method": { "mcp-method": "tools/list" },
  "without Mcp-Name": { "mcp-name": null },
  "with another Mcp-Name": { "mcp-name": "read_docs_page" },
};
for (const [what, changes] of Object.entries(HEADER_ROWS)) {
  Deno.test(`a modern call ${what} is 400 -32020`, () =>
    row([400, -32020], (url) => modern(url, "tools/call", SEARCH, changes)));
}

Deno.test("Mcp-Name may be base64", () =>
  row([200, undefined], (url) =>
    modern(url, "tools/call", SEARCH, {
      "mcp-name": `=?base64?${btoa("search_docs")}?=`,
    })));

Deno.test("the modern version header without _meta is 400 -32602", () =>
  row(
    [400, -32602],
    (url) => legacy(url, "tools/list", {}, modernHeaders("tools/list", {})),
  ));

Deno.test("_meta without the client's capabilities is 400 -32602", () =>
  row([400, -32602], (url) => {
    const key = "io.modelcontextprotocol/protocolVersion";
    return withMeta(url, { [key]: MODERN });
  }));

Deno.test("an unknown modern version is 400 -32022 and names the one there is", async () => {
  await using site = await openDocsSite();
  const version = "2027-01-01";
  const meta = { ...META, "io.modelcontextprotocol/protocolVersion": version };
  const { status, body } = await withMeta(site.url, meta, version);
  assertEquals([status, body.error.code], [400, -32022]);
  assertEquals(body.error.data, { supported: [MODERN], requested: version });
});

for (const method of ["nonsense", "ping", "initialize", "prompts/list"]) {
  Deno.test(`modern ${method} is 404 -32601`, () =>
    row([404, -32601], (url) => modern(url, method)));
}

Deno.test("a server without templates answers an empty list of them", async () => {
  await using site = await openDocsSite();
  const { body } = await modern(site.url, "resources/templates/list");
  assertEquals(body.result.resourceTemplates, []);
});

Deno.test("a modern batch is 400 -32600", () =>
  row([400, -32600], (url) => {
    const params = { _meta: META };
    const one = { jsonrpc: "2.0", id: 1, method: "tools/list", params };
    const headers = modernHeaders("tools/list", {});
    return sendTo(url, JSON.stringify([one]), headers);
  }));

Deno.test("a batch of one of 2025 is answered", () =>
  row(
    [200, undefined],
    (url) => sendTo(url, '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'),
  ));

Deno.test("a batch of two of 2025 is 400 -32600, since it would cost as little as one", () =>
  row([400, -32600], (url) => {
    const one = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    return sendTo(url, `[${one},${one}]`);
  }));

Deno.test("the id null is 400 -32600", () =>
  row([400, -32600], (url) => {
    const body = {
      jsonrpc: "2.0",
      id: null,
      method: "tools/list",
      params: { _meta: META },
    };
    return sendTo(url, JSON.stringify(body), modernHeaders("tools/list", {}));
  }));

Deno.test("a notification is 202 with nothing in it", async () => {
  await using site = await openDocsSite();
  const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const { status, text } = await sendTo(site.url, body);
  assertEquals([status, text], [202, ""]);
});

Deno.test("Accept application/json is 406 in a revision of 2025", () =>
  row(
    [406, -32000],
    (url) => legacy(url, "tools/list", {}, { accept: "application/json" }),
  ));

for (const accept of ["application/json", "*/*"]) {
  Deno.test(`Accept ${accept} is 200 in the modern revision`, () =>
    row([200, undefined], (url) => modern(url, "tools/list", {}, { accept })));
}

Deno.test("a list without Accept is answered in a revision of 2025", async () => {
  await using site = await openDocsSite();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const headers = [
    `Host: localhost:${site.port}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const request = rawRequest("/mcp", headers, "POST") + body;
  assertEquals(rawStatus(await sendRaw(site.port, request)), 200);
});

Deno.test("text/plain is 415", () =>
  row(
    [415, -32000],
    (url) => sendTo(url, "{}", { "content-type": "text/plain" }),
  ));

const UNREADABLE = ["", "{", "nonsense", '{"jsonrpc":"2.0"}}'];
for (const body of UNREADABLE) {
  Deno.test(`the body ${JSON.stringify(body)} is 400 -32700`, () =>
    row([400, -32700], (url) => sendTo(url, body)));
}

for (const body of ["null", "1", '"text"', "true", "{}", "[]"]) {
  Deno.test(`the body ${body} is refused with 400`, async () => {
    await using site = await openDocsSite();
    const { status, body: answered } = await sendTo(site.url, body);
    assertEquals([status, typeof answered.error.code], [400, "number"]);
  });
}

Deno.test("a body of 32 KiB is read, one of a byte more is 413", async () => {
  await using site = await openDocsSite();
  const params = { ...SEARCH, _meta: META };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const text = JSON.stringify(call);
  const headers = modernHeaders("tools/call", SEARCH);
  const full = text + " ".repeat(32_768 - text.length);
  assertEquals((await sendTo(site.url, full, headers)).status, 200);
  const over = await sendTo(site.url, `${full} `, headers);
  assertEquals([over.status, over.body.error.code], [413, -32000]);
});

for (
  const origin of [
    "https://elsewhere.example",
    "https://localhost",
    "http://localhost:9",
    "null",
  ]
) {
  Deno.test(`Origin ${origin}, of another scheme, host or port, is 403`, () =>
    row([403, -32000], (url) => modern(url, "tools/list", {}, { origin })));
}

Deno.test("the Origin of our own pages may ask", () =>
  row(
    [200, undefined],
    (url) => modern(url, "tools/list", {}, { origin: "http://localhost" }),
  ));

Deno.test("a foreign Host is 403", async () => {
  await using site = await openDocsSite();
  const answer = await sendRaw(
    site.port,
    rawRequest("/mcp", [
      "Host: evil.example",
      "Content-Type: application/json",
      "Content-Length: 2",
    ], "POST") + "{}",
  );
  assertEquals(rawStatus(answer), 403);
});

for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
  Deno.test(`${method} is 405 with Allow: POST`, async () => {
    await using site = await openDocsSite();
    const answer = await sendTo(site.url, null, {}, method);
    assertEquals([answer.status, answer.body.error.code], [405, -32000]);
    assertEquals(answer.headers.get("allow"), "POST");
  });
}

Deno.test("a subscription to nothing is acknowledged and ends", async () => {
  await using site = await openDocsSite();
  const answer = await modern(site.url, "subscriptions/listen", {
    notifications: {},
  });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  assertEquals(answer.text.includes("subscriptions/acknowledged"), true);
});

Deno.test("an unknown tool is -32602 in an answer that arrives", () =>
  row(
    [200, -32602],
    (url) => modern(url, "tools/call", { name: "nope", arguments: {} }),
  ));
