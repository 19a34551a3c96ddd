import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigError, parseConfig } from "../../config/config.ts";
import { looksLikePlaceholder } from "../../config/weak_secret.ts";
import {
  complaints,
  inDevelopment,
  memoryFile,
  outside,
  PREVIEW,
  PRODUCTION,
  RANDOM_A,
  RANDOM_B,
} from "../support/environments.ts";

for (const ENVIRONMENT of [undefined, ""]) {
  Deno.test(`parseConfig() has no environment by default, ENVIRONMENT is ${ENVIRONMENT}`, () => {
    assertEquals(complaints({ ENVIRONMENT }), [
      "Cannot start: ENVIRONMENT must be one of development, preview, " +
      "production, it is not set",
    ]);
  });
}

for (const name of ["BASE_URL", "AUTH_URL", "DOCS_MCP_URL"]) {
  Deno.test(`parseConfig() refuses an https ${name} in development`, () => {
    const env = inDevelopment({ [name]: "https://spotlight.example" });
    assertEquals(complaints(env), [
      `Cannot start: ${name} must be an http address in development, which ` +
      "shows every sign-in code: set ENVIRONMENT to preview or production",
    ]);
  });
}

for (const url of ["http://chat.example/hook", "ftp://127.0.0.1/hook"]) {
  Deno.test(`parseConfig() posts no alert to ${url}, where its secret path would be read on the way`, () => {
    const env = inDevelopment({ ALERT_WEBHOOK_URL: url });
    const [complaint = ""] = complaints(env);
    assert(
      complaint.includes("ALERT_WEBHOOK_URL must be the https"),
      complaint,
    );
    assertEquals(complaint.includes(url), false);
  });
}

Deno.test("parseConfig() takes PORT and TRUSTED_PROXY_HOPS in development", () => {
  const env = inDevelopment({ PORT: "8080", TRUSTED_PROXY_HOPS: "2" });
  const { port, trustedProxyHops } = parseConfig(env);
  assertEquals([port, trustedProxyHops], [8080, 2]);
});

for (const key of ["sk_test_51Q0r3sT4", "rk_test_51Q0r3sT4", "sk_51Q0r3sT4"]) {
  const STRIPE = {
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: key.replace(/^.k/, "pk"),
  };
  Deno.test(`parseConfig() refuses the processor's key ${key} in production only`, () => {
    assertEquals(complaints({ ...PRODUCTION, ...STRIPE }), [
      "Cannot start: STRIPE_SECRET_KEY must be a live key (sk_live_ or " +
      "rk_live_) in production, current value (not shown) takes no money",
    ]);
    parseConfig({ ...PREVIEW, ...STRIPE });
  });
}

for (const key of ["sk_live_51Q0r3sT4", "rk_live_51Q0r3sT4"]) {
  const STRIPE = {
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: "pk_live_51Q0r3sT4",
  };
  Deno.test(`parseConfig() refuses the processor's key ${key} in preview, which is for trying`, () => {
    assertEquals(complaints({ ...PREVIEW, ...STRIPE }), [
      "Cannot start: STRIPE_SECRET_KEY must be a test key in preview, which " +
      "is for trying, current value (not shown) takes real money",
    ]);
    parseConfig({ ...PRODUCTION, ...STRIPE });
  });
}

for (const SELLER_COUNTRY of ["EL", "UK", "XX", "XI", "EU", "lv"]) {
  Deno.test(`parseConfig() takes no seller in ${SELLER_COUNTRY}, which is no country of ISO 3166`, () => {
    const SELLER_VAT_ID = `${SELLER_COUNTRY.toUpperCase()}123456789`;
    assertEquals(complaints({ ...PRODUCTION, SELLER_COUNTRY, SELLER_VAT_ID }), [
      "Cannot start: SELLER_COUNTRY must be a country code of ISO 3166-1, two " +
      "capital letters: Greece is GR, the United Kingdom with Northern " +
      `Ireland GB, current value is "${SELLER_COUNTRY}"`,
    ]);
  });
}

