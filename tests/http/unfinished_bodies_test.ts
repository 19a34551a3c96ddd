/**
 * Bodies that are not read to their end, over sockets: their connections are
 * closed once they are answered, and none of them holds up anything.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { rawStatus, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";

/** Nobody's time passes: what is answered is not answered for its deadline. */
const NEVER = { nowMs: () => 0, startTimer: () => () => {} };

const CHUNKED = "Transfer-Encoding: chunked";

/** Posts to the authorization host, and reads until the connection is closed. */
function post(
  { config }: RunningService,
  path: string,
  length: string,
  body: string,
): Promise<string> {
  const { host, port } = new URL(config.settings.authUrl);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: application/json",
    length,
  ];
  return sendRaw(Number(port), `${head.join("\r\n")}\r\n\r\n${body}`);
}

const CRUMBS = "1\r\nx\r\n".repeat(500);

for (
  const [what, body] of [
    ["in single bytes", CRUMBS],
    ["with a line of a chunk that does not end", `1;${"a".repeat(100_000)}`],
    ["with trailers that do not end", `0\r\nX: ${"a".repeat(100_000)}`],
  ] as const
) {
  Deno.test(`a notification ${what} is 400, and its connection is closed`, async () => {
    await using running = await runService({ bodyTime: NEVER });
    const answer = await post(running, "/webhooks/stripe", CHUNKED, body);
    assertEquals(rawStatus(answer), 400);
    assertStringIncludes(answer, "the body must arrive whole");
  });
}

Deno.test("a notification that turns out to be too long is 413, and its connection is closed", async () => {
  await using running = await runService({ bodyTime: NEVER });
  const body = `41000\r\n${"x".repeat(0x41000)}\r\n`;
  const answer = await post(running, "/webhooks/stripe", CHUNKED, body);
  assertEquals(rawStatus(answer), 413);
});

Deno.test("whoever sends on after an answer does not hold up a stop, whether the body was read or not", async () => {
  const running = await runService({ graceMs: 60_000 });
  const { host, port } = new URL(running.config.settings.authUrl);
  const connections: Deno.Conn[] = [];
  for (const path of ["/nowhere", "/webhooks/stripe"]) {
    for (const length of [CHUNKED, "Content-Length: 200000"]) {
      const connection = await Deno.connect({
        hostname: "127.0.0.1",
        port: Number(port),
      });
      connections.push(connection);
      const head =
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${length}\r\n\r\n`;
      await connection.write(new TextEncoder().encode(head + CRUMBS));
    }
  }
  const startMs = performance.now();
  await running.service.stop();
  const tookMs = performance.now() - startMs;
  assertEquals(tookMs < 30_000, true, `the stop took ${tookMs} ms`);
  for (const connection of connections) connection.close();
});
