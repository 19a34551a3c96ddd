/**
 * The environment, parsed once. A bad value stops the start with its name.
 *
 * @module
 */
import type { Seller } from "./domain/invoices/seller.ts";
import type { Settings } from "./domain/ports.ts";
import { deriveOperatorKey, newSecret, type Secrets } from "./config/keys.ts";
import {
  COMMON_DEFAULTS,
  DEVELOPMENT_DEFAULTS,
  type Environment,
  ENVIRONMENTS,
  environmentSchema,
  SECRET_VARIABLES,
  SIMULATOR_DEFAULTS,
  type VariableName,
  type Variables,
  WANTED,
} from "./config/variables.ts";

export { deriveKey, deriveKeys } from "./config/keys.ts";

/** Where the store is. */
export type StoreLocation =
  | { kind: "file"; path: string }
  | { kind: "remote"; url: string }
  | { kind: "managed" };

/** How the payment processor is reached. */
export interface StripeConfig {
  secretKey: string;
  /** Of the webhook endpoint: two while they are being changed. */
  webhookSecrets: readonly string[];
  /** Whether the key is one for real money, and events are of real money. */
  livemode: boolean;
  publishableKey: string;
  profileId: string;
  /** Where the simulator listens; null for the processor itself. */
  apiBase: string | null;
}

/** Everything the environment decides. */
export interface Config {
  /** The part that the domain is given. */
  settings: Settings;
  /** One port for all hosts; null: each address listens on its own port. */
  port: number | null;
  /** The folder of the embedded store and `dev.json`; null where there is none. */
  dataDir: string | null;
  store: StoreLocation;
  secrets: Secrets;
  /** The bearer key of the operator API. */
  operatorKey: string;
  stripe: StripeConfig;
  /** `outbox:` or an `smtp(s)://` address. */
  mailUrl: string;
  /** Right-most X-Forwarded-For entries that our own proxies wrote. */
  trustedProxyHops: number;
  /** "svc_sess (svc_sess_preview in the preview environment)" */
  sessionCookie: "svc_sess" | "svc_sess_preview";
}

/** Where generated secrets are kept in development. */
export interface SecretFile {
  /** The text of the file, or null when there is none. */
  read(path: string): string | null;
  /** Creates the file for its owner only; keeps one that has appeared. */
  create(path: string, text: string): void;
}

/** A value of the environment the service does not start with. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the configuration of this process. */
export function loadConfig(): Config {
  return parseConfig(processEnvironment(), diskSecretFile);
}

/**
 * Reads a configuration from variables.
 *
 * @throws {ConfigError} one line for each bad value
 */
export function parseConfig(
  env: Record<string, string | undefined>,
  secretFile?: SecretFile,
): Config {
  const environment = parseEnvironment(env.ENVIRONMENT);
  const given = withDefaults(environment, env);
  if (environment === "development" && given.SECRETS === undefined) {
    given.SECRETS = developmentSecrets(given.DATA_DIR, secretFile);
  }
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((i) => i.path[0] as VariableName);
    stop([...new Set(names)].map((name) => complaint(name, given[name])));
  }
  const problems = [
    ...contradictions(parsed.data, given),
    ...environment === "development" ? [] : dangers(environment, parsed.data),
    ...env[PLATFORM_MARK] === "true" ? [] : offPlatform(parsed.data, env),
  ];
  if (problems.length > 0) stop(problems);
  return toConfig(environment, parsed.data);
}

function parseEnvironment(text: string | undefined): Environment {
  const found = ENVIRONMENTS.find((name) => name === (text ?? "development"));
  return found ?? stop([complaint("ENVIRONMENT", text)]);
}

type Given = Partial<Record<VariableName, string>>;

/** An empty variable counts as not set: shells and compose files write them. */
function withDefaults(
  environment: Environment,
  env: Record<string, string | undefined>,
): Given {
  const given: Given = {
    ...environment === "development" ? DEVELOPMENT_DEFAULTS : COMMON_DEFAULTS,
  };
  for (const name of Object.keys(WANTED) as VariableName[]) {
    const value = env[name];
    if (value !== undefined && value !== "") given[name] = value;
  }
  return given;
}

/** Generated once, so that a restart keeps everyone signed in. */
function developmentSecrets(
  dataDir: string | undefined,
  secretFile: SecretFile | undefined,
): string {
  if (secretFile === undefined) return newSecret();
  const path = `${dataDir ?? ".data"}/secrets`;
  const kept = secretFile.read(path);
  if (kept !== null) return kept.trim();
  secretFile.create(path, `${newSecret()}\n`);
  return secretFile.read(path)?.trim() ?? "";
}

function contradictions(values: Variables, given: Given): string[] {
  const problems: string[] = [];
  if (values.AUCTION_CLOSES_AT <= values.AUCTION_OPENS_AT) {
    problems.push(
      `AUCTION_CLOSES_AT must be later than AUCTION_OPENS_AT, current values ` +
        `are "${given.AUCTION_CLOSES_AT}" and "${given.AUCTION_OPENS_AT}"`,
    );
  }
  const addresses = [values.BASE_URL, values.AUTH_URL, values.DOCS_MCP_URL]
    .map((address) => new URL(address));
  const hosts = addresses.filter((url) => url.port !== "0").map((u) => u.host);
  if (new Set(hosts).size < hosts.length) {
    problems.push(
      "BASE_URL, AUTH_URL and DOCS_MCP_URL must be on three different hosts",
    );
  }
  return problems;
}

