import { assert, assertEquals } from "@std/assert";
import { Contention } from "../../../domain/failure.ts";
import fc from "fast-check";
import {
  legacy,
  META,
  modern,
  modernHeaders,
  sendTo,
} from "../../support/mcp_calls.ts";
import { openActing } from "../../support/mcp_tools.ts";

const CALL = { name: "act", arguments: { text: "spotlight" } };

for (const era of [modern, legacy]) {
  Deno.test(`a ${era.name} request whose server can't be built for now is 503`, async () => {
    await using site = await openActing((text) => text, {
      beforeBuild() {
        throw new Contention();
      },
    });
    const { status, headers, body } = await era(site.url, "tools/call", CALL);
    assertEquals([status, body.status], [503, 503]);
    assertEquals(headers.get("retry-after"), "1");
    assertEquals(headers.get("content-type"), "application/problem+json");
    assertEquals(site.log.events, ["temporary_failure"]);
  });

  Deno.test(`a ${era.name} request whose server breaks tells nothing`, async () => {
    await using site = await openActing((text) => text, {
      beforeBuild() {
        throw new Error("secret detail");
      },
    });
    const { status, text } = await era(site.url, "tools/call", CALL);
    assertEquals(status, 500);
    assertEquals(text.includes("secret detail"), false);
    assertEquals(site.log.events, ["fault"]);
  });
}

Deno.test("requests at the same time are answered each with its own", async () => {
  await using site = await openActing(async (text) => {
    await Promise.resolve();
    return text;
  });
  const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
  const answers = await Promise.all(
    texts.map((text, at) =>
      (at % 2 === 0 ? modern : legacy)(site.url, "tools/call", {
        name: "act",
        arguments: { text },
      })
    ),
  );
  const given = answers.map(({ body }) => body.result.structuredContent.text);
  assertEquals(given, texts);
});

Deno.test("whatever JSON is sent, the answer is no fault", async () => {
  await using site = await openActing((text) => text);
  const method = fc.oneof(
    fc.constantFrom(
      "tools/call",
      "tools/list",
      "initialize",
      "server/discover",
    ),
    fc.string(),
  );
  const message = fc.record({
    jsonrpc: fc.oneof(fc.constant("2.0"), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method,
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.oneof(fc.constant("act"), fc.jsonValue()),
        arguments: fc.jsonValue(),
        _meta: fc.oneof(fc.constant(META), fc.jsonValue()),
      }, { requiredKeys: [] }),
    ),
  }, { requiredKeys: [] });
  const body = fc.oneof(message, fc.array(message), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(body, method, async (sent, named) => {
      const text = JSON.stringify(sent);
      const headers = /^[\x20-\x7e]*$/.test(named)
        ? modernHeaders(named, {})
        : {};
      for (const changes of [headers, {}]) {
        const { status } = await sendTo(site.url, text, changes);
        assert(status < 500, `${status} for ${text}`);
      }
    }),
    { numRuns: 300 },
  );
  assertEquals(site.log.lines, []);
});

Deno.test("JSON as deep as a body can be is no fault", async () => {
  await using site = await openActing((text) => text);
  const deep = "[".repeat(15_000) + "]".repeat(15_000);
  const params = `{"name":"act","arguments":${deep},"_meta":${
    JSON.stringify(META)
  }}`;
  for (
    const text of [
      deep,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      `{"jsonrpc":"2.0","id":${deep},"method":"tools/call"}`,
    ]
  ) {
    for (const headers of [modernHeaders("tools/call", CALL), {}]) {
      const { status } = await sendTo(site.url, text, headers);
      assert(status < 500, `${status}`);
    }
  }
});

Deno.test("a name that objects have by themselves is no tool", async () => {
  await using site = await openActing((text) => text);
  for (const name of ["__proto__", "constructor", "toString"]) {
    const params = { name, arguments: {} };
    for (const era of [modern, legacy]) {
      const { body } = await era(site.url, "tools/call", params);
      assertEquals([name, body.error?.code], [name, -32602]);
    }
  }
});
