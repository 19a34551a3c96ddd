import { createHash } from "node:crypto";
import type { Config } from "./config.ts";
import { deriveKeys } from "./keys.ts";
import type { KeyPurpose, Keys } from "../domain/ports.ts";
import { hmacSha256 } from "../domain/sha256.ts";

const PURPOSES: readonly KeyPurpose[] = [
  "access-token",
  "backup",
  "consent-form",
  "done-note",
  "erasure",
  "event-callback",
  "first-tokens",
  "payment-challenge",
  "refresh-successor",
  "sign-in",
  "stored-answer",
  "suppression",
  "unsubscribe",
  "vat-given-up",
];

/**
 * The `Keys` port over the service's secrets. What was made under a secret is
 * known for as long as that secret is among them.
 */
export function secretKeys({ secrets }: Pick<Config, "secrets">): Keys {
  const ids = deriveKeys(secrets, "key-id").map(nameOf);
  const byPurpose = new Map(PURPOSES.map((purpose) => {
    const keys = deriveKeys(secrets, purpose);
    return [
      purpose,
      new Map(keys.map((key, at) => [ids[at], hmacSha256(key)])),
    ];
  }));
  return {
    currentId: ids[0] ?? "",
    ids,
    mac(purpose, text, keyId) {
      const hmac = byPurpose.get(purpose)?.get(keyId);
      return hmac === undefined ? null : hmac(text, "base64url");
    },
  };
}

/**
 * What proves who made a backup; null in development without SECRETS of one's
 * own, where nobody could bring the generated ones to another folder.
 */
export function backupKeys(
  config: Pick<Config, "secrets" | "hasGeneratedSecrets">,
): Keys | null {
  return config.hasGeneratedSecrets ? null : secretKeys(config);
}

/** Says which key it is without saying anything of it. */
function nameOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}
