import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  isSameRedirectUri,
  REDIRECT_URI_MAX,
  redirectHost,
  redirectUriProblem,
} from "../../../domain/oauth/redirect_uri.ts";

const HTTPS = "https://client.example/cb";

Deno.test("redirectUriProblem() takes 2,048 characters and not one more", () => {
  const longest = `${HTTPS}?x=`.padEnd(2_048, "x");
  assertEquals(REDIRECT_URI_MAX, 2_048);
  assertEquals(redirectUriProblem(longest), null);
  assertEquals(
    redirectUriProblem(`${longest}x`),
    "must have at most 2048 characters",
  );
});

Deno.test("redirectUriProblem() names a fragment as what it is", () => {
  assertEquals(redirectUriProblem(`${HTTPS}#x`), "must have no fragment");
});

Deno.test("redirectUriProblem() takes no address with a user's name, however it is written", () => {
  const pieces = fc.array(
    fc.constantFrom(
      ...[
        "https://",
        "http://",
        "127.0.0.1",
        "[::1]",
        "localhost",
        "a.example",
      ],
      ...["@", ":", "/", "?", ":80", "%40", ".", "\\", "[", "]", "user", "="],
    ),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      if (redirectUriProblem(text) !== null) return;
      const { protocol, hostname, username, password } = new URL(text);
      assertEquals([username, password], ["", ""]);
      const isOwn = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
      assertEquals(protocol === "https:" || isOwn, true, text);
    }),
    {
      numRuns: 2_000,
      examples: [
        [["https://", "user", "@", "a.example"]],
        [["http://", "127.0.0.1", ":80", "@", "a.example"]],
        [["http://", "localhost", "@", "a.example"]],
        [["https://", "a.example", "/", "@"]],
      ],
    },
  );
});

Deno.test("redirectHost() shows a port of the network and none of loopback, which passes", () => {
  assertEquals(
    redirectHost("https://client.example:8443/cb"),
    "client.example:8443",
  );
  assertEquals(redirectHost("http://127.0.0.1:51004/cb"), "127.0.0.1");
});

Deno.test("isSameRedirectUri() lets nothing but the port of an address on loopback differ", () => {
  const cases: [registered: string, asked: string, isSame: boolean][] = [
    [HTTPS, HTTPS, true],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", true],
    ["http://localhost:80/cb?x=1", "http://localhost:51004/cb?x=1", true],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51004/other", false],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51004/cb?x=1", false],
    ["http://127.0.0.1:80/cb", "http://localhost:80/cb", false],
    [HTTPS, "https://client.example/other", false],
    [HTTPS, "https://client.example:8443/cb", false],
    [HTTPS, "http://127.0.0.1/cb", false],
  ];
  for (const [registered, asked, isSame] of cases) {
    assertEquals(isSameRedirectUri(registered, asked), isSame, asked);
  }
});
