/**
 * The environment variables: the shape of each, what it has to be in words,
 * and its default.
 *
 * @module
 */
import { z } from "zod";
import { CHARGE_MAX_CENTS } from "../domain/limits.ts";
import { isCountry } from "../domain/tax/countries.ts";

/** Where the service runs. Outside development nothing unsafe starts. */
export const ENVIRONMENTS = ["development", "preview", "production"] as const;

/** One of the environments. */
export type Environment = typeof ENVIRONMENTS[number];

/** Keys shorter than this can be guessed. */
const KEY_MIN_BYTES = 32;

/**
 * Most keys of `SECRETS`: one more each month for longer than banks take money
 * back. What was given up is looked for by each of them.
 */
export const SECRETS_MAX = 16;

const byteLength = (text: string) => new TextEncoder().encode(text).length;

const strongKey = z.string().refine((key) => byteLength(key) >= KEY_MIN_BYTES);

const list = z.string()
  .transform((text) => text.split(",").map((entry) => entry.trim()));

const keyList = list.pipe(z.tuple([strongKey], strongKey));

const webhookSecrets = list.pipe(
  z.array(z.string().regex(/^whsec_[^\s,]+$/)).max(4),
);

const address = z.string().transform((text, context): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) &&
    url.username === "" && url.password === "" && url.search === "" &&
    url.hash === "" && url.hostname !== "";
  if (plain) return url.href.replace(/(?<!\/)\/+$/, "");
  context.addIssue({ code: "custom", message: "not an address" });
  return z.NEVER;
});

const origin = address.refine((text) => new URL(text).pathname === "/");

const minute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/).transform(
  (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
);

const wholeNumber = (max: number) =>
  z.string().regex(/^\d{1,8}$/).transform(Number).pipe(z.int().max(max));

const emailList = list.pipe(z.array(z.email().toLowerCase()).min(1));

const mail = z.string().refine((text) =>
  text === "outbox:" ||
  URL.canParse(text) && /^smtps?:\/\/[^/]/.test(text)
);

/** Its path is a secret: whoever knows it writes to the chat. */
const webhook = z.string().max(2_000).refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === "https:" ||
    url?.protocol === "http:" &&
      /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
});

const line = z.string().trim().min(1).max(500);

/**
 * A folder, or the address of a bucket: what begins as an address of any kind has
 * to be one of a bucket, whose names need no encoding.
 */
const backupPlace = line.refine((text) =>
  !/^[a-z][a-z0-9+.-]*:/i.test(text) ||
  /^https?:\/\/[^/]+\/[A-Za-z0-9._\/-]+$/.test(text) &&
    address.safeParse(text).success
);

/** A path, not the address of a store on another machine. */
const folder = line.refine((text) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(text));

/** The schema of every variable, read from text. */
export const environmentSchema = z.object({
  BASE_URL: origin,
  AUTH_URL: origin,
  DOCS_MCP_URL: address,
  PORT: wholeNumber(65_535).optional(),
  DATA_DIR: folder.optional(),
  KV_URL: address.optional(),
  DENO_KV_ACCESS_TOKEN: line.optional(),
  BACKUP_TO: backupPlace.optional(),
  BACKUP_REGION: z.string().regex(/^[a-z0-9-]+$/),
  BACKUP_ACCESS_KEY_ID: line.optional(),
  BACKUP_SECRET_ACCESS_KEY: line.optional(),
  OTEL_DENO: z.enum(["true", "false", "1", "0"]).transform((text) =>
    text === "true" || text === "1"
  ),
  OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: wholeNumber(128).optional(),
  SECRETS: keyList.refine((keys) => keys.length <= SECRETS_MAX),
  OPERATOR_KEY: keyList.optional(),
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_\w+$/),
  STRIPE_WEBHOOK_SECRET: webhookSecrets,
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_\w+$/),
  STRIPE_PROFILE_ID: z.string().regex(/^\w+$/),
  STRIPE_API_BASE: origin.optional(),
  MAIL_URL: mail,
  OPERATOR_EMAILS: emailList,
  ALERT_WEBHOOK_URL: webhook.optional(),
  REFUND_FOUR_EYES_CENTS: wholeNumber(CHARGE_MAX_CENTS),
  TRUSTED_PROXY_HOPS: wholeNumber(16),
  AUCTION_OPENS_AT: minute,
  AUCTION_CLOSES_AT: minute,
  SELLER_NAME: line,
  SELLER_ADDRESS: line,
  SELLER_COUNTRY: z.string().refine(isCountry),
  SELLER_VAT_ID: z.string().regex(/^[A-Z]{2}[A-Z0-9+*]{2,13}$/),
  SELLER_EMAIL: z.email(),
});

/** The variables as they are read. */
export type Variables = z.output<typeof environmentSchema>;

/** The name of a variable. */
export type VariableName = keyof Variables | "ENVIRONMENT";

const ADDRESS = "an http or https address without a path";
const NUMBER = "a whole number";

