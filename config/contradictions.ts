/**
 * Values that are right each by itself and wrong together or in this
 * environment: each is a sentence that says what to change.
 *
 * @module
 */
import { clockTime } from "../domain/auction/auction.ts";
import { examples } from "./examples.ts";
import {
  ADDRESSES,
  type Environment,
  SIMULATOR_DEFAULTS,
  type VariableName,
  type Variables,
} from "./variables.ts";
import { looksLikePlaceholder } from "./weak_secret.ts";

/** What Deno Deploy sets, where a store is provided without being named. */
export const PLATFORM_MARK = "DENO_DEPLOY";

/** Lets Deno take a client's address from a header that anyone can send. */
export const PROXY_MARK = "DENO_TRUST_PROXY_HEADERS";

/** What was read; a variable with a bad value of its own is missing. */
type Read = Partial<Variables>;

/** What the process was given. */
type Environ = Readonly<Record<string, string | undefined>>;

/** Every contradiction among the values that could be read. */
export function contradictions(
  environment: Environment,
  values: Read,
  env: Environ,
): string[] {
  const isManaged = env[PLATFORM_MARK] === "true";
  return [
    ...impossible(values, env),
    ...environment === "development"
      ? unsafeInDevelopment(values)
      : unsafeOutside(environment, values),
    ...isManaged ? [] : unsafeOffPlatform(environment, values, env),
  ];
}

function impossible(values: Read, env: Environ): string[] {
  const problems: string[] = [];
  const { AUCTION_OPENS_AT: opens, AUCTION_CLOSES_AT: closes } = values;
  if (opens !== undefined && closes !== undefined && closes <= opens) {
    problems.push(
      "AUCTION_CLOSES_AT must be later than AUCTION_OPENS_AT, current values " +
        `are "${env.AUCTION_CLOSES_AT || clockTime(closes)}" and ` +
        `"${env.AUCTION_OPENS_AT || clockTime(opens)}"`,
    );
  }
  const hosts = ADDRESSES.flatMap((name) => values[name] ?? [])
    .map((address) => new URL(address))
    .filter((url) => url.port !== "0").map((url) => url.host);
  if (new Set(hosts).size < hosts.length) {
    problems.push(
      "BASE_URL, AUTH_URL and DOCS_MCP_URL must be on three different hosts",
    );
  }
  if (values.BACKUP_TO !== undefined && /^http/.test(values.BACKUP_TO)) {
    const keys = ["BACKUP_ACCESS_KEY_ID", "BACKUP_SECRET_ACCESS_KEY"] as const;
    problems.push(
      ...keys.filter((name) => values[name] === undefined)
        .map((name) => `${name} must be the bucket's own, it is not set`),
    );
  }
  // The runtime's second attribute of a span is the address of the request.
  if (values.OTEL_DENO && values.OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT !== 1) {
    problems.push(
      "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT must be 1 where OTEL_DENO is true: " +
        "traces would hold addresses, with the codes and questions in them",
    );
  }
  // Deno reads it by itself when it opens the store.
  if (values.KV_URL !== undefined && !values.DENO_KV_ACCESS_TOKEN) {
    problems.push(
      "DENO_KV_ACCESS_TOKEN must be the access token of the KV server that " +
        "KV_URL names, it is not set",
    );
  }
  return problems;
}

/** Development shows everybody's sign-in codes: nothing real may be one. */
function unsafeInDevelopment(values: Read): string[] {
  const real = (["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"] as const)
    .filter((name) => modeOf(values[name] ?? "") === "live");
  return [
    ...ADDRESSES.filter((name) => values[name]?.startsWith("https:"))
      .map((name) =>
        `${name} must be an http address in development, which shows every ` +
        "sign-in code: set ENVIRONMENT to preview or production"
      ),
    ...real.map((name) =>
      `${name} must be a test key in development, current value (not shown) ` +
      "takes real money"
    ),
  ];
}

