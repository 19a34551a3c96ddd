import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { deriveKey, deriveKeys } from "../../config/keys.ts";
import { parseConfig } from "../../config/config.ts";
import { SECRETS_MAX } from "../../config/variables.ts";
import {
  complaints,
  DEVELOPMENT,
  inDevelopment,
  memoryFile,
  outside,
  PREVIEW,
  PRODUCTION,
  RANDOM_A,
  RANDOM_B,
} from "../support/environments.ts";

Deno.test("parseConfig() gives development the documented defaults", () => {
  const config = parseConfig(DEVELOPMENT);
  assertEquals(config.settings, {
    environment: "development",
    baseUrl: "http://localhost:8000",
    authUrl: "http://localhost:8001",
    docsMcpUrl: "http://localhost:8002/mcp",
    auctionHours: { opensAtMinute: 0, closesAtMinute: 23 * 60 + 55 },
    operatorEmails: ["operator@example.com"],
    alertWebhookUrl: null,
    refundFourEyesCents: 50_000,
    seller: {
      name: "Spotlight Example SIA",
      address: "Example iela 1, LV-1010 Riga",
      country: "LV",
      vatId: "LV00000000000",
      email: "billing@example.com",
    },
  });
  assertEquals(config.port, null);
  assertEquals(config.dataDir, ".data");
  assertEquals(config.store, { kind: "file", path: ".data/spotlight.sqlite3" });
  assertEquals(config.stripe.apiBase, "http://localhost:8003");
  assertEquals(config.mailUrl, "outbox:");
  assertEquals(config.trustedProxyHops, 0);
  assertEquals(config.sessionCookie, "svc_sess");
});

Deno.test("parseConfig() reads a production environment", () => {
  const config = parseConfig(PRODUCTION);
  assertEquals(config.settings.environment, "production");
  assertEquals(config.store, { kind: "managed" });
  assertEquals(config.stripe.apiBase, null);
  assertEquals(config.settings.operatorEmails, [
    "ada@spotlight.dev",
    "grace@spotlight.dev",
  ]);
});

Deno.test("parseConfig() refuses an unnamed store where no platform provides one", () => {
  const elsewhere = {
    ...PRODUCTION,
    DENO_DEPLOY: "",
    TRUSTED_PROXY_HOPS: "1",
  };
  assertEquals(complaints(elsewhere), [
    "Cannot start: DATA_DIR or KV_URL must say where the store is: only Deno " +
    "Deploy provides one that is not named",
  ]);
  assertEquals(parseConfig({ ...elsewhere, DATA_DIR: "/d" }).dataDir, "/d");
});

Deno.test("parseConfig() refuses proxy headers that anyone can send", () => {
  const DENO_TRUST_PROXY_HEADERS = "1";
  assertEquals(complaints(inDevelopment({ DENO_TRUST_PROXY_HEADERS })), [
    "Cannot start: DENO_TRUST_PROXY_HEADERS must not be set outside Deno " +
    "Deploy: anyone could choose an address, use TRUSTED_PROXY_HOPS",
  ]);
  parseConfig({ ...PRODUCTION, DENO_TRUST_PROXY_HEADERS });
});

Deno.test("parseConfig() names the cookie of the preview environment", () => {
  const config = parseConfig(PREVIEW);
  assertEquals(config.sessionCookie, "svc_sess_preview");
});

Deno.test("parseConfig() puts the store where the variables say", () => {
  const remote = {
    ...PRODUCTION,
    KV_URL: "https://kv.example/",
    DENO_KV_ACCESS_TOKEN: "token",
  };
  assertEquals(parseConfig({ ...remote, DATA_DIR: "/d" }).store, {
    kind: "remote",
    url: "https://kv.example",
  });
  assertEquals(parseConfig({ ...PRODUCTION, DATA_DIR: "/d" }).store, {
    kind: "file",
    path: "/d/spotlight.sqlite3",
  });
});