for (const environment of ["preview", "production"]) {
  Deno.test(`parseConfig() refuses processor keys of two modes in ${environment}`, () => {
    const env = {
      ...outside(environment),
      STRIPE_PUBLISHABLE_KEY: environment === "preview"
        ? "pk_live_51Q0r3sT4"
        : "pk_test_51Q0r3sT4",
    };
    assertEquals(complaints(env), [
      "Cannot start: STRIPE_PUBLISHABLE_KEY must be of the same mode, test or " +
      "live, as STRIPE_SECRET_KEY",
    ]);
  });

  Deno.test(`parseConfig() refuses a seller whose VAT id is another country's in ${environment}`, () => {
    const problems = (SELLER_COUNTRY: string, SELLER_VAT_ID: string) => {
      const env = { ...outside(environment), SELLER_COUNTRY, SELLER_VAT_ID };
      return complaints(env);
    };
    assertEquals(problems("DE", "LV40003000000"), [
      "Cannot start: SELLER_VAT_ID must begin with DE, as SELLER_COUNTRY is " +
      'DE, current value is "LV40003000000"',
    ]);
    assertEquals(problems("GR", "GR123456789").length, 1);
    assertEquals(problems("GB", "FR123456789").length, 1);
  });

  Deno.test(`parseConfig() takes the seller's VAT id of Greece, Northern Ireland and Monaco in ${environment}`, () => {
    for (
      const [SELLER_COUNTRY, SELLER_VAT_ID] of [
        ["GR", "EL123456789"],
        ["GB", "XI123456789"],
        ["GB", "GB123456789"],
        ["MC", "FR12345678901"],
      ]
    ) {
      const env = { ...outside(environment), SELLER_COUNTRY, SELLER_VAT_ID };
      parseConfig(env);
    }
  });

  Deno.test(`parseConfig() refuses no proxy outside the managed platform in ${environment}`, () => {
    const env = {
      ...outside(environment),
      DENO_DEPLOY: "",
      DATA_DIR: "/d",
    };
    assertEquals(complaints(env), [
      "Cannot start: TRUSTED_PROXY_HOPS must be 1 or more outside Deno Deploy: " +
      "the proxy that ends TLS would be taken for every client",
    ]);
    parseConfig({ ...env, TRUSTED_PROXY_HOPS: "1" });
  });
}

const PLACEHOLDERS: readonly string[] = [
  "changemechangemechangemechangeme",
  "k".repeat(40),
  "0123456789012345678901234567890123",
  "abcdefghijklmnopqrstuvwxyzabcdefgh",
  "zyxwvutsrqponmlkjihgfedcba9876543210",
  "please-change-this-before-you-start-x7",
  "my-very-secret-password-for-spotlight",
  "replace_me_with_32_random_characters!",
];
for (const placeholder of PLACEHOLDERS) {
  Deno.test(`parseConfig() refuses the placeholder ${placeholder} for a secret`, () => {
    const problem = (name: string) =>
      `Cannot start: ${name} must be random, current value (not shown) looks ` +
      "like a placeholder";
    for (
      const [name, value] of [
        ["SECRETS", placeholder],
        ["SECRETS", `${RANDOM_A},${placeholder}`],
        ["OPERATOR_KEY", placeholder],
        ["STRIPE_WEBHOOK_SECRET", `whsec_${placeholder}`],
      ] as const
    ) {
      assertEquals(complaints({ ...PRODUCTION, [name]: value }), [
        problem(name),
      ]);
    }
  });
}

Deno.test("parseConfig() takes every random key for one", () => {
  for (let count = 0; count < 2_000; count++) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const hex = bytes.toHex();
    for (const key of [hex, hex.slice(0, 32), bytes.toBase64()]) {
      assertEquals(looksLikePlaceholder(key), false, key);
    }
  }
});

