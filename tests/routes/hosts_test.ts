import { assertEquals } from "@std/assert";
import { hostNames, hostOf, pathOf } from "../../routes/hosts.ts";

const NAMES = hostNames({
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example:8443",
  docsMcpUrl: "http://docs.example/mcp",
});

function request(host: string | null, target = "/x"): Request {
  const url = target.startsWith("/") ? `http://${host}${target}` : target;
  const headers = new Headers(host === null ? {} : { host });
  // Deno.serve hands out such addresses without parsing them.
  return { url, headers } as Request;
}

Deno.test("hostOf() finds each host by its name", () => {
  assertEquals(hostOf(request("spotlight.example"), NAMES), "site");
  assertEquals(hostOf(request("api.spotlight.example:8443"), NAMES), "auth");
  assertEquals(hostOf(request("docs.example"), NAMES), "docs_mcp");
});

Deno.test("hostOf() ignores case and the default port of the address", () => {
  assertEquals(hostOf(request("SPOTLIGHT.Example:443"), NAMES), "site");
  assertEquals(hostOf(request("Docs.Example:80"), NAMES), "docs_mcp");
});

for (
  const host of [
    null,
    "",
    "spotlight.example:80",
    "docs.example:443",
    "api.spotlight.example",
    "spotlight.example.",
    "spotlight.example, evil.example",
    "spotlight.example@evil.example",
    "evil.example",
    "127.0.0.1",
    "[::1",
  ]
) {
  Deno.test(`hostOf() knows no host ${JSON.stringify(host)}`, () => {
    assertEquals(hostOf(request(host), NAMES), null);
  });
}

Deno.test("hostOf() takes a target that names the same host", () => {
  for (
    const target of [
      "http://spotlight.example/x",
      "https://SPOTLIGHT.example:443/x",
    ]
  ) {
    const found = hostOf(request("spotlight.example", target), NAMES);
    assertEquals(found, "site", target);
  }
});

for (
  const target of [
    "http://evil.example/x",
    "http://docs.example/x",
    "ftp://spotlight.example/x",
    "http://user@spotlight.example/x",
    "http://spotlight.example.evil.example/x",
    "http://[::/x",
  ]
) {
  Deno.test(`hostOf() refuses the target ${target}`, () => {
    assertEquals(hostOf(request("spotlight.example", target), NAMES), null);
  });
}

Deno.test("pathOf() finds the path behind a hostile Host", () => {
  for (const host of ["a b<>", "[::", "evil/healthz?@x:99999", "localhost"]) {
    assertEquals(pathOf(request(host, "/healthz?a=/b")), "/healthz", host);
  }
  assertEquals(pathOf(request(null, "http://x/readyz")), "/readyz");
});