Deno.test("parseConfig() wants the access token of a remote store", () => {
  const KV_URL = "https://kv.example";
  for (const DENO_KV_ACCESS_TOKEN of [undefined, ""]) {
    assertEquals(complaints({ ...PRODUCTION, KV_URL, DENO_KV_ACCESS_TOKEN }), [
      "Cannot start: DENO_KV_ACCESS_TOKEN must be the access token of the KV " +
      "server that KV_URL names, it is not set",
    ]);
  }
});

Deno.test("parseConfig() takes an empty variable as not set", () => {
  assertEquals(
    parseConfig(inDevelopment({ PORT: "", AUCTION_OPENS_AT: "" })).port,
    null,
  );
});

Deno.test("parseConfig() drops the trailing slash of an address", () => {
  const config = parseConfig(
    inDevelopment({ BASE_URL: "http://LOCALHOST:8000/" }),
  );
  assertEquals(config.settings.baseUrl, "http://localhost:8000");
});

const BAD: readonly [name: string, value: string, complaint: string][] = [
  ["ENVIRONMENT", "prod", "one of development, preview, production"],
  ["BASE_URL", "localhost:8000", "an http or https address without a path"],
  ["BASE_URL", "ftp://localhost", "an http or https address without a path"],
  ["BASE_URL", "http://a/b", "an http or https address without a path"],
  ["BASE_URL", "http://u:p@a", "an http or https address without a path"],
  ["AUTH_URL", "http://a?b", "an http or https address without a path"],
  ["DOCS_MCP_URL", "nowhere", "an http or https address"],
  ["PORT", "65536", "a whole number from 0 to 65535"],
  ["PORT", "80a", "a whole number from 0 to 65535"],
  ["TRUSTED_PROXY_HOPS", "-1", "a whole number from 0 to 16"],
  ["AUCTION_OPENS_AT", "9:00", "a time written HH:MM"],
  ["AUCTION_CLOSES_AT", "25:00", "a time written HH:MM"],
  [
    "OPERATOR_EMAILS",
    "ada@example.org,x",
    "one or more e-mail addresses, separated by commas",
  ],
  [
    "SELLER_COUNTRY",
    "Latvia",
    "a country code of ISO 3166-1, two capital letters: Greece is GR, the " +
    "United Kingdom with Northern Ireland GB",
  ],
  ["SELLER_EMAIL", "nobody", "an e-mail address"],
];

for (const [name, value, wanted] of BAD) {
  Deno.test(`parseConfig() refuses ${name} ${JSON.stringify(value)}`, () => {
    assertEquals(complaints(inDevelopment({ [name]: value })), [
      `Cannot start: ${name} must be ${wanted}, ` +
      `current value is ${JSON.stringify(value)}`,
    ]);
  });
}

Deno.test("parseConfig() refuses an auction that closes before it opens", () => {
  const env = inDevelopment({
    AUCTION_OPENS_AT: "10:00",
    AUCTION_CLOSES_AT: "10:00",
  });
  assertEquals(complaints(env), [
    "Cannot start: AUCTION_CLOSES_AT must be later than AUCTION_OPENS_AT, " +
    'current values are "10:00" and "10:00"',
  ]);
});

Deno.test("parseConfig() refuses two hosts with one address", () => {
  assertEquals(
    complaints(inDevelopment({ AUTH_URL: "http://localhost:8000" })),
    [
      "Cannot start: BASE_URL, AUTH_URL and DOCS_MCP_URL must be on three " +
      "different hosts",
    ],
  );
});

Deno.test("parseConfig() names every bad value at once", () => {
  const env = { ...PRODUCTION, PORT: "x", SELLER_EMAIL: "y", BASE_URL: "z" };
  assertEquals(complaints(env).length, 3);
  // What contradicts something else is named with them.
  const all = { ...env, AUTH_URL: "http://a", MAIL_URL: "outbox:" };
  assertEquals(complaints(all).length, 5);
  const elsewhere = { ...all, DENO_DEPLOY: "" };
  assertEquals(complaints(elsewhere).length, 7);
});

