import { assertEquals } from "@std/assert";
import { RESULT_TEXT_MAX } from "../../../routes/mcp/call.ts";
import {
  legacy,
  META,
  modern,
  modernHeaders,
} from "../../support/mcp_calls.ts";
import { type Act, MISHAPS, openActing } from "../../support/mcp_tools.ts";

/** Calls the tool of the test. */
function call(url: string, text: string, era = modern) {
  return era(url, "tools/call", { name: "act", arguments: { text } });
}

const mishap: Act = (text) => MISHAPS[text]?.();

for (const era of [modern, legacy]) {
  Deno.test(`a ${era.name} call is answered as an object and the same as text`, async () => {
    await using site = await openActing((text) => text.toUpperCase());
    const { body } = await call(site.url, "spotlight", era);
    const { structuredContent, content } = body.result;
    assertEquals(structuredContent, { text: "SPOTLIGHT" });
    assertEquals(content, [{ type: "text", text: '{"text":"SPOTLIGHT"}' }]);
  });

  for (const what of ["fault", "text"]) {
    Deno.test(`a ${era.name} call that throws a ${what} tells nothing and logs one line`, async () => {
      await using site = await openActing(mishap);
      const { status, body } = await call(site.url, what, era);
      const { content, isError, structuredContent } = body.result;
      assertEquals([status, isError, structuredContent], [
        200,
        true,
        undefined,
      ]);
      assertEquals(content, [{ type: "text", text: "Internal error." }]);
      assertEquals(site.log.events, ["tool_failed"]);
      const line = JSON.parse(site.log.lines[0] ?? "");
      assertEquals([line.tool, line.request], ["act", "req_test_0"]);
      assertEquals(line.stack.includes("secret detail"), true);
    });
  }
}

Deno.test("a refusal is the problem of the surface beside the server", async () => {
  await using site = await openActing(mishap);
  const { body } = await call(site.url, "refusal");
  const { content, isError, structuredContent } = body.result;
  assertEquals([isError, structuredContent], [true, {
    type: "http://localhost/problems/invalid-input",
    title: "Invalid input",
    status: 400,
    detail: "Cannot read it",
    docs: "http://localhost/developers#errors",
  }]);
  assertEquals(JSON.parse(content[0].text), structuredContent);
  assertEquals(site.log.lines, []);
});

Deno.test("a temporary failure is a 503 problem that tells nothing, and one line", async () => {
  await using site = await openActing(mishap);
  const { text, body } = await call(site.url, "contention");
  assertEquals(body.result.structuredContent.status, 503);
  assertEquals(text.includes("secret detail"), false);
  assertEquals(site.log.events, ["temporary_failure"]);
});

Deno.test("arguments are in no line of the log", async () => {
  await using site = await openActing(() => MISHAPS["fault"]?.());
  await call(site.url, "an argument of mine");
  assertEquals(site.log.lines.join().includes("argument of mine"), false);
});

Deno.test("what breaks the output schema is an internal error", async () => {
  await using site = await openActing(() => 7);
  const { body } = await call(site.url, "seven");
  assertEquals(body.result.content[0].text, "Internal error.");
  const line = JSON.parse(site.log.lines[0] ?? "");
  assertEquals(line.stack.includes("broke its output schema at text"), true);
});

Deno.test("a text of the longest length is answered, a longer one is a fault", async () => {
  await using site = await openActing((length) => "x".repeat(Number(length)));
  const most = RESULT_TEXT_MAX - '{"text":""}'.length;
  const full = await call(site.url, String(most));
  assertEquals(full.body.result.structuredContent.text.length, most);
  const over = await call(site.url, String(most + 1));
  assertEquals(over.body.result.content[0].text, "Internal error.");
});

Deno.test("a call that takes too long is a 503 problem, and told to end", async () => {
  const ended = Promise.withResolvers<unknown>();
  const never: Act = (_, { signal }) => {
    signal.addEventListener("abort", () => ended.resolve(signal.reason));
    return new Promise(() => {});
  };
  await using site = await openActing(never, { callMs: 10 });
  const { body } = await call(site.url, "wait");
  assertEquals(body.result.structuredContent.status, 503);
  assertEquals(
    String(await ended.promise),
    "CallTimedOut: No answer within 10 ms",
  );
  assertEquals(site.log.events, ["temporary_failure"]);
});

Deno.test("a client that has gone ends the call", async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const never: Act = (_, { signal }) => {
    signal.addEventListener("abort", () => ended.resolve());
    begun.resolve();
    return ended.promise;
  };
  await using site = await openActing(never);
  const gone = new AbortController();
  const asked = fetch(site.url, {
    method: "POST",
    signal: gone.signal,
    ...requestOf("wait"),
  }).catch((error) => error.name);
  await begun.promise;
  gone.abort();
  assertEquals(await asked, "AbortError");
  await ended.promise;
  assertEquals(site.log.lines, []);
});

/** The parts of a modern call, for a fetch of the test's own. */
function requestOf(text: string): RequestInit {
  const params = { name: "act", arguments: { text }, _meta: META };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const headers = modernHeaders("tools/call", params) as Record<string, string>;
  return {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(call),
  };
}
