/**
 * The environment, parsed once. A bad value stops the start with its name.
 *
 * @module
 */
import type { Seller } from "../domain/invoices/seller.ts";
import type { Settings } from "../domain/ports.ts";
import { contradictions, isTestKey } from "./contradictions.ts";
import { deriveOperatorKeys, newSecret, type Secrets } from "./keys.ts";
import {
  COMMON_DEFAULTS,
  DEVELOPMENT_DEFAULTS,
  type Environment,
  ENVIRONMENTS,
  environmentSchema,
  SECRET_VARIABLES,
  type VariableName,
  type Variables,
  WANTED,
} from "./variables.ts";

/** Where the store is. */
export type StoreLocation =
  | { kind: "file"; path: string }
  | { kind: "remote"; url: string }
  | { kind: "managed" };

/** Where continuous backups go. */
export type BackupLocation =
  | { kind: "folder"; path: string }
  | {
    kind: "bucket";
    /** With the bucket in its path. */
    address: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };

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
  /** Null: none are made. */
  backups: BackupLocation | null;
  /** Whether the runtime exports traces and metrics. */
  isObserved: boolean;
  secrets: Secrets;
  /** In development, where none are set: they are this folder's alone. */
  hasGeneratedSecrets: boolean;
  /** The bearer keys of the operator API; tools use the first. */
  operatorKeys: readonly [string, ...string[]];
  stripe: StripeConfig;
  /** `outbox:` or an `smtp(s)://` address. */
  mailUrl: string;
  /** Right-most X-Forwarded-For entries that our own proxies wrote. */
  trustedProxyHops: number;
  /** The session's cookie, of another name in preview (contract §9.7). */
  sessionCookie: "svc_sess" | "svc_sess_preview";
}

/** The disk, as far as the configuration needs it. */
export interface ConfigDisk {
  /** The text of the file, or null when there is none. */
  read(path: string): string | null;
  /** Creates the file for its owner only; keeps one that has appeared. */
  create(path: string, text: string): void;
  /**
   * Makes the folder ready for a service that is about to run; answers why
   * it can't keep anything there, or null when it can.
   */
  prepare?(folder: string): string | null;
}

/** A value of the environment the service does not start with. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads a configuration from variables. Nothing says by itself that this is
 * development, where sign-in codes are shown: ENVIRONMENT has to.
 * Decision 0220 says why.
 *
 * @throws {ConfigError} one line for each bad value
 */
export function parseConfig(
  env: Record<string, string | undefined>,
  disk?: ConfigDisk,
): Config {
  const environment = parseEnvironment(env.ENVIRONMENT);
  const given = withDefaults(environment, env);
  const folderProblem = prepareFolder(given, disk);
  const generates = environment === "development" &&
    given.SECRETS === undefined && folderProblem === null;
  if (generates) given.SECRETS = developmentSecrets(given.DATA_DIR, disk);
  const { values, bad } = readVariables(given);
  const problems = [
    ...bad.filter((name) => name !== "SECRETS" || folderProblem === null)
      .map((name) => complaint(name, given[name])),
    ...folderProblem === null ? [] : [folderProblem],
    ...contradictions(environment, values, env),
  ];
  if (problems.length > 0) stop(problems);
  return toConfig(environment, values as Variables, generates);
}

function parseEnvironment(text: string | undefined): Environment {
  const found = ENVIRONMENTS.find((name) => name === text);
  return found ?? stop([complaint("ENVIRONMENT", text || undefined)]);
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

/** Reads each variable by itself, so that all bad ones are named at once. */
function readVariables(
  given: Given,
): { values: Partial<Variables>; bad: VariableName[] } {
  const values: Record<string, unknown> = {};
  const bad: VariableName[] = [];
  for (const [name, schema] of Object.entries(environmentSchema.shape)) {
    const read = schema.safeParse(given[name as VariableName]);
    if (!read.success) bad.push(name as VariableName);
    else if (read.data !== undefined) values[name] = read.data;
  }
  return { values, bad };
}

/** The folder is used wherever one is named, beside a remote store too. */
function prepareFolder(
  { DATA_DIR: folder }: Given,
  disk: ConfigDisk | undefined,
): string | null {
  const why = folder === undefined ? null : disk?.prepare?.(folder) ?? null;
  if (why === null) return null;
  return `DATA_DIR must be a folder that the service can write to, ` +
    `${JSON.stringify(folder)} ${why}`;
}

/** Generated once, so that a restart keeps everyone signed in. */
function developmentSecrets(
  dataDir: string | undefined,
  disk: ConfigDisk | undefined,
): string {
  if (disk === undefined) return newSecret();
  const path = `${dataDir ?? ".data"}/secrets`;
  const kept = disk.read(path);
  if (kept !== null) return kept.trim();
  disk.create(path, `${newSecret()}\n`);
  return disk.read(path)?.trim() ?? "";
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

function toConfig(
  environment: Environment,
  values: Variables,
  hasGeneratedSecrets: boolean,
): Config {
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
      alertWebhookUrl: values.ALERT_WEBHOOK_URL ?? null,
      refundFourEyesCents: values.REFUND_FOUR_EYES_CENTS,
      seller: sellerOf(values),
    },
    port: values.PORT ?? null,
    dataDir: values.DATA_DIR ?? null,
    store: storeLocation(values),
    backups: backupLocation(values),
    isObserved: values.OTEL_DENO,
    secrets: values.SECRETS,
    hasGeneratedSecrets,
    operatorKeys: values.OPERATOR_KEY ?? deriveOperatorKeys(values.SECRETS),
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecrets: values.STRIPE_WEBHOOK_SECRET,
      livemode: !isTestKey(values.STRIPE_SECRET_KEY),
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

function backupLocation(values: Variables): BackupLocation | null {
  const { BACKUP_TO: place } = values;
  if (place === undefined) return null;
  if (!/^https?:/.test(place)) return { kind: "folder", path: place };
  return {
    kind: "bucket",
    address: place,
    region: values.BACKUP_REGION,
    accessKeyId: values.BACKUP_ACCESS_KEY_ID ?? "",
    secretAccessKey: values.BACKUP_SECRET_ACCESS_KEY ?? "",
  };
}