for (
  const name of [
    "BASE_URL",
    "AUTH_URL",
    "DOCS_MCP_URL",
    "SECRETS",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_PROFILE_ID",
    "MAIL_URL",
    "OPERATOR_EMAILS",
    "SELLER_NAME",
    "SELLER_VAT_ID",
  ]
) {
  Deno.test(`parseConfig() needs ${name} outside development`, () => {
    const [complaint, ...others] = complaints({ ...PRODUCTION, [name]: "" });
    assertStringIncludes(complaint ?? "", `Cannot start: ${name} must be`);
    assertStringIncludes(complaint ?? "", "it is not set");
    assertEquals(others, []);
  });
}

const DANGERS: readonly [name: string, value: string][] = [
  ["BASE_URL", "http://spotlight.dev"],
  ["AUTH_URL", "http://api.spotlight.dev"],
  ["DOCS_MCP_URL", "http://docs.spotlight.dev/mcp"],
  ["KV_URL", "http://kv.example"],
  ["STRIPE_API_BASE", "https://simulator.example"],
  ["STRIPE_SECRET_KEY", "sk_test_simulator"],
  ["STRIPE_WEBHOOK_SECRET", "whsec_simulator"],
  ["STRIPE_WEBHOOK_SECRET", "whsec_9fN2kLmQ8rT5vX1z, whsec_simulator"],
  ["MAIL_URL", "outbox:"],
];

for (const environment of ["preview", "production"]) {
  for (const [name, value] of DANGERS) {
    Deno.test(`parseConfig() refuses ${name} ${value} in ${environment}`, () => {
      const env = {
        ...outside(environment),
        DENO_KV_ACCESS_TOKEN: "token",
        [name]: value,
      };
      const [complaint, ...others] = complaints(env);
      assertStringIncludes(complaint ?? "", `Cannot start: ${name} must `);
      assertEquals(others, []);
    });
  }
}

Deno.test("parseConfig() never prints a secret it refuses", () => {
  const env = inDevelopment({
    SECRETS: "short-and-secret",
    OPERATOR_KEY: "short-and-secret",
    STRIPE_SECRET_KEY: "short-and-secret",
    STRIPE_WEBHOOK_SECRET: "short-and-secret",
    MAIL_URL: "http://user:short-and-secret@mail.example",
    KV_URL: "ftp://short-and-secret",
  });
  const found = complaints(env);
  assertEquals(found.length, Object.keys(env).length - 1);
  for (const line of found) assert(!line.includes("short-and-secret"), line);
});

Deno.test("parseConfig() refuses a weak key beside a strong one", () => {
  const SECRETS = `${RANDOM_A},${RANDOM_B.slice(0, 31)}`;
  assertEquals(complaints({ ...PRODUCTION, SECRETS }).length, 1);
});

Deno.test("parseConfig() takes 16 secrets and no more, in one sentence", () => {
  const secrets = (count: number) =>
    Array.from({ length: count }, (_, nth) => `${RANDOM_A}${nth}`).join();
  const { secrets: most } = parseConfig({
    ...PRODUCTION,
    SECRETS: secrets(SECRETS_MAX),
  });
  assertEquals([SECRETS_MAX, most.length], [16, 16]);
  const SECRETS = secrets(SECRETS_MAX + 1);
  const found = complaints({ ...PRODUCTION, SECRETS });
  assertEquals(found.length, 1);
  assertStringIncludes(found[0] ?? "", "one to 16 keys");
});

Deno.test("parseConfig() reads the webhook secrets of two endpoints, new and old", () => {
  const secrets = (STRIPE_WEBHOOK_SECRET: string) =>
    parseConfig({ ...PRODUCTION, STRIPE_WEBHOOK_SECRET }).stripe.webhookSecrets;
  const first = `whsec_${RANDOM_A.slice(1)}`;
  const second = `whsec_${RANDOM_B}`;
  assertEquals(secrets(first), [first]);
  assertEquals(secrets(`${first}, ${second}`), [first, second]);
  const four = [first, second, `${first}9`, `${second}9`];
  assertEquals(secrets(four.join()), four);
});

