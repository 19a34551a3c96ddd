import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { faultFields, scrub } from "../../routes/fault.ts";

const PRIVATE: readonly [what: string, text: string, kept: string][] = [
  ["an e-mail", "no account for ada@example.org", "ada"],
  ["an encoded e-mail", "?x=1 of ada%40example.org", "ada"],
  ["an access token", "token svc_at_g_abc", "abc"],
  ["a refresh token", "token svc_rt_g_abc", "abc"],
  ["an authorization code", "code svc_ac_abc", "abc"],
  ["a verifier", "code_verifier=abc", "abc"],
  ["a cookie", "cookie __Host-svc_sess=abc.def", "abc"],
  ["signed text", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "e30"],
  ["a payment credential", "Authorization: Payment abc", "abc"],
  ["a payment receipt", "Payment-Receipt: abc", "abc"],
  ["a bearer token", "Authorization: Bearer abc.def", "abc.def"],
  ["a processor key", "key sk_live_51Q0r3sT4", "51Q0r3sT4"],
  ["a payment token", "token spt_0123456789", "0123456789"],
  ["a long token", `at ${"a1".repeat(22)}`, "a1a1"],
  ["an address", "from 192.0.2.44", "192.0.2"],
  ["a query", "GET https://x.example/ask?query=secret", "secret"],
];

for (const [what, text, kept] of PRIVATE) {
  Deno.test(`scrub() takes ${what} out`, () => {
    assert(!scrub(text).includes(kept), scrub(text));
  });
}

Deno.test("scrub() keeps what says where a fault is", () => {
  const text = "TypeError: x is not a function\n    at routes/site/ask.ts:10:5";
  assertEquals(scrub(text), text);
});

Deno.test("faultFields() reads whatever was thrown", () => {
  const fields = faultFields("req_1", new TypeError("of ada@example.org"));
  assertEquals(fields.request, "req_1");
  assertEquals(fields.error, "TypeError");
  assertStringIncludes(fields.stack ?? "", "of [e-mail]");
  assertStringIncludes(faultFields("req_1", "text").stack ?? "", "text");
});
