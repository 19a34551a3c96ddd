import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readTargetUrl } from "../../../domain/creatives/target_url.ts";
import { parseClientDocument } from "../../../domain/oauth/clients/client_document.ts";
import {
  hasShortHost,
  readPublicUrl,
} from "../../../domain/fetching/public_url.ts";

const GOOD = [
  "https://client.example/",
  "https://client.example/oauth/client.json",
  "https://client.example/client?version=2",
  "https://client.example:8443/client.json",
  "https://xn--bcher-kva.example/c",
  "https://a.b.c.client.example/.well-known/client",
  "https://client.example/a..b/...",
];
for (const text of GOOD) {
  Deno.test(`readPublicUrl() reads ${text}`, () => {
    assertEquals(readPublicUrl(text, { allowLoopback: false })?.href, text);
  });
}

const BAD: [string, string][] = [
  ["http", "http://client.example/c"],
  ["another scheme", "ftp://client.example/c"],
  ["no path", "https://client.example"],
  ["a fragment", "https://client.example/c#f"],
  ["an empty fragment", "https://client.example/c#"],
  ["a user", "https://user@client.example/c"],
  ["a user and a password", "https://u:p@client.example/c"],
  ["an empty user", "https://@client.example/c"],
  ["a dot segment", "https://client.example/./c"],
  ["two dots", "https://client.example/a/../c"],
  ["two dots at the end", "https://client.example/a/.."],
  ["an encoded dot", "https://client.example/%2e/c"],
  ["encoded dots", "https://client.example/a/%2E%2e/c"],
  ["half encoded dots", "https://client.example/a/.%2e/c"],
  ["a backslash", "https://client.example\\@10.0.0.1/c"],
  ["a backslash in the path", "https://client.example/a\\b"],
  ["a tab", "https://client.example/\tc"],
  ["a line feed", "https://cli\nent.example/c"],
  ["a space", "https://client.example/ c"],
  ["a space before", " https://client.example/c"],
  ["a missing slash", "https:/client.example/c"],
  ["three slashes", "https:///client.example/c"],
  ["capitals in the host", "https://Client.example/c"],
  ["capitals in the scheme", "HTTPS://client.example/c"],
  ["the default port", "https://client.example:443/c"],
  ["a port that is none", "https://client.example:x/c"],
  ["letters beyond ASCII", "https://bücher.example/c"],
  ["an IPv4 address", "https://93.184.216.34/c"],
  ["an address in decimal", "https://2130706433/c"],
  ["an address in hex", "https://0x7f000001/c"],
  ["a short address", "https://127.1/c"],
  ["an address in octal", "https://0177.0.0.1/c"],
  ["an IPv6 address", "https://[2606:2800:220:1::]/c"],
  ["a single label", "https://intranet/c"],
  ["localhost", "https://localhost/c"],
  ["a name under localhost", "https://a.localhost/c"],
  ["a .local name", "https://printer.local/c"],
  ["an .internal name", "https://metadata.google.internal/c"],
  ["a name at home", "https://router.home.arpa/c"],
  ["a name of another network", "https://abcdefghij.onion/c"],
  ["a name that no one has", "https://agent.invalid/c"],
  ["a name of tests", "https://agent.test/c"],
  ["a dot after the host", "https://client.example./c"],
  ["an empty label", "https://client..example/c"],
  ["an underscore", "https://my_host.example/c"],
  ["a number for a top label", "https://client.42/c"],
  ["513 characters", `https://client.example/${"c".repeat(490)}`],
  ["nothing", ""],
];
for (const [what, text] of BAD) {
  Deno.test(`D5: readPublicUrl() refuses ${what}`, () => {
    assertEquals(readPublicUrl(text, { allowLoopback: false }), null);
    assertEquals(readPublicUrl(text, { allowLoopback: true }), null);
  });
}

const LOCAL = [
  "http://localhost:8080/client.json",
  "http://127.0.0.1:8080/client.json",
  "http://[::1]:8080/client.json",
  "http://localhost/",
];
for (const text of LOCAL) {
  Deno.test(`readPublicUrl() reads ${text} where loopback is allowed`, () => {
    assertEquals(readPublicUrl(text, { allowLoopback: true })?.href, text);
    assertEquals(readPublicUrl(text, { allowLoopback: false }), null);
  });
}

const NOT_LOCAL = [
  "http://localhost.example/c",
  "http://127.0.0.2/c",
  "http://10.0.0.1/c",
  "http://2130706433/c",
  "http://localhost@10.0.0.1/c",
  "http://client.example/c",
];
for (const text of NOT_LOCAL) {
  Deno.test(`readPublicUrl() refuses ${text} even with loopback`, () => {
    assertEquals(readPublicUrl(text, { allowLoopback: true }), null);
  });
}

Deno.test("D5: readPublicUrl() answers the very address or nothing", () => {
  const part = fc.string({ maxLength: 20 });
  fc.assert(fc.property(
    fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.tuple(part, part, part).map((p) => `https://${p.join("/")}`),
      fc.ipV4Extended().map((ip) => `https://${ip}/c`),
    ),
    (text) => {
      const url = readPublicUrl(text, { allowLoopback: false });
      if (url === null) return;
      assertEquals(url.href, text);
      assertEquals(url.username + url.password + url.hash, "");
      assertEquals(/^[a-z0-9.-]+\.[a-z-][a-z0-9-]*$/.test(url.hostname), true);
    },
  ));
});

/** Labels as long as parsers write them, which takes them milliseconds each. */
const LONG_LABEL = Array.from(
  { length: 999 },
  (_, at) => String.fromCodePoint(0x4e00 + at),
).join("");

for (
  const text of [
    `https://${LONG_LABEL}.example/`,
    `https://${encodeURIComponent(LONG_LABEL.slice(0, 40))}.example/`,
    `https://user@${LONG_LABEL}.example/`,
    "https:///example.com/",
    "https:example.com",
    `https://\t/${LONG_LABEL}.example/`,
    `https://a\n${LONG_LABEL.slice(0, 100)}.example/`,
    " https://example.com/",
  ]
) {
  Deno.test(`an address that begins with ${text.slice(0, 20)} is not read for its host`, () => {
    assertEquals(hasShortHost(text), false);
  });
}

for (
  const text of [
    `https://${"一".repeat(60)}.example`,
    "HTTPS://example.com:443?a",
    `https://example.com/${LONG_LABEL}`,
    `https://${"a".repeat(253)}:12345#a`,
  ]
) {
  Deno.test(`an address that begins with ${text.slice(0, 20)} is read for its host`, () => {
    assertEquals(hasShortHost(text), true);
  });
}

Deno.test("no host of a target or a client's document is parsed that is longer than a host can be", () => {
  const { parse, canParse } = URL;
  const asked: string[] = [];
  URL.parse = (text, ...rest) => {
    asked.push(String(text));
    return parse(text, ...rest);
  };
  URL.canParse = (text, ...rest) => {
    asked.push(String(text));
    return canParse(text, ...rest);
  };
  const long = `https://${LONG_LABEL}.example/`;
  const url = "https://client.example/client.json";
  const redirect = "https://client.example/back";
  const document = {
    client_id: url,
    client_name: "Client",
    redirect_uris: [redirect],
    logo_uri: long,
  };
  try {
    assertEquals(readTargetUrl(long), { ok: false, problem: "not_public" });
    const context = { url, local: false };
    assertEquals(parseClientDocument(JSON.stringify(document), context), null);
  } finally {
    Object.assign(URL, { parse, canParse });
  }
  assertEquals(asked.filter((text) => text === long), []);
});