for (
  const value of [
    "whsec_1,whsec_2,whsec_3,whsec_4,whsec_5",
    "whsec_1,",
    "whsec_1,sk_2",
  ]
) {
  Deno.test(`parseConfig() refuses STRIPE_WEBHOOK_SECRET ${value}`, () => {
    const env = { ...PRODUCTION, STRIPE_WEBHOOK_SECRET: value };
    assertEquals(complaints(env), [
      "Cannot start: STRIPE_WEBHOOK_SECRET must be a webhook secret beginning " +
      "with whsec_, or up to four separated by commas, current value (not " +
      "shown) is not",
    ]);
  });
}

Deno.test("parseConfig() tells by the processor's key whether money is real", () => {
  const livemode = (STRIPE_SECRET_KEY: string) =>
    parseConfig({
      ...outside(STRIPE_SECRET_KEY.includes("live") ? "production" : "preview"),
      STRIPE_SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: STRIPE_SECRET_KEY.replace(/^.k/, "pk"),
    }).stripe.livemode;
  assertEquals(livemode("sk_live_51Q0r3sT4uV5wX6yZ"), true);
  assertEquals(livemode("rk_live_51Q0r3sT4uV5wX6yZ"), true);
  assertEquals(livemode("sk_test_51Q0r3sT4uV5wX6yZ"), false);
});

Deno.test("parseConfig() keeps the secret that development generates", () => {
  const file = memoryFile();
  const first = parseConfig(inDevelopment({ DATA_DIR: "d" }), file);
  assertEquals([...file.files.keys()], ["d/secrets"]);
  assertEquals(
    parseConfig(inDevelopment({ DATA_DIR: "d" }), file).secrets,
    first.secrets,
  );
  const other = parseConfig(inDevelopment({ DATA_DIR: "d" }), memoryFile());
  assertNotEquals(other.secrets, first.secrets);
});

Deno.test("parseConfig() generates no secret where one is given", () => {
  const file = memoryFile();
  parseConfig(inDevelopment({ SECRETS: "k".repeat(32) }), file);
  assertEquals(file.files.size, 0);
});

Deno.test("parseConfig() derives an operator key from each secret, the first one's first", () => {
  const [a, b] = ["a".repeat(32), "b".repeat(32)];
  const keysOf = (SECRETS: string) =>
    parseConfig(inDevelopment({ SECRETS })).operatorKeys;
  const [first, second] = keysOf(`${a},${b}`);
  assertEquals(keysOf(a), [first]);
  assertEquals<readonly unknown[]>(keysOf(b), [second]);
  assertNotEquals(first, second);
  assertEquals(first.length, 43);
});

Deno.test("parseConfig() takes the operator keys that are given, several while one replaces another", () => {
  const [a, b] = ["o".repeat(32), "p".repeat(32)];
  const keysOf = (OPERATOR_KEY: string) =>
    parseConfig(inDevelopment({ OPERATOR_KEY })).operatorKeys;
  assertEquals(keysOf(a), [a]);
  assertEquals<readonly string[]>(keysOf(`${a}, ${b}`), [a, b]);
  assertEquals(
    complaints(inDevelopment({ OPERATOR_KEY: `${a},short` })).length,
    1,
  );
});

Deno.test("deriveKey() gives each label and secret a key of its own", () => {
  const [a, b] = ["a".repeat(32), "b".repeat(32)] as const;
  const key = deriveKey([a, b], "one");
  assertEquals(key.length, 32);
  assertEquals(deriveKey([a], "one"), key);
  assertNotEquals(deriveKey([a], "two"), key);
  assertNotEquals(deriveKey([b], "one"), key);
  assertEquals(deriveKeys([b, a], "one")[1], key);
});

Deno.test("traces are exported only without the addresses of requests", () => {
  const wanted = "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT must be 1 where OTEL_DENO is";
  for (const limit of [undefined, "0", "2", "128"]) {
    const env = {
      ...PRODUCTION,
      OTEL_DENO: "true",
      ...limit !== undefined && { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: limit },
    };
    const [complaint = "", ...others] = complaints(env);
    assertEquals([complaint.includes(wanted), others], [true, []], limit);
  }
  const observed = { OTEL_DENO: "1", OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "1" };
  assertEquals(parseConfig({ ...PRODUCTION, ...observed }).isObserved, true);
  assertEquals(parseConfig({ ...PRODUCTION }).isObserved, false);
});