/** What is fine on a developer's machine and nowhere else. */
function unsafeOutside(
  environment: Exclude<Environment, "development">,
  values: Read,
): string[] {
  return [
    ...[...ADDRESSES, "KV_URL" as const, "BACKUP_TO" as const]
      .filter((name) => values[name]?.startsWith("http:"))
      .map((name) => `${name} must be an https address in ${environment}`),
    ...simulated(environment, values),
    ...processorModes(environment, values),
    ...guessable(values),
    ...usedTwice(values),
    ...sameHostName(environment, values),
    ...besideStore(values),
    ...environment === "production" ? examples(values) : [],
    ...sellerElsewhere(values),
    ...values.MAIL_URL === "outbox:"
      ? [`MAIL_URL must be an smtp or smtps address in ${environment}`]
      : [],
  ];
}

function simulated(environment: Environment, values: Read): string[] {
  const problems: string[] = [];
  if (values.STRIPE_API_BASE !== undefined) {
    problems.push(
      `STRIPE_API_BASE must not be set in ${environment}: ` +
        "it names a simulator, which takes no money",
    );
  }
  for (const name of SIMULATED) {
    if ([values[name]].flat().includes(SIMULATOR_DEFAULTS[name])) {
      problems.push(
        `${name} must be the processor's own in ${environment}, ` +
          "current value is the simulator's",
      );
    }
  }
  return problems;
}

const SIMULATED = Object.keys(
  SIMULATOR_DEFAULTS,
) as (keyof typeof SIMULATOR_DEFAULTS)[];

/**
 * Production takes real money, preview none: it is for trying. A page's key has
 * to be of the same books.
 */
function processorModes(environment: Environment, values: Read): string[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } =
    values;
  if (secret === undefined || secret === SIMULATOR_DEFAULTS.STRIPE_SECRET_KEY) {
    return [];
  }
  const problems: string[] = [];
  const mode = modeOf(secret);
  if (environment === "production" && mode !== "live") {
    problems.push(
      "STRIPE_SECRET_KEY must be a live key (sk_live_ or rk_live_) in " +
        "production, current value (not shown) takes no money",
    );
  }
  if (environment === "preview" && mode === "live") {
    problems.push(
      "STRIPE_SECRET_KEY must be a test key in preview, which is for trying, " +
        "current value (not shown) takes real money",
    );
  }
  const isPair = publishable === undefined ||
    publishable === SIMULATOR_DEFAULTS.STRIPE_PUBLISHABLE_KEY ||
    modeOf(publishable) === mode;
  if (!isPair) {
    problems.push(
      "STRIPE_PUBLISHABLE_KEY must be of the same mode, test or live, as " +
        "STRIPE_SECRET_KEY",
    );
  }
  return problems;
}

/**
 * Whether a processor's key surely takes no real money. Any other form, also one
 * that is not known yet, counts as real money.
 */
export function isTestKey(key: string): boolean {
  return modeOf(key) === "test";
}

/** Whether a processor's key is for real money; null: its form does not say. */
function modeOf(key: string): "live" | "test" | null {
  const mode = /^(?:sk|rk|pk)_(live|test)_/.exec(key)?.[1];
  return mode === "live" || mode === "test" ? mode : null;
}

function guessable(values: Read): string[] {
  const keys: [VariableName, readonly string[]][] = [
    ["SECRETS", values.SECRETS ?? []],
    ["OPERATOR_KEY", values.OPERATOR_KEY ?? []],
    [
      "STRIPE_WEBHOOK_SECRET",
      (values.STRIPE_WEBHOOK_SECRET ?? [])
        .filter((key) => key !== SIMULATOR_DEFAULTS.STRIPE_WEBHOOK_SECRET)
        .map((key) => key.slice("whsec_".length)),
    ],
  ];
  return keys.filter(([, given]) => given.some(looksLikePlaceholder))
    .map(([name]) =>
      `${name} must be random, current value (not shown) looks like a ` +
      "placeholder"
    );
}

