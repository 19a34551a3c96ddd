/**
 * Environments for the tests of the configuration.
 *
 * @module
 */
import { assertThrows } from "@std/assert";
import {
  type ConfigDisk,
  ConfigError,
  parseConfig,
} from "../../config/config.ts";

/** Variables of a process. */
export type Env = Record<string, string | undefined>;

/** What a developer's machine says. */
export const DEVELOPMENT: Env = { ENVIRONMENT: "development" };

/** 256 random bits each. */
export const [RANDOM_A, RANDOM_B] = [
  "q0Jx9sT2mVwZ5yR8bN1cKfL4hD7gPaEuI3oYtXjMWls",
  "Zt7Rk2WqXv9LmB4nJc6PhYd1sFgU8eAoI5yT0xKwQbM",
] as const;

/** What a service in production is given. */
export const PRODUCTION: Env = {
  DENO_DEPLOY: "true",
  ENVIRONMENT: "production",
  BASE_URL: "https://spotlight.dev",
  AUTH_URL: "https://api.spotlight.dev",
  DOCS_MCP_URL: "https://docs.spotlight.dev/mcp",
  SECRETS: RANDOM_A,
  STRIPE_SECRET_KEY: "sk_live_51Q0r3sT4uV5wX6yZ",
  STRIPE_WEBHOOK_SECRET: "whsec_9fN2kLmQ8rT5vX1z",
  STRIPE_PUBLISHABLE_KEY: "pk_live_51Q0r3sT4uV5wX6yZ",
  STRIPE_PROFILE_ID: "profile_61Q0r3s",
  MAIL_URL: "smtps://user:word@mail.example:465",
  OPERATOR_EMAILS: "Ada@spotlight.dev, grace@spotlight.dev",
  SELLER_NAME: "Spotlight SIA",
  SELLER_ADDRESS: "Brivibas iela 1, LV-1010 Riga",
  SELLER_COUNTRY: "LV",
  SELLER_VAT_ID: "LV40003000000",
  SELLER_EMAIL: "billing@spotlight.dev",
};

/** The same for trying, which takes no real money. */
export const PREVIEW: Env = {
  ...PRODUCTION,
  ENVIRONMENT: "preview",
  STRIPE_SECRET_KEY: "sk_test_51Q0r3sT4uV5wX6yZ",
  STRIPE_PUBLISHABLE_KEY: "pk_test_51Q0r3sT4uV5wX6yZ",
};

/** What a service outside development is given. */
export function outside(environment: string): Env {
  return environment === "preview" ? PREVIEW : PRODUCTION;
}

/** What a start with these variables says, line by line. */
export function complaints(env: Env): string[] {
  return assertThrows(() => parseConfig(env), ConfigError).message.split("\n");
}

/** Variables of a developer's machine. */
export function inDevelopment(env: Env): Env {
  return { ...DEVELOPMENT, ...env };
}

/** A disk that keeps what is written in memory. */
export function memoryFile(): ConfigDisk & { files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    read: (path) => files.get(path) ?? null,
    create: (path, text) => void files.set(path, text),
  };
}
