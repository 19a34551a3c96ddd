import { assertEquals } from "@std/assert";
import { modern } from "../../support/mcp_calls.ts";
import { openDocsSite } from "../../support/mcp_site.ts";

const ASKING = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type, mcp-method",
};

/** A browser's question whether a script of this page may ask. */
async function preflight(url: string, origin: string) {
  const headers = { ...ASKING, origin };
  const response = await fetch(url, { method: "OPTIONS", headers });
  await response.body?.cancel();
  return response;
}

Deno.test("a script of our own page may ask and read the answer", async () => {
  await using site = await openDocsSite();
  const origin = "http://localhost:8000";
  const asked = await preflight(site.url, origin);
  assertEquals(asked.status, 204);
  assertEquals(asked.headers.get("access-control-allow-origin"), origin);
  assertEquals(asked.headers.get("access-control-allow-methods"), "POST");
  const allowed = asked.headers.get("access-control-allow-headers") ?? "";
  assertEquals(allowed.toLowerCase().split(", "), [
    "authorization",
    "content-type",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
  ]);
  const { status, headers } = await modern(site.url, "tools/list", {}, {
    origin,
  });
  assertEquals(status, 200);
  assertEquals(headers.get("access-control-allow-origin"), origin);
  const exposed = headers.get("access-control-expose-headers") ?? "";
  assertEquals(exposed.includes("Retry-After"), true);
  assertEquals(headers.get("vary"), "Origin");
});

Deno.test("a script of another page may not ask", async () => {
  await using site = await openDocsSite();
  for (const origin of ["https://evil.example", "null"]) {
    const asked = await preflight(site.url, origin);
    assertEquals(asked.status, 403);
    assertEquals(asked.headers.get("access-control-allow-origin"), null);
  }
});

Deno.test("asking whether it may ask costs no token", async () => {
  await using site = await openDocsSite();
  await preflight(site.url, "http://localhost:8000");
  const { headers } = await modern(site.url, "tools/list");
  assertEquals(headers.get("ratelimit"), '"agent";r=119');
});

Deno.test("an answer is kept by nobody and is no page", async () => {
  await using site = await openDocsSite();
  const { headers } = await modern(site.url, "tools/list");
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("access-control-allow-origin"), null);
});