/** Who is told one of these keys must not know another with it. */
function usedTwice(values: Read): string[] {
  const webhook = values.STRIPE_WEBHOOK_SECRET ?? [];
  const keys: [VariableName, readonly string[]][] = [
    ["SECRETS", values.SECRETS ?? []],
    ["OPERATOR_KEY", values.OPERATOR_KEY ?? []],
    [
      "STRIPE_WEBHOOK_SECRET",
      webhook.flatMap((key) => [key, key.slice("whsec_".length)]),
    ],
    ...SINGLE_KEYS.map((name): [VariableName, string[]] => [
      name,
      [values[name] ?? []].flat(),
    ]),
  ];
  return keys.flatMap(([name, given], nth) => {
    const [other] = keys.slice(0, nth)
      .find(([, earlier]) => given.some((key) => earlier.includes(key))) ?? [];
    if (other === undefined) return [];
    return [
      `${name} must be a key of its own, current value (not shown) is one of ` +
      other,
    ];
  });
}

const SINGLE_KEYS = [
  "STRIPE_SECRET_KEY",
  "DENO_KV_ACCESS_TOKEN",
  "BACKUP_SECRET_ACCESS_KEY",
] as const;

/** Cookies know no port: a session of one would be sent to the other. */
function sameHostName(environment: Environment, values: Read): string[] {
  const urls = ADDRESSES.flatMap((name) => values[name] ?? [])
    .map((address) => new URL(address));
  const names = new Set(urls.map(({ hostname }) => hostname)).size;
  const hosts = new Set(urls.map(({ host }) => host)).size;
  if (names === urls.length || hosts < urls.length) return [];
  return [
    "BASE_URL, AUTH_URL and DOCS_MCP_URL must be on three different host " +
    `names in ${environment}, not on ports of one: cookies know no port`,
  ];
}

/** A disk that is lost takes such backups along. */
function besideStore(
  { DATA_DIR: store, BACKUP_TO: backups }: Read,
): string[] {
  if (store === undefined || backups === undefined) return [];
  const place = partsOf(backups);
  if (!partsOf(store).every((part, nth) => part === place[nth])) return [];
  return [
    "BACKUP_TO must be on another disk or machine, current value is " +
    `${JSON.stringify(backups)}, which is in DATA_DIR`,
  ];
}

/** The parts of a path, without those that say nothing. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return [path.startsWith("/") ? "/" : ".", ...parts];
}

/** Country codes with VAT ids that begin otherwise. */
const VAT_PREFIXES: Readonly<Record<string, readonly string[]>> = {
  // Greece writes EL; Northern Ireland trades in goods under XI.
  GR: ["EL"],
  GB: ["GB", "XI"],
  // Monaco counts as France.
  MC: ["FR"],
};

function sellerElsewhere(values: Read): string[] {
  const { SELLER_COUNTRY: country, SELLER_VAT_ID: vatId } = values;
  if (country === undefined || vatId === undefined) return [];
  const prefixes = VAT_PREFIXES[country] ?? [country];
  if (prefixes.includes(vatId.slice(0, 2))) return [];
  return [
    `SELLER_VAT_ID must begin with ${
      prefixes.join(" or ")
    }, as SELLER_COUNTRY ` +
    `is ${country}, current value is ${JSON.stringify(vatId)}`,
  ];
}

/** What is right on the managed platform alone. */
function unsafeOffPlatform(
  environment: Environment,
  values: Read,
  env: Environ,
): string[] {
  const problems: string[] = [];
  if (values.DATA_DIR === undefined && values.KV_URL === undefined) {
    // It would be a file in some cache folder.
    problems.push(
      "DATA_DIR or KV_URL must say where the store is: only Deno Deploy " +
        "provides one that is not named",
    );
  }
  if (environment !== "development" && values.TRUSTED_PROXY_HOPS === 0) {
    problems.push(
      "TRUSTED_PROXY_HOPS must be 1 or more outside Deno Deploy: the proxy " +
        "that ends TLS would be taken for every client",
    );
  }
  if (env[PROXY_MARK]) {
    problems.push(
      `${PROXY_MARK} must not be set outside Deno Deploy: anyone could choose ` +
        "an address, use TRUSTED_PROXY_HOPS",
    );
  }
  return problems;
}