/** What each variable has to be, as the end of "… must be". */
export const WANTED: Readonly<Record<VariableName, string>> = {
  ENVIRONMENT: `one of ${ENVIRONMENTS.join(", ")}`,
  BASE_URL: ADDRESS,
  AUTH_URL: ADDRESS,
  DOCS_MCP_URL: "an http or https address",
  PORT: `${NUMBER} from 0 to 65535`,
  DATA_DIR: "the path of a folder; KV_URL takes addresses",
  KV_URL: "the http or https address of a KV server",
  DENO_KV_ACCESS_TOKEN: "the access token of the KV server",
  BACKUP_TO: "the path of a folder, or the http or https address of a bucket",
  BACKUP_REGION: "the region of the bucket",
  BACKUP_ACCESS_KEY_ID: "the id of the bucket's access key",
  BACKUP_SECRET_ACCESS_KEY: "the bucket's access key",
  OTEL_DENO: "true or false",
  OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: `${NUMBER} from 0 to 128`,
  SECRETS: `one to ${SECRETS_MAX} keys of at least ${KEY_MIN_BYTES} bytes, ` +
    "separated by commas",
  OPERATOR_KEY: `one or more keys of at least ${KEY_MIN_BYTES} bytes, ` +
    "separated by commas",
  STRIPE_SECRET_KEY: "a processor key beginning with sk_ or rk_",
  STRIPE_WEBHOOK_SECRET: "a webhook secret beginning with whsec_, or up to " +
    "four separated by commas",
  STRIPE_PUBLISHABLE_KEY: "a publishable key beginning with pk_",
  STRIPE_PROFILE_ID: "the id of the processor's profile",
  STRIPE_API_BASE: ADDRESS,
  MAIL_URL: "an smtp or smtps address, or outbox: in development",
  OPERATOR_EMAILS: "one or more e-mail addresses, separated by commas",
  ALERT_WEBHOOK_URL:
    "the https address of a chat's incoming webhook, on loopback http",
  REFUND_FOUR_EYES_CENTS: `${NUMBER} of cents`,
  TRUSTED_PROXY_HOPS: `${NUMBER} from 0 to 16`,
  AUCTION_OPENS_AT: "a time written HH:MM",
  AUCTION_CLOSES_AT: "a time written HH:MM",
  SELLER_NAME: "the seller's name",
  SELLER_ADDRESS: "the seller's address on one line",
  SELLER_COUNTRY: "a country code of ISO 3166-1, two capital letters: Greece " +
    "is GR, the United Kingdom with Northern Ireland GB",
  SELLER_VAT_ID: "a VAT id beginning with a country code",
  SELLER_EMAIL: "an e-mail address",
};

/** Those that name a host of the service. */
export const ADDRESSES = ["BASE_URL", "AUTH_URL", "DOCS_MCP_URL"] as const;

/** Variables whose value is never printed. */
export const SECRET_VARIABLES: ReadonlySet<VariableName> = new Set([
  "SECRETS",
  "OPERATOR_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "MAIL_URL",
  "ALERT_WEBHOOK_URL",
  "KV_URL",
  "DENO_KV_ACCESS_TOKEN",
  "BACKUP_SECRET_ACCESS_KEY",
]);

type Defaults = Readonly<Partial<Record<VariableName, string>>>;

/** Defaults that are safe in every environment. */
export const COMMON_DEFAULTS: Defaults = {
  BACKUP_REGION: "us-east-1",
  REFUND_FOUR_EYES_CENTS: "50000",
  OTEL_DENO: "false",
  TRUSTED_PROXY_HOPS: "0",
  AUCTION_OPENS_AT: "00:00",
  AUCTION_CLOSES_AT: "23:55",
};

/** The processor settings that belong to the simulator. */
export const SIMULATOR_DEFAULTS = {
  STRIPE_SECRET_KEY: "sk_test_simulator",
  STRIPE_WEBHOOK_SECRET: "whsec_simulator",
  STRIPE_PUBLISHABLE_KEY: "pk_test_simulator",
  STRIPE_PROFILE_ID: "profile_test_simulator",
} as const satisfies Defaults;

/** Defaults of development, which outside of it have to be set. */
export const DEVELOPMENT_DEFAULTS: Defaults = {
  ...COMMON_DEFAULTS,
  ...SIMULATOR_DEFAULTS,
  BASE_URL: "http://localhost:8000",
  AUTH_URL: "http://localhost:8001",
  DOCS_MCP_URL: "http://localhost:8002/mcp",
  DATA_DIR: ".data",
  STRIPE_API_BASE: "http://localhost:8003",
  MAIL_URL: "outbox:",
  OPERATOR_EMAILS: "operator@example.com",
  SELLER_NAME: "Spotlight Example SIA",
  SELLER_ADDRESS: "Example iela 1, LV-1010 Riga",
  SELLER_COUNTRY: "LV",
  SELLER_VAT_ID: "LV00000000000",
  SELLER_EMAIL: "billing@example.com",
};
