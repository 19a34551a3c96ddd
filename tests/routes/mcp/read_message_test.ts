import { assert, assertEquals } from "@std/assert";
import { isLegacyRequest } from "@modelcontextprotocol/server";
import fc from "fast-check";
import {
  readMessage,
  RESOURCE_URI_MAX,
} from "../../../routes/mcp/read_message.ts";
import { bodyOf } from "../../support/bindings.ts";
import { META, MODERN } from "../../support/mcp_calls.ts";

function requestOf(body: unknown, headers: Record<string, string> = {}) {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

Deno.test("what is taken as modern at a glance is never legacy to the SDK", async () => {
  let glances = 0;
  const meta = fc.oneof(
    fc.constant(META),
    fc.record({
      "io.modelcontextprotocol/protocolVersion": fc.oneof(
        fc.constantFrom(MODERN, "2025-06-18", "2027-01-01"),
        fc.jsonValue(),
      ),
    }),
    fc.jsonValue(),
  );
  const request = {
    jsonrpc: fc.constantFrom("2.0", "1.0"),
    id: fc.oneof(fc.integer(), fc.jsonValue()),
    method: fc.oneof(
      fc.constantFrom("initialize", "tools/call", "notifications/initialized"),
      fc.jsonValue(),
    ),
    params: fc.oneof(fc.record({ _meta: meta }), fc.jsonValue()),
  };
  const others = { result: fc.jsonValue(), error: fc.jsonValue() };
  const body = fc.oneof(
    fc.record(request),
    fc.record({ ...request, ...others }, { requiredKeys: [] }),
  );
  const version = fc.constantFrom(null, MODERN, "2025-06-18", "1999-01-01");
  await fc.assert(
    fc.asyncProperty(body, version, async (sent, named) => {
      const message = await readMessage(bodyOf(requestOf(sent)));
      assert(!(message instanceof Response));
      if (!message.isModern) return;
      glances++;
      const headers = named === null ? {} : { "mcp-protocol-version": named };
      const legacy = await isLegacyRequest(
        requestOf(sent, headers),
        message.body,
      );
      assertEquals(legacy, false);
    }),
    { numRuns: 2_000 },
  );
  assert(glances > 50, `only ${glances} were taken as modern`);
});

Deno.test("a modern call is taken as modern at a glance", async () => {
  const params = { name: "act", _meta: META };
  const sent = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  assertEquals(await readMessage(bodyOf(requestOf(sent))), {
    body: sent,
    method: "tools/call",
    name: "act",
    isModern: true,
  });
});

Deno.test("an address of a resource that is longer than any of ours is refused before anybody reads it", async () => {
  for (const [length, status] of [[0, null], [1, 400]] as const) {
    const uri = "a".repeat(RESOURCE_URI_MAX + length);
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { uri },
    };
    for (const sent of [body, [body]]) {
      const message = await readMessage(bodyOf(requestOf(sent)));
      assertEquals(message instanceof Response ? message.status : null, status);
    }
  }
});
