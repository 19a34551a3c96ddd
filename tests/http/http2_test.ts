/**
 * Clients and proxies that speak HTTP/2 without TLS, as from Cloud Run, Envoy
 * or Caddy's `h2c://`.
 *
 * @module
 */
import { connect } from "node:http2";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  ANSWER_COST,
  NETWORK_UNSENT_MAX,
} from "../../routes/middleware/unsent_answers.ts";
import {
  findOwnExport,
  requestExport,
} from "../../domain/privacy/request_export.ts";
import { openEveryRoute } from "../support/every_route.ts";
import { saveSession } from "../support/sessions.ts";
import { Http2Client } from "../support/http2_client.ts";
import { META, modernHeaders } from "../support/mcp_calls.ts";
import { runService } from "../support/running_service.ts";
import { until } from "../support/until.ts";
import { untilIndexed } from "../support/until_indexed.ts";

/** A running service, and a connection to one listener of it. */
async function open(host: "baseUrl" | "authUrl" | "docsMcpUrl" = "baseUrl") {
  const running = await runService();
  const { settings } = running.config;
  const { port } = new URL(settings[host]);
  const authority = (name: "baseUrl" | "authUrl" | "docsMcpUrl") =>
    new URL(settings[name]).host;
  return { running, settings, authority, client: new Http2Client(+port) };
}

Deno.test("HTTP/2: the authority picks the host", async () => {
  const { running, authority, client } = await open();
  await using _service = running;
  await using _client = client;
  const get = (name: "baseUrl" | "authUrl", path: string, more = {}) =>
    client.ask({ ":path": path, ":authority": authority(name), ...more });
  const read = await get("baseUrl", "/api/v1/sandbox");
  assertEquals(read.status, 200);
  assertEquals(JSON.parse(read.text).sandbox, true);
  // Any listener answers for every host.
  const metadata = "/.well-known/oauth-authorization-server-agent";
  assertEquals((await get("authUrl", metadata)).status, 200);
  assertEquals((await get("baseUrl", metadata)).status, 404);
  // A proxy that ended TLS says so.
  const secure = { ":scheme": "https" };
  assertEquals((await get("baseUrl", "/developers", secure)).status, 200);
  assertEquals((await get("baseUrl", "/healthz", secure)).status, 200);
  const head = { ":method": "HEAD" };
  assertEquals((await get("baseUrl", "/api/v1/sandbox", head)).text, "");
});

Deno.test("HTTP/2: the authority is compared in any case", async () => {
  const { running, authority, client } = await open();
  await using _service = running;
  await using _client = client;
  const upper = authority("baseUrl").toUpperCase();
  const { status } = await client.ask({
    ":path": "/api/v1/sandbox",
    ":authority": upper,
  });
  assertEquals(status, 200);
});

const HOSTILE: readonly string[] = [
  "evil.example",
  "127.0.0.1",
  "localhost",
  "localhost:99999",
  "user@localhost",
  "localhost.",
];
for (const authority of HOSTILE) {
  Deno.test(`HTTP/2: the authority ${JSON.stringify(authority)} is misdirected, never a fault`, async () => {
    const { running, client } = await open();
    await using _service = running;
    await using _client = client;
    for (const path of ["/api/v1/sandbox", "/", "/mcp"]) {
      const answer = await client.ask({
        ":path": path,
        ":authority": authority,
      });
      assertEquals(answer.status, 421);
      assertStringIncludes(answer.text, "misdirected-request");
    }
    const alive = await client.ask({
      ":path": "/healthz",
      ":authority": authority,
    });
    assertEquals(alive.status, 200);
    assertEquals(running.logged().includes('"event":"fault"'), false);
  });
}

Deno.test("HTTP/2: Host and authority that name two hosts are misdirected", async () => {
  const { running, authority, client } = await open();
  await using _service = running;
  await using _client = client;
  const statusOf = async (host: string, name: string) =>
    (await client.ask({
      ":path": "/api/v1/sandbox",
      ":authority": name,
      host,
    })).status;
  const [site, auth] = [authority("baseUrl"), authority("authUrl")];
  assertEquals(await statusOf(site, site), 200);
  assertEquals(await statusOf("evil.example", site), 421);
  assertEquals(await statusOf(site, "evil.example"), 421);
  assertEquals(await statusOf(auth, site), 421);
  assertEquals(await statusOf(site, auth), 421);
});

