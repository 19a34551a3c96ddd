import { assert, assertEquals } from "@std/assert";
import { type Config, parseConfig } from "../../config/config.ts";
import { siteCookies } from "../../app/site_cookies.ts";

const ID = "A".repeat(43);

const SECRET = "q0Jx9sT2mVwZ5yR8bN1cKfL4hD7gPaEuI3oYtXjMWls";

function configOf(environment: string, secrets = SECRET): Config {
  return parseConfig({
    DENO_DEPLOY: "true",
    ENVIRONMENT: environment,
    BASE_URL: "https://spotlight.dev",
    AUTH_URL: "https://api.spotlight.dev",
    DOCS_MCP_URL: "https://docs.spotlight.dev/mcp",
    SECRETS: secrets,
    STRIPE_SECRET_KEY: environment === "preview"
      ? "sk_test_51Q0r3sT4uV5wX6yZ"
      : "sk_live_51Q0r3sT4uV5wX6yZ",
    STRIPE_WEBHOOK_SECRET: "whsec_9fN2kLmQ8rT5vX1z",
    STRIPE_PUBLISHABLE_KEY: environment === "preview"
      ? "pk_test_51Q0r3sT4uV5wX6yZ"
      : "pk_live_51Q0r3sT4uV5wX6yZ",
    STRIPE_PROFILE_ID: "profile_61Q0r3s",
    MAIL_URL: "smtps://user:word@mail.example:465",
    OPERATOR_EMAILS: "ada@spotlight.dev",
    SELLER_NAME: "Spotlight SIA",
    SELLER_ADDRESS: "Brivibas iela 1, LV-1010 Riga",
    SELLER_COUNTRY: "LV",
    SELLER_VAT_ID: "LV40003000000",
    SELLER_EMAIL: "billing@spotlight.dev",
  });
}

function requestWith(cookie: string): Request {
  return new Request("https://spotlight.dev/", { headers: { cookie } });
}

/** What a browser would send back. */
function pairOf(setCookie: string): string {
  return setCookie.split("; ")[0] ?? "";
}

Deno.test("S3 preview and production cookies differ in name and key", () => {
  const production = siteCookies(configOf("production")).sessionCookie;
  const preview = siteCookies(configOf("preview")).sessionCookie;
  const ours = pairOf(production.set(ID));
  const theirs = pairOf(preview.set(ID));
  assert(ours.startsWith("svc_sess="));
  assert(theirs.startsWith("svc_sess_preview="));
  assertEquals(production.read(requestWith(ours)), ID);
  assertEquals(production.read(requestWith(theirs)), null);
  const renamed = theirs.replace("svc_sess_preview=", "svc_sess=");
  assertEquals(production.read(requestWith(renamed)), null);
});

Deno.test("S3 the two cookies of the site have keys of their own", () => {
  const { sessionCookie, signInCookie } = siteCookies(configOf("production"));
  const pair = pairOf(signInCookie.set(ID));
  assert(pair.startsWith("svc_sign_in="));
  const renamed = pair.replace("svc_sign_in=", "svc_sess=");
  assertEquals(sessionCookie.read(requestWith(renamed)), null);
});

Deno.test("S4 cookies are Secure, HttpOnly, Lax and host-only", () => {
  const { sessionCookie } = siteCookies(configOf("production"));
  assertEquals(
    sessionCookie.set(ID).split("; ").slice(1),
    ["Max-Age=2592000", "Path=/", "Secure", "HttpOnly", "SameSite=Lax"],
  );
});

Deno.test("a new first secret keeps everyone signed in", () => {
  const [old, fresh] = [SECRET, "Zt7Rk2WqXv9LmB4nJc6PhYd1sFgU8eAoI5yT0xKwQbM"];
  const before = siteCookies(configOf("production", old)).sessionCookie;
  const both = configOf("production", `${fresh},${old}`);
  const { sessionCookie } = siteCookies(both);
  const pair = pairOf(before.set(ID));
  assertEquals(sessionCookie.read(requestWith(pair)), ID);
});

Deno.test("the cookie of a known device says nothing, and is good for its address alone", () => {
  const { deviceCookie, sessionCookie } = siteCookies(configOf("production"));
  const set = deviceCookie.set(ID, "ada@example.com");
  const pair = pairOf(set);
  assert(pair.startsWith(`svc_device=${ID}.`) && !set.includes("ada"));
  assertEquals(
    set.split("; ").slice(1),
    ["Max-Age=34560000", "Path=/", "Secure", "HttpOnly", "SameSite=Lax"],
  );
  const read = (about?: string) => deviceCookie.read(requestWith(pair), about);
  assertEquals(read("ada@example.com"), ID);
  assertEquals(read("bob@example.com"), null);
  assertEquals(read(), null, "without an address it is nobody's");
  const renamed = pair.replace("svc_device=", "svc_sess=");
  assertEquals(sessionCookie.read(requestWith(renamed)), null);
  const preview = siteCookies(configOf("preview")).deviceCookie;
  assert(preview.set(ID, "a").startsWith("svc_device_preview="));
});

Deno.test("a new first secret keeps devices known", () => {
  const [old, fresh] = [SECRET, "Zt7Rk2WqXv9LmB4nJc6PhYd1sFgU8eAoI5yT0xKwQbM"];
  const about = "ada@example.com";
  const before = siteCookies(configOf("production", old)).deviceCookie;
  const pair = pairOf(before.set(ID, about));
  const both = siteCookies(configOf("production", `${fresh},${old}`));
  assertEquals(both.deviceCookie.read(requestWith(pair), about), ID);
  const after = siteCookies(configOf("production", fresh)).deviceCookie;
  assertEquals(after.read(requestWith(pair), about), null);
});