Deno.test("parseConfig() names DATA_DIR when nothing can be kept there, with all else", () => {
  const disk = { ...memoryFile(), prepare: () => "cannot be used: no space" };
  const env = inDevelopment({ DATA_DIR: "/d", PORT: "x" });
  const { message } = assertThrows(() => parseConfig(env, disk), ConfigError);
  assertEquals(message.split("\n"), [
    'Cannot start: PORT must be a whole number from 0 to 65535, current value is "x"',
    "Cannot start: DATA_DIR must be a folder that the service can write to, " +
    '"/d" cannot be used: no space',
  ]);
  assertEquals(disk.files.size, 0);
});

for (const key of ["sk_live_51Q0r3sT4", "rk_live_51Q0r3sT4"]) {
  Deno.test(`parseConfig() refuses the key ${key} of real money in development`, () => {
    assertEquals(complaints(inDevelopment({ STRIPE_SECRET_KEY: key })), [
      "Cannot start: STRIPE_SECRET_KEY must be a test key in development, " +
      "current value (not shown) takes real money",
    ]);
  });
}

for (
  const [name, value] of [
    ["OPERATOR_KEY", RANDOM_B],
    ["STRIPE_WEBHOOK_SECRET", `whsec_${RANDOM_B}`],
  ] as const
) {
  for (const ENVIRONMENT of ["preview", "production"]) {
    Deno.test(`parseConfig() refuses a ${name} that is one of SECRETS in ${ENVIRONMENT}`, () => {
      const SECRETS = `${RANDOM_A},${RANDOM_B}`;
      const env = { ...outside(ENVIRONMENT), SECRETS, [name]: value };
      assertEquals(complaints(env), [
        `Cannot start: ${name} must be a key of its own, current value (not ` +
        "shown) is one of SECRETS",
      ]);
      parseConfig({ ...env, SECRETS: RANDOM_A });
    });
  }
}

/** As the processor writes them, and as long as ours have to be. */
const LIVE_KEY = `sk_live_${RANDOM_B}`;

for (
  const [name, value, other] of [
    ["OPERATOR_KEY", `whsec_${RANDOM_B}`, "STRIPE_WEBHOOK_SECRET"],
    ["OPERATOR_KEY", RANDOM_B, "STRIPE_WEBHOOK_SECRET"],
    ["OPERATOR_KEY", LIVE_KEY, "STRIPE_SECRET_KEY"],
    ["SECRETS", LIVE_KEY, "STRIPE_SECRET_KEY"],
    ["SECRETS", RANDOM_B, "DENO_KV_ACCESS_TOKEN"],
    ["OPERATOR_KEY", RANDOM_B, "BACKUP_SECRET_ACCESS_KEY"],
  ] as const
) {
  Deno.test(`parseConfig() refuses one key ${value.slice(0, 8)} for ${name} and ${other}`, () => {
    const env = {
      ...PRODUCTION,
      [name]: value,
      [other]: asWritten(other, value),
    };
    const [said, ...others] = complaints(env);
    assertEquals(others, []);
    const names = [name, other];
    assert(
      names.some((each) => said?.startsWith(`Cannot start: ${each} must`)),
    );
    assert(names.some((each) => said?.endsWith(`is one of ${each}`)), said);
  });
}

/** A key as the variable has it. */
function asWritten(name: string, key: string): string {
  const isBare = name === "STRIPE_WEBHOOK_SECRET" && !key.startsWith("whsec_");
  return isBare ? `whsec_${key}` : key;
}

Deno.test("parseConfig() refuses two addresses of one host name outside development, where cookies know no port", () => {
  const AUTH_URL = "https://spotlight.dev:8443";
  for (const ENVIRONMENT of ["preview", "production"]) {
    assertEquals(complaints({ ...outside(ENVIRONMENT), AUTH_URL }), [
      "Cannot start: BASE_URL, AUTH_URL and DOCS_MCP_URL must be on three " +
      `different host names in ${ENVIRONMENT}, not on ports of one: cookies ` +
      "know no port",
    ]);
  }
  parseConfig(inDevelopment({}));
});

