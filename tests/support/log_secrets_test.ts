import { assertEquals, assertMatch } from "@std/assert";
import { faultFields } from "../../routes/fault.ts";
import { holds, leaksIn } from "./log_secrets.ts";
import { SecretBook } from "./secret_book.ts";

const RANDOM = "q5Qx0_V7f-2sJzRkT1mWb8nYc4LdHgEaUo6iPvXtS9w";

const LEAKS: readonly (readonly [kind: string, text: string])[] = [
  ["access token", `svc_at_grant_1_${RANDOM}`],
  ["refresh token", `svc_rt_grant_1_${RANDOM}`],
  ["authorization code", `svc_ac_${RANDOM}`],
  ["verifier", `code_verifier=${RANDOM}`],
  ["verifier", '{"code_verifier":"short-one"}'],
  ["assertion", "client_assertion=a.b.c"],
  ["cookie", "svc_sess=abc.def"],
  ["cookie", "svc_sess_preview=abc.def"],
  ["cookie", "__Host-svc_sign_in=abc.def"],
  ["mail address", "ada@example.com"],
  ["mail address", "ada%40example.com"],
  ["mail address", "jörg.ä@büro.example"],
  ["redirect", "http://127.0.0.1:5/cb?code=abc&state=x"],
  ["redirect", "https://client.example/cb?iss=https%3A%2F%2Fapi.example"],
  ["redirect", "/cb?state=x"],
  ["payment token", "spt_1RgaZcFPC5QUO6ZCDVZuVA8q"],
  ["payment credential", "Payment eyJjaGFsbGVuZ2UiOnt9fQ"],
  ["authorization", "Authorization: Payment id=abc"],
  ["authorization", '{"authorization":"Basic YTpi"}'],
  ["authorization", `Bearer ${RANDOM.slice(0, 20)}`],
  ["payment receipt", "Payment-Receipt: abc123"],
  ["payment receipt", '{"payment-receipt":"abc123"}'],
  ["signed text", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"],
  ["key of the processor", "sk_test_abcdef123456"],
  ["secret", RANDOM],
];

for (const [kind, text] of LEAKS) {
  Deno.test(`a log that tells a secret is found and masked: ${kind}, "${text}"`, () => {
    const line = JSON.stringify({ level: "info", event: "x", what: text });
    const leaks = leaksIn(`{"status":200}\n${line}\n{"status":200}\n`);
    assertEquals(leaks.length, 1);
    const [kinds = "", masked = ""] = leaks[0]?.split(": {") ?? [];
    assertEquals(kinds.split(", ").includes(kind), true, kinds);
    assertMatch(masked, /"event":"x".*\[[a-z ]+\]/);
    assertEquals(masked.includes(text), false);
  });
}

for (
  const [kind, text] of [
    ["access token", "opaque-token"],
    ["refresh token", "another-opaque-token"],
    ["verifier", "a-verifier"],
    ["cookie", "AbCdEfGhIj"],
    ["e-mail code", "01234567"],
    ["e-mail address", "ada@localhost"],
    ["payment credential", "opaque-credential"],
    ["payment receipt", "opaque-receipt"],
  ] as const
) {
  Deno.test(`a secret that the test knows is found whatever it looks like: ${kind}`, () => {
    const book = new SecretBook();
    book.add(kind, text);
    const line = JSON.stringify({ event: "x", what: `<${text}>` });
    assertEquals(leaksIn(line), []);
    assertEquals(leaksIn(line, book.entries()), [
      `${kind}: {"event":"x","what":"<[${kind}]>"}`,
    ]);
  });
}

Deno.test("of many secrets those are found that a log tells, wherever they stand in it", () => {
  const secrets = Array.from(
    { length: 50 },
    (_, nth) => `opaque-${nth}`.padEnd(8 + nth % 3, "x"),
  );
  const [first = "", inside = "", last = ""] = secrets.slice(20);
  const line = `${first} told <${inside}>, and ${last}`;
  const known = secrets.map((text) => ["cookie", text] as const);
  assertEquals(leaksIn(`a plain line\n${line}`, known), [
    "cookie: [cookie] told <[cookie]>, and [cookie]",
  ]);
});

Deno.test("an e-mail code is not found in a longer number", () => {
  assertEquals(holds('{"ms":1012345678}', "01234567"), false);
  assertEquals(holds("code 01234567.", "01234567"), true);
});

Deno.test("the secrets of a request and its answer are noted", async () => {
  const book = new SecretBook();
  const form = new URLSearchParams({
    code: "the-code",
    code_verifier: "the-verifier",
    refresh_token: "first-refresh-token",
    email: "ada@localhost",
  });
  const headers = {
    authorization: "Payment the-credential",
    cookie: "a=b.the-cookie",
  };
  const request = new Request("http://localhost/cb?state=the-state", {
    headers,
  });
  book.noteRequest(request, form);
  const location = "http://localhost/cb?code=a-new-code&iss=x";
  await book.noteResponse(Response.json({ access_token: "the-token" }, {
    headers: {
      location,
      "payment-receipt": "the-receipt",
      "set-cookie": "svc_sess=new-cookie; Path=/",
    },
  }));
  assertEquals(book.entries().map(([, text]) => text).toSorted(), [
    "a-new-code",
    "ada@localhost",
    "b.the-cookie",
    "first-refresh-token",
    location,
    "new-cookie",
    "the-code",
    "the-cookie",
    "the-credential",
    "the-receipt",
    "the-state",
    "the-token",
    "the-verifier",
  ]);
});

Deno.test("ordinary lines of a log tell no secret", () => {
  const lines = [
    '{"id":"req_1","method":"GET","route":"/api/v1/spotlights/:day"}',
    '{"event":"fetch.refused","host":"client.example","reason":"size"}',
    '{"event":"vat.checked","account":"acc_abcdefghijkmnpqrstuv"}',
    '{"event":"x","grant":"0011223344556677","what":"Payment processing"}',
    JSON.stringify({
      event: "fault",
      ...faultFields(
        "req_1",
        new Error(
          `GET https://a.example/cb?code=x Bearer ${RANDOM} of ada@example.com`,
        ),
      ),
    }),
  ];
  assertEquals(leaksIn(lines.join("\n")), []);
});
