import { assertEquals } from "@std/assert";
import { META, modern, modernHeaders } from "../../support/mcp_calls.ts";
import { openDocsSite } from "../../support/mcp_site.ts";
import { openPublicMcp } from "../../support/public_mcp.ts";
import { reachOf } from "../../../routes/mcp/reach.ts";

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

for (const origin of ["https://elsewhere.example", "null"]) {
  Deno.test(`a script of a page of ${origin} may ask the public server and read the answer`, async () => {
    await using site = await openPublicMcp();
    const { status, headers } = await site.rpc("tools/list", {}, {
      headers: { origin },
    });
    assertEquals(status, 200);
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(headers.get("access-control-allow-credentials"), null);
    const exposed = headers.get("access-control-expose-headers") ?? "";
    assertEquals(exposed.includes("Retry-After"), true);
  });
}

Deno.test("reachOf() lets any page ask the public server, our own pages the others", () => {
  const settings = {
    baseUrl: "https://spotlight.example",
    authUrl: "https://auth.spotlight.example:8443",
    docsMcpUrl: "https://docs.spotlight.example/mcp",
  };
  const own = [
    "https://spotlight.example",
    "https://auth.spotlight.example:8443",
    "https://docs.spotlight.example",
  ];
  assertEquals(reachOf(settings, "site").origins, "any");
  assertEquals(reachOf(settings, "auth").origins, own);
  assertEquals(reachOf(settings, "docs_mcp").origins, own);
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
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** The status of a list of tools asked for with this Accept. */
async function statusFor(
  url: string,
  accept: string | null,
  headers: Readonly<Record<string, string | null>>,
  body: unknown,
): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      ...headers as Record<string, string>,
      "content-type": "application/json",
      // Deno sends the star by itself.
      ...accept !== null && { accept },
    },
    body: JSON.stringify(body),
  });
  await answer.body?.cancel();
  return answer.status;
}

for (const accept of ["*/*", "text/html, */*;q=0.8", null]) {
  Deno.test(`a tool server takes Accept: ${accept} in both eras`, async () => {
    await using site = await openDocsSite();
    const legacy = { "mcp-protocol-version": "2025-06-18" };
    assertEquals(await statusFor(site.url, accept, legacy, LIST), 200);
    const { accept: _both, ...headers } = modernHeaders("tools/list", {});
    const body = { ...LIST, params: { _meta: META } };
    assertEquals(await statusFor(site.url, accept, headers, body), 200);
  });
}

for (const accept of ["text/html", "application/json", "*/*;q=0"]) {
  Deno.test(`a tool server answers 406 to Accept: ${accept} in 2025's revisions`, async () => {
    await using site = await openDocsSite();
    const legacy = { "mcp-protocol-version": "2025-06-18" };
    assertEquals(await statusFor(site.url, accept, legacy, LIST), 406);
  });
}
