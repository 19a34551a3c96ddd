import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { health } from "../../../routes/health.ts";
import { eventLog } from "../../../routes/event_log.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { bodyWaits } from "../../../routes/http/body_waits.ts";
import { respondEmpty } from "../../../routes/http/respond.ts";
import {
  hostDispatch,
  requestIds,
} from "../../../routes/middleware/host_dispatch.ts";
import { UnsentAnswers } from "../../../routes/middleware/unsent_answers.ts";
import { requestLog } from "../../../routes/request_log.ts";
import {
  type HostApp,
  route,
  routeTable,
} from "../../../routes/route_table.ts";
import { ManualClock } from "../../support/clock.ts";
import { MemoryLines } from "../../support/captured_logs.ts";
import { rawRequest, rawStatus, sendRaw } from "../../support/raw_http.ts";

/** A listener whose three hosts say which they are. */
class Listening implements AsyncDisposable {
  readonly lines = new MemoryLines();
  readonly port: number;
  readonly host: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor({ broken = false, siteUrl = "" } = {}) {
    let handler: Deno.ServeHandler<Deno.NetAddr> | null = null;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request, info) => handler?.(request, info) ?? new Response(""),
    );
    this.port = this.#server.addr.port;
    this.host = `localhost:${this.port}`;
    handler = this.#dispatch(broken, siteUrl || `http://${this.host}`);
  }

  #dispatch(broken: boolean, baseUrl: string) {
    const clock = new ManualClock();
    const log = eventLog(this.lines, clock);
    const settings = {
      baseUrl,
      authUrl: "https://api.spotlight.example",
      docsMcpUrl: "https://docs.spotlight.example/mcp",
      environment: "production" as const,
    };
    const app = (name: string): HostApp =>
      routeTable({ settings, log }, [{
        prefix: "",
        routes: [
          route("GET", "/whoami", (context) =>
            context.text(`${name} ${context.env.remoteAddress}`)),
          route("GET", "/days/:day", (context) => {
            context.env.trace.grantId = "grt_secret";
            return context.text("day");
          }),
          route("GET", "/told/:text", ({ req }) =>
            respondEmpty(200, { "x-told": req.param("text") })),
        ],
        answers: { refused: renderPublic },
      }]);
    const failing: HostApp = {
      fetch() {
        throw new Error("fault outside the routes");
      },
    };
    return hostDispatch({
      settings,
      clock,
      log,
      requestLog: requestLog(this.lines, () => "0123456789abcdef"),
      requestIds: requestIds("t"),
      health: health({ store: () => null }, "1.2.3"),
      bodies: bodyWaits(),
      unsent: new UnsentAnswers(),
      hosts: {
        site: broken ? failing : app("site"),
        auth: app("auth"),
        docs_mcp: app("docs_mcp"),
      },
    });
  }

  send(target: string, headers: readonly string[], method?: string) {
    return sendRaw(this.port, rawRequest(target, headers, method));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}

Deno.test("the Host header picks the host", async () => {
  await using listening = new Listening();
  for (
    const [host, name] of [
      [listening.host, "site"],
      ["api.spotlight.example", "auth"],
      ["API.Spotlight.Example:443", "auth"],
      ["docs.spotlight.example", "docs_mcp"],
    ] as const
  ) {
    const answer = await listening.send("/whoami", [`Host: ${host}`]);
    assertStringIncludes(answer, `${name} 127.0.0.1`);
  }
});

const HOSTILE: readonly string[] = [
  "evil.example",
  "127.0.0.1",
  "a b<>",
  "[::",
  "évil",
  "x/@y:99999",
  "api.spotlight.example:80",
  "api.spotlight.example, evil.example",
  "%00",
  "",
];

for (const host of HOSTILE) {
  Deno.test(`Host ${JSON.stringify(host)} is misdirected, never a fault`, async () => {
    await using listening = new Listening();
    const answer = await listening.send("/whoami", [`Host: ${host}`]);
    assertEquals(rawStatus(answer), 421);
    assertStringIncludes(answer, "content-type: application/problem+json");
    assertStringIncludes(answer, "/problems/misdirected-request");
  });
}

Deno.test("a request without Host is misdirected", async () => {
  const siteUrl = "https://spotlight.example";
  await using listening = new Listening({ siteUrl });
  assertEquals(rawStatus(await listening.send("/whoami", [])), 421);
  const old = await sendRaw(listening.port, "GET /whoami HTTP/1.0\r\n\r\n");
  assertEquals(rawStatus(old), 421);
});

Deno.test("a request without Host is for the listener's own address, where that is one of ours", async () => {
  await using listening = new Listening();
  const answer = await listening.send("/whoami", []);
  assertStringIncludes(answer, "site 127.0.0.1");
});

Deno.test("two Host headers are refused", async () => {
  await using listening = new Listening();
  const headers = [`Host: ${listening.host}`, "Host: evil.example"];
  assertEquals(rawStatus(await listening.send("/whoami", headers)), 400);
});

for (
  const target of [
    "http://evil.example/whoami",
    "https://api.spotlight.example/whoami",
    "ftp://localhost/whoami",
    "http://[::/whoami",
    "http://user@localhost/whoami",
  ]
) {
  Deno.test(`the target ${target} is misdirected`, async () => {
    await using listening = new Listening();
    const answer = await listening.send(target, [`Host: ${listening.host}`]);
    assertEquals(rawStatus(answer), 421);
  });
}

Deno.test("a target that names its own host is answered", async () => {
  await using listening = new Listening();
  const { host } = listening;
  for (const own of [host, host.toUpperCase()]) {
    const answer = await listening.send(`http://${own}/whoami?x`, [
      `Host: ${host}`,
    ]);
    assertStringIncludes(answer, "site 127.0.0.1");
  }
});