Deno.test("HTTP/2: all three tool servers answer", async () => {
  for (const name of ["baseUrl", "authUrl", "docsMcpUrl"] as const) {
    const { running, authority, client } = await open(name);
    await using _service = running;
    await using _client = client;
    await untilIndexed(running.service);
    const { status } = await client.ask(
      {
        ":method": "POST",
        ":path": "/mcp",
        ":authority": authority(name),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    );
    assertEquals(status, name === "authUrl" ? 401 : 200, name);
  }
});

/** Answers that begin, on a connection whose client takes no byte of a body. */
class Unread implements Disposable {
  readonly #session;

  constructor(port: number) {
    const settings = { initialWindowSize: 0 };
    this.#session = connect(`http://127.0.0.1:${port}`, { settings });
    this.#session.on("error", () => {});
  }

  /** The statuses of so many requests. */
  statuses(
    headers: Record<string, string>,
    count: number,
    body?: string,
  ): Promise<number[]> {
    const one = () =>
      new Promise<number>((resolve, reject) => {
        const stream = this.#session.request(headers);
        stream.on("error", reject);
        stream.on("response", (head) => resolve(Number(head[":status"])));
        stream.end(body);
      });
    return Promise.all(Array.from({ length: count }, one));
  }

  [Symbol.dispose]() {
    this.#session.destroy();
  }
}

const READ_PAGE = {
  name: "read_docs_page",
  arguments: { path: "/developers.md" },
  _meta: META,
};

for (const how of ["", " by the protocol's library"]) {
  Deno.test(`HTTP/2: answers made for one who reads nothing${how} are kept up to 4 MiB, until its connection ends`, async () => {
    const { running, authority, client, settings } = await open("docsMcpUrl");
    await using _service = running;
    await using _client = client;
    const named = how === "" ? modernHeaders("tools/call", READ_PAGE) : {};
    const { _meta, ...params } = READ_PAGE;
    const request = {
      ":method": "POST",
      ":path": "/mcp",
      ":authority": authority("docsMcpUrl"),
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...named as Record<string, string>,
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: how === "" ? READ_PAGE : params,
    });
    const read = await client.ask(request, body);
    assertEquals(read.status, 200);
    assertEquals(read.text.length > 64_000, true);
    // The answer is the same, so all share the bytes of the one that was read.
    const kept = Math.floor(NETWORK_UNSENT_MAX / ANSWER_COST);
    {
      using unread = new Unread(+new URL(settings.docsMcpUrl).port);
      const statuses = await unread.statuses(request, 90, body);
      assertEquals(statuses.filter((each) => each === 200).length, kept);
      assertEquals(statuses.filter((each) => each === 503).length, 90 - kept);
      const refused = await client.ask(request, body);
      assertEquals(refused.status, 503);
      assertEquals(refused.headers["retry-after"], "10");
      assertStringIncludes(refused.text, "too many long answers wait");
    }
    // The end of a connection takes some turns to be noticed. Asking for
    // health costs no token.
    const health = { ":path": "/healthz", ":authority": request[":authority"] };
    let status = 503;
    for (let nth = 0; status === 503 && nth < 40; nth++) {
      for (let turn = 0; turn < 20; turn++) await client.ask(health);
      status = (await client.ask(request, body)).status;
    }
    assertEquals(status, 200);
  });
}

Deno.test("HTTP/2: of a document that one reads nothing of the bytes are kept once, and so many answers", async () => {
  const { running, authority, settings } = await open();
  await using _service = running;
  using unread = new Unread(+new URL(settings.baseUrl).port);
  const request = {
    ":path": "/openapi.json",
    ":authority": authority("baseUrl"),
  };
  const statuses = await unread.statuses(request, 100);
  const kept = Math.floor(NETWORK_UNSENT_MAX / ANSWER_COST);
  assertEquals(statuses.filter((each) => each === 200).length, kept);
  assertEquals(statuses.filter((each) => each === 503).length, 100 - kept);
});

Deno.test("HTTP/2: a copy of one's data that is sent and not taken keeps no place of those that are read", async () => {
  const email = "reader@example.com";
  await using world = await openEveryRoute(email);
  const { services } = world.running.service.core;
  const known = await services.store.accountEmails.find(email);
  assert(known !== null);
  const { accountId } = known;
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  const { value: { id } } = await requestExport(services, asked);
  await until(async () => {
    const { readyAtMs } = await findOwnExport(services, { ...asked, id });
    return readyAtMs !== null;
  });
  const { host, port } = new URL(world.running.config.settings.baseUrl);
  const request = {
    ":path": `/settings/privacy/exports/${id}/document`,
    ":authority": host,
    cookie: world.cookie,
  };
  using unread = new Unread(+port);
  assertEquals(await unread.statuses(request, 1), [200]);
  await using client = new Http2Client(+port);
  const again = await client.ask(request);
  assertEquals(again.status, 200);
  assertStringIncludes(again.text, email);
});
