import { assertEquals } from "@std/assert";
import { bodyBytes } from "../../routes/body_bytes.ts";

/** A request whose body begins and never ends. */
function endless(headers: Record<string, string>): Request {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"q')),
  });
  return new Request("http://localhost/", { method: "POST", headers, body });
}

for (const headers of [{ "content-length": "100" }, {}]) {
  const kind = Object.keys(headers).join() || "no length";
  Deno.test(`a body that never ends, with ${kind}, is cut off in time`, async () => {
    const body = await bodyBytes(endless(headers), 4_096, 0);
    assertEquals(body, "cut_off");
  });
}

Deno.test("a body that has come is read, however long one would have waited", async () => {
  const request = () =>
    new Request("http://localhost/", { method: "POST", body: "{}" });
  assertEquals(
    await bodyBytes(request(), 2, 60_000),
    new TextEncoder().encode("{}"),
  );
  assertEquals(await bodyBytes(request(), 1, 60_000), "too_long");
});
