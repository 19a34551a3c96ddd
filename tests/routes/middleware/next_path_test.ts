import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  DEFAULT_NEXT,
  nextPath,
  signInPath,
} from "../../../routes/middleware/next_path.ts";

const BASE = "https://spotlight.example";

const OWN: readonly [string, string][] = [
  ["/", "/"],
  ["/connect/areq_1", "/connect/areq_1"],
  ["/agents?tab=1&x=%2F%2Fevil", "/agents?tab=1&x=%2F%2Fevil"],
  ["/a/../b", "/b"],
  ["/späť", "/sp%C3%A4%C5%A5"],
  ["/sign-in-help", "/sign-in-help"],
  [`/${"a".repeat(1_023)}`, `/${"a".repeat(1_023)}`],
];

for (const [wanted, path] of OWN) {
  Deno.test(`K10 nextPath() takes ${wanted.slice(0, 40)}`, () => {
    assertEquals(nextPath(wanted), path);
  });
}

const FOREIGN: readonly (string | null | undefined)[] = [
  null,
  undefined,
  "",
  "agents",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/x/..//evil.example",
  "https:evil.example",
  "https://evil.example",
  "https://spotlight.example@evil.example/",
  "javascript:alert(1)",
  "data:text/html,x",
  "/%0d%0aSet-Cookie: a=b ",
  "/sign-in",
  "/sign-in?next=/sign-in",
  "/sign-in/verify",
  "/x/../sign-in",
  `/${"a".repeat(1_024)}`,
  // Shorter, or longer, once it is read as a browser does.
  `/${"b/../".repeat(250)}`,
  `/${"ä".repeat(500)}`,
];

for (const wanted of FOREIGN) {
  const shown = JSON.stringify(wanted)?.slice(0, 40);
  Deno.test(`K10 nextPath() goes to the account instead of ${shown}`, () => {
    assertEquals(nextPath(wanted), DEFAULT_NEXT);
  });
}

/** Text of the pieces that make addresses go astray. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "//",
      "\t",
      "\r\n",
      ":",
      "@",
      "?",
      "#",
      "%2f",
      "%5c",
      "%00",
      "https:",
      "evil.example",
      "sign-in",
      "\u2028",
      "\u3002",
      "\uff0f",
    ),
    fc.string({ maxLength: 5, unit: "binary" }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

Deno.test("K10 nextPath() never leaves the site, whatever it is given", () => {
  fc.assert(
    fc.property(
      fc.oneof(hostile, hostile.map((text) => `/${text}`)),
      (wanted) => {
        const path = nextPath(wanted);
        assertEquals(new URL(path, BASE).origin, BASE);
        assert(/^\/(?!\/)[\x21-\x7e]*$/.test(path), path);
        assert(!path.includes("\\"), path);
        assertEquals(nextPath(path), path);
        assertEquals(new Headers({ location: path }).get("location"), path);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("signInPath() leads back to where it was asked from", () => {
  fc.assert(fc.property(hostile, (text) => {
    const next = nextPath(`/${text}`);
    const url = new URL(signInPath(`/${text}`), BASE);
    assertEquals(url.pathname, "/sign-in");
    assertEquals(nextPath(url.searchParams.get("next")), next);
  }));
});
