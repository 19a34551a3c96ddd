/**
 * Compression as clients meet it over TCP: documents are, streams and tools
 * never.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { rawRequest, rawStatus, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { untilIndexed } from "../support/until_indexed.ts";

const ACCEPTS = "Accept-Encoding: gzip, deflate, br, zstd";

/** Asks one of the hosts; answers the head and what follows it. */
async function ask(
  { config }: RunningService,
  address: string,
  { method = "GET", headers = [], body = "" }: {
    method?: string;
    headers?: readonly string[];
    body?: string;
  } = {},
): Promise<{ head: string; body: string; status: number }> {
  const url = new URL(address, config.settings.baseUrl);
  const lines = [
    `Host: ${url.host}`,
    ACCEPTS,
    ...headers,
    ...body === "" ? [] : [`Content-Length: ${body.length}`],
  ];
  const request = rawRequest(url.pathname + url.search, lines, method) + body;
  const answer = await sendRaw(Number(url.port), request);
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  return {
    head: head.toLowerCase(),
    body: rest.join("\r\n\r\n"),
    status: rawStatus(answer),
  };
}

Deno.test("the documents are brotli over the wire, and a third as long", async () => {
  await using running = await runService();
  for (const path of ["/developers", "/developers.md", "/openapi.json"]) {
    const { head } = await ask(running, path, { method: "HEAD" });
    const length = Number(/^content-length: (\d+)$/m.exec(head)?.[1]);
    const plain = await fetch(running.config.settings.baseUrl + path);
    const bytes = await plain.bytes();
    assertStringIncludes(head, "content-encoding: br");
    assert(length > 0 && length < bytes.length / 3, `${path}: ${length}`);
  }
});

Deno.test("/ask and the tool servers are never compressed, streams least of all", async () => {
  await using running = await runService();
  await untilIndexed(running.service);
  const { authUrl, baseUrl, docsMcpUrl } = running.config.settings;
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: {},
  });
  const headers = [
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
  ];
  const asked = [
    await ask(running, "/ask?query=auction"),
    await ask(running, "/ask?query=auction&streaming=true"),
    await ask(running, `${baseUrl}/mcp`, {
      method: "POST",
      headers,
      body: call,
    }),
    await ask(running, docsMcpUrl, { method: "POST", headers, body: call }),
    await ask(running, `${authUrl}/mcp`, {
      method: "POST",
      headers,
      body: call,
    }),
  ];
  const statuses = asked.map(({ status }) => status);
  assertEquals(statuses, [200, 200, 200, 200, 401]);
  for (const { head } of asked) {
    assert(!head.includes("content-encoding"), head);
  }
  const [, stream, tools] = asked;
  assertStringIncludes(stream?.head ?? "", "text/event-stream");
  assertStringIncludes(stream?.body ?? "", "event: complete");
  assertStringIncludes(tools?.body ?? "", "get_current_spotlight");
});