for (
  const [name, value] of [
    ["SELLER_VAT_ID", "LV00000000000"],
    ["SELLER_EMAIL", "billing@example.com"],
  ] as const
) {
  Deno.test(`parseConfig() refuses the seller's ${name} ${value} in production`, () => {
    assertEquals(complaints({ ...PRODUCTION, [name]: value }), [
      `Cannot start: ${name} must be the seller's own in production, ` +
      `"${value}" is an example`,
    ]);
  });
}

for (
  const [DATA_DIR, BACKUP_TO] of [
    ["/var/lib/spotlight", "/var/lib/spotlight"],
    ["/var/lib/spotlight", "/var/lib/spotlight/backups"],
    ["/var/lib/spotlight/", "/var/lib/./x/../spotlight//backups/"],
    ["data", "./data/backups"],
  ] as const
) {
  Deno.test(`parseConfig() refuses backups to ${BACKUP_TO} of what is in ${DATA_DIR}`, () => {
    assertEquals(complaints({ ...PRODUCTION, DATA_DIR, BACKUP_TO }), [
      "Cannot start: BACKUP_TO must be on another disk or machine, current " +
      `value is "${BACKUP_TO}", which is in DATA_DIR`,
    ]);
    const elsewhere = { ...PRODUCTION, DATA_DIR, BACKUP_TO: "/mnt/backups" };
    parseConfig(elsewhere);
    parseConfig({ ...elsewhere, BACKUP_TO: "/var/lib/spotlight-backups" });
  });
}

for (
  const email of [
    "operator@example.com",
    "Ada@EXAMPLE.org",
    "ada@mail.example.net",
    "ada@spotlight.example",
  ]
) {
  Deno.test(`parseConfig() refuses the operator ${email} in production`, () => {
    const OPERATOR_EMAILS = `ada@spotlight.dev,${email}`;
    assertEquals(complaints({ ...PRODUCTION, OPERATOR_EMAILS }), [
      "Cannot start: OPERATOR_EMAILS must be addresses of operators in " +
      `production, "${email.toLowerCase()}" is an example`,
    ]);
  });
}

for (
  const address of [
    "https://localhost",
    "https://spotlight.localhost",
    "https://127.0.0.1",
    "https://192.0.2.1",
    "https://0x7f.1",
    "https://[::1]",
    "https://spotlight.dev.",
    "https://spotlight.example",
    "https://www.example.com",
    "https://spotlight.test",
  ]
) {
  Deno.test(`parseConfig() refuses the address ${address} in production`, () => {
    const [problem, ...others] = complaints({
      ...PRODUCTION,
      BASE_URL: address,
    });
    assertEquals(others, []);
    assertMatch(
      problem ?? "",
      /^Cannot start: BASE_URL must name a public host in production/,
    );
  });
}

Deno.test("a bucket for backups needs its keys, and https outside development", () => {
  const BACKUP_TO = "http://s3.example/bucket/folder";
  assertEquals(complaints({ ...PRODUCTION, BACKUP_TO }), [
    "Cannot start: BACKUP_ACCESS_KEY_ID must be the bucket's own, it is not set",
    "Cannot start: BACKUP_SECRET_ACCESS_KEY must be the bucket's own, it is " +
    "not set",
    "Cannot start: BACKUP_TO must be an https address in production",
  ]);
});

for (
  const place of [
    "HTTPS://s3.example/bucket",
    "s3://bucket/folder",
    "s3-eu://bucket/folder",
    "file:/mnt/backups",
    "sftp+ssh://host/folder",
    "https://s3.example/my backups",
    "https://s3.example/b%C3%BCro",
    "https://s3.example",
  ]
) {
  Deno.test(`BACKUP_TO=${place} is neither a folder nor a bucket, and stops the start`, () => {
    const [said = ""] = complaints({ ...PRODUCTION, BACKUP_TO: place });
    assert(said.startsWith("Cannot start: BACKUP_TO must be "), said);
  });
}
