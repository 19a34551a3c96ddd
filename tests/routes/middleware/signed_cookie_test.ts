import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { deriveKeys } from "../../../config/keys.ts";
import { signedCookie } from "../../../routes/middleware/signed_cookie.ts";
import { testCookie } from "../../support/cookies.ts";
import { assertRefused } from "../../support/refused.ts";

const ID = "A".repeat(43);

function request(cookie: string): Request {
  return new Request("https://spotlight.example/", { headers: { cookie } });
}

/** What a browser sends back of a Set-Cookie header. */
function pairOf(setCookie: string): string {
  return setCookie.split("; ")[0] ?? "";
}

Deno.test("S4 the session cookie is host-only, HttpOnly, Secure and Lax", () => {
  const cookie = testCookie("svc_sess").set(ID);
  const [pair, ...attributes] = cookie.split("; ");
  assert(pair?.startsWith(`svc_sess=${ID}.`));
  assertEquals(attributes.toSorted(), [
    "HttpOnly",
    "Max-Age=3600",
    "Path=/",
    "SameSite=Lax",
    "Secure",
  ]);
});

Deno.test("S4 taking the cookie away has the same attributes", () => {
  assertEquals(
    testCookie("svc_sess").clear(),
    "svc_sess=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax",
  );
});

Deno.test("a cookie is read among others", () => {
  const cookie = testCookie("svc_sess");
  const pair = pairOf(cookie.set(ID));
  assertEquals(cookie.read(request(`a=1; ${pair};b=2`)), ID);
  assertEquals(cookie.read(request("a=1; svc_session=2; xsvc_sess=3")), null);
  assertEquals(cookie.read(new Request("https://spotlight.example/")), null);
});

Deno.test("S2 two svc_sess cookies are refused", async () => {
  const cookie = testCookie("svc_sess");
  const pair = pairOf(cookie.set(ID));
  for (
    const header of [
      `${pair}; ${pair}`,
      `${pair}; svc_sess=x`,
      `svc_sess=; ${pair}`,
      `${pair}, svc_sess=x`,
      `a=1;svc_sess=x;b=2;\t${pair}`,
    ]
  ) await assertRefused(() => cookie.read(request(header)), "cookie_repeated");
  const twice = new Headers([["cookie", pair], ["cookie", pair]]);
  const sent = new Request("https://spotlight.example/", { headers: twice });
  await assertRefused(() => cookie.read(sent), "cookie_repeated");
});

Deno.test("S3 a preview cookie is nobody's in production", () => {
  const production = testCookie("svc_sess", "production");
  const preview = testCookie("svc_sess", "preview");
  const pair = pairOf(preview.set(ID));
  assertEquals(preview.read(request(pair)), ID);
  assertEquals(production.read(request(pair)), null);
});

Deno.test("S3 another cookie's signature is not the session's", () => {
  const session = testCookie("svc_sess");
  const pair = pairOf(testCookie("svc_sign_in").set(ID));
  const tossed = pair.replace("svc_sign_in=", "svc_sess=");
  assertEquals(session.read(request(tossed)), null);
});

Deno.test("S3 a cookie set about something is nobody's about anything else", () => {
  const cookie = testCookie("svc_device");
  const [about, plain] = [cookie.set(ID, "ada"), cookie.set(ID)].map((header) =>
    request(pairOf(header))
  );
  assert(about !== undefined && plain !== undefined);
  assertEquals(cookie.read(about, "ada"), ID);
  assertEquals(cookie.read(about, "bob"), null);
  assertEquals(cookie.read(about), null);
  assertEquals(cookie.read(plain, "ada"), null);
  assertEquals(cookie.read(plain, "undefined"), null);
});

Deno.test("S3 any other value or signature is nobody's", () => {
  const cookie = testCookie("svc_sess");
  const [name = "", value = ""] = pairOf(cookie.set(ID)).split("=");
  const character = fc.constantFrom(...'AZaz09-_.=% "');
  fc.assert(fc.property(
    fc.nat(value.length - 1),
    character,
    (at, other) => {
      fc.pre(value[at] !== other);
      const changed = value.slice(0, at) + other + value.slice(at + 1);
      assertEquals(cookie.read(request(`${name}=${changed}`)), null);
    },
  ));
  for (const short of ["", ".", ID, `${ID}.`, `.${ID}`, value.slice(0, -1)]) {
    assertEquals(cookie.read(request(`${name}=${short}`)), null);
  }
});

Deno.test("a cookie signed before a rotation still verifies", () => {
  const options = { name: "svc_sess", secure: true, maxAgeS: 60 };
  const [old, fresh] = ["o", "n"].map((letter) => letter.repeat(32));
  assert(old !== undefined && fresh !== undefined);
  const label = "cookie|svc_sess|production";
  const before = signedCookie({ ...options, keys: deriveKeys([old], label) });
  const during = signedCookie({
    ...options,
    keys: deriveKeys([fresh, old], label),
  });
  const after = signedCookie({ ...options, keys: deriveKeys([fresh], label) });
  const pair = pairOf(before.set(ID));
  assertEquals(during.read(request(pair)), ID);
  assertEquals(after.read(request(pair)), null);
  assertEquals(after.read(request(pairOf(during.set(ID)))), ID);
});

Deno.test("a cookie is not Secure on a developer's http", () => {
  const keys = deriveKeys(["s".repeat(32)], "label");
  const cookie = signedCookie({ name: "a", keys, secure: false, maxAgeS: 1 });
  assert(!cookie.set(ID).includes("Secure"));
});

Deno.test("a cookie is found by looking at little of a long header", () => {
  const cookie = testCookie("svc_sess");
  const pair = pairOf(cookie.set(ID));
  const { trim } = String.prototype;
  let looks = 0;
  String.prototype.trim = function () {
    looks++;
    return trim.call(this);
  };
  try {
    const crowd = ";".repeat(60_000);
    assertEquals(cookie.read(request(`a=1${crowd}${pair}${crowd}b=2`)), ID);
    assertEquals(cookie.read(request(`svc_sess=${"x".repeat(60_000)}`)), null);
  } finally {
    String.prototype.trim = trim;
  }
  assert(looks < 10, `${looks} parts were looked at`);
});