for (const [method, target] of [["CONNECT", ""], ["OPTIONS", "*"]] as const) {
  Deno.test(`${method} ${target} is no fault`, async () => {
    await using listening = new Listening();
    const answer = await listening.send(target || listening.host, [
      `Host: ${listening.host}`,
    ], method);
    assert(rawStatus(answer) < 500, answer);
    assertEquals(listening.lines.text.includes("fault"), false);
  });
}

for (
  const target of ["//evil.example/whoami", "/%zz%ff", "/\\whoami", "/a/../.."]
) {
  Deno.test(`the path ${target} is not found, never a fault`, async () => {
    await using listening = new Listening();
    const answer = await listening.send(target, [`Host: ${listening.host}`]);
    assertEquals(rawStatus(answer), 404);
  });
}

Deno.test("a path and a query may have 10,240 characters together, and a query 64 parameters, and not one more", async () => {
  await using listening = new Listening();
  const send = async (query: string) => {
    const target = `/whoami?${query}`;
    const answer = await listening.send(target, [`Host: ${listening.host}`]);
    return [rawStatus(answer), /too-long|invalid/.exec(answer)?.[0]];
  };
  const longest = 10_240 - "/whoami".length;
  assertEquals(await send("a".repeat(longest)), [200, undefined]);
  assertEquals(await send("a".repeat(longest + 1)), [414, "too-long"]);
  assertEquals(await send("a&".repeat(63)), [200, undefined]);
  assertEquals(await send("a&".repeat(64)), [400, "invalid"]);
  assertEquals(await send("&".repeat(30_000)), [414, "too-long"]);
});

Deno.test("health is answered whatever the Host", async () => {
  await using listening = new Listening();
  for (const headers of [[], ["Host: a b<>"], ["Host: evil.example"]]) {
    for (const path of ["/healthz", "/readyz"]) {
      assertEquals(rawStatus(await listening.send(path, headers)), 200);
    }
  }
});

Deno.test("HEAD says what GET says, length included, without a body", async () => {
  await using listening = new Listening();
  const headers = [`Host: ${listening.host}`];
  const withoutDate = (answer: string) => answer.replace(/date: .*\r\n/, "");
  const [head] = withoutDate(await listening.send("/whoami", headers))
    .split("\r\n\r\n");
  const answer = withoutDate(await listening.send("/whoami", headers, "HEAD"));
  const sorted = (text: string) => text.split("\r\n").toSorted();
  assertEquals(sorted(answer.trimEnd()), sorted(head ?? ""));
  assert(answer.endsWith("\r\n\r\n"));
});

Deno.test("a known path with another method is 405 with Allow", async () => {
  await using listening = new Listening();
  const made = ["TRACE", "FOO-BAR", "constructor", "hasOwnProperty"];
  for (const method of ["POST", "OPTIONS", ...made]) {
    const answer = await listening.send("/whoami", [
      `Host: ${listening.host}`,
    ], method);
    assertEquals(rawStatus(answer), 405);
    assertStringIncludes(answer, "allow: GET, HEAD\r\n");
  }
});

Deno.test("a fault outside the routes is a logged 500", async () => {
  await using listening = new Listening({ broken: true });
  const answer = await listening.send("/x", [`Host: ${listening.host}`]);
  assertEquals(rawStatus(answer), 500);
  assertStringIncludes(answer, "req_t_0");
  assertEquals(answer.includes("outside"), false);
  assertStringIncludes(listening.lines.text, "fault outside the routes");
});

Deno.test("a header that can't be sent is a logged 500, and the process goes on", async () => {
  await using listening = new Listening();
  const tell = (text: string) =>
    listening.send(`/told/${text}`, [`Host: ${listening.host}`]);
  for (const code of ["%01", "%0b", "%1f", "%7f"]) {
    assertEquals(rawStatus(await tell(`a${code}b`)), 500);
  }
  assertStringIncludes(listening.lines.text, "Cannot send x-told");
  assertStringIncludes(await tell("a%09%c2%a9"), "x-told: a\t");
});

Deno.test("a request's line holds nothing that was sent", async () => {
  await using listening = new Listening();
  await listening.send("/days/secret-path?token=secret-query", [
    `Host: ${listening.host}`,
    "Authorization: Bearer secret-token",
    "X-Forwarded-For: 192.0.2.99",
    "Cookie: svc_sess=secret-cookie",
  ]);
  const [line, ...more] = listening.lines.lines;
  assertEquals(more, []);
  const { ms, ...rest } = JSON.parse(line ?? "");
  assertEquals(typeof ms, "number");
  assertEquals(rest, {
    ts: "2026-11-20T12:00:00.000Z",
    id: "req_t_0",
    host: "site",
    method: "GET",
    route: "/days/:day",
    status: 200,
    grant: "0123456789abcdef",
  });
});

Deno.test("misdirected requests are logged without what they named", async () => {
  await using listening = new Listening();
  await listening.send("/secret", ["Host: evil.example"]);
  const line = JSON.parse(listening.lines.text);
  assertEquals([line.host, line.route, line.status], [
    "unknown",
    "misdirected",
    421,
  ]);
  assertEquals(listening.lines.text.includes("evil"), false);
});

Deno.test("whatever methods are made up, a request is told of by one of few names", async () => {
  await using listening = new Listening();
  const { host } = listening;
  for (let n = 0; n < 30; n++) {
    await listening.send("/whoami", [`Host: ${host}`], `M${n}`);
  }
  await listening.send("/whoami", [`Host: ${host}`], "GET");
  const methods = new Set(
    listening.lines.lines.map((line) => JSON.parse(line).method),
  );
  assertEquals([...methods], ["OTHER", "GET"]);
});