/** What is fine on a developer's machine and nowhere else. */
function dangers(environment: Environment, values: Variables): string[] {
  const problems: string[] = [];
  const addresses = ["BASE_URL", "AUTH_URL", "DOCS_MCP_URL", "KV_URL"] as const;
  for (const name of addresses) {
    if (values[name]?.startsWith("http:")) {
      problems.push(`${name} must be an https address in ${environment}`);
    }
  }
  if (values.STRIPE_API_BASE !== undefined) {
    problems.push(
      `STRIPE_API_BASE must not be set in ${environment}: ` +
        "it names a simulator, which takes no money",
    );
  }
  const simulated = Object.entries(SIMULATOR_DEFAULTS);
  for (const [name, value] of simulated) {
    const given = values[name as keyof typeof SIMULATOR_DEFAULTS];
    if ([given].flat().includes(value)) {
      problems.push(
        `${name} must be the processor's own in ${environment}, ` +
          "current value is the simulator's",
      );
    }
  }
  if (values.MAIL_URL === "outbox:") {
    problems.push(
      `MAIL_URL must be an smtp or smtps address in ${environment}`,
    );
  }
  return problems;
}

function complaint(name: VariableName, value: string | undefined): string {
  const wanted = `${name} must be ${WANTED[name]}`;
  if (value === undefined) return `${wanted}, it is not set`;
  if (SECRET_VARIABLES.has(name)) {
    return `${wanted}, current value (not shown) is not`;
  }
  return `${wanted}, current value is ${JSON.stringify(value)}`;
}

function stop(problems: readonly string[]): never {
  throw new ConfigError(
    problems.map((problem) => `Cannot start: ${problem}`).join("\n"),
  );
}

function toConfig(environment: Environment, values: Variables): Config {
  return {
    settings: {
      environment,
      baseUrl: values.BASE_URL,
      authUrl: values.AUTH_URL,
      docsMcpUrl: values.DOCS_MCP_URL,
      auctionHours: {
        opensAtMinute: values.AUCTION_OPENS_AT,
        closesAtMinute: values.AUCTION_CLOSES_AT,
      },
      operatorEmails: values.OPERATOR_EMAILS,
      seller: sellerOf(values),
    },
    port: values.PORT ?? null,
    dataDir: values.DATA_DIR ?? null,
    store: storeLocation(values),
    secrets: values.SECRETS,
    operatorKey: values.OPERATOR_KEY ?? deriveOperatorKey(values.SECRETS),
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecrets: values.STRIPE_WEBHOOK_SECRET,
      livemode: /^(sk|rk)_live_/.test(values.STRIPE_SECRET_KEY),
      publishableKey: values.STRIPE_PUBLISHABLE_KEY,
      profileId: values.STRIPE_PROFILE_ID,
      apiBase: values.STRIPE_API_BASE ?? null,
    },
    mailUrl: values.MAIL_URL,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    sessionCookie: environment === "preview" ? "svc_sess_preview" : "svc_sess",
  };
}

function sellerOf(values: Variables): Seller {
  return {
    name: values.SELLER_NAME,
    address: values.SELLER_ADDRESS,
    country: values.SELLER_COUNTRY,
    vatId: values.SELLER_VAT_ID,
    email: values.SELLER_EMAIL,
  };
}

function storeLocation(values: Variables): StoreLocation {
  if (values.KV_URL !== undefined) {
    return { kind: "remote", url: values.KV_URL };
  }
  if (values.DATA_DIR === undefined) return { kind: "managed" };
  return { kind: "file", path: `${values.DATA_DIR}/spotlight.sqlite3` };
}

/** What Deno Deploy sets, where a store is provided without being named. */
const PLATFORM_MARK = "DENO_DEPLOY";

/** Lets Deno take a client's address from a header that anyone can send. */
const PROXY_MARK = "DENO_TRUST_PROXY_HEADERS";

/** What is right on the platform alone. */
function offPlatform(
  values: Variables,
  env: Record<string, string | undefined>,
): string[] {
  const problems: string[] = [];
  if (values.DATA_DIR === undefined && values.KV_URL === undefined) {
    // It would be a file in some cache folder.
    problems.push(
      "DATA_DIR or KV_URL must say where the store is: only Deno Deploy " +
        "provides one that is not named",
    );
  }
  if (env[PROXY_MARK]) {
    problems.push(
      `${PROXY_MARK} must not be set outside Deno Deploy: anyone could choose ` +
        `an address, use TRUSTED_PROXY_HOPS`,
    );
  }
  return problems;
}

/** Asked one by one: permission is given for these names and no others. */
function processEnvironment(): Record<string, string | undefined> {
  const names = [...Object.keys(WANTED), PLATFORM_MARK, PROXY_MARK];
  return Object.fromEntries(names.map((name) => [name, Deno.env.get(name)]));
}

const diskSecretFile: SecretFile = {
  read(path) {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  },
  create(path, text) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      Deno.writeTextFileSync(path, text, { createNew: true, mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  },
};
