/**
 * Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA-256
 * over id, moment and body. The secrets themselves are made of a key of the
 * service whenever they are needed, so that no row and no backup holds one.
 *
 * @module
 */
import type { Keys } from "../ports.ts";
import { hmacSha256 } from "../sha256.ts";
import type { Callback, CallbackSecret } from "./callback.ts";

/** What is signed. */
export interface SignedMessage {
  id: string;
  /** Unix time, s. */
  timestampS: number;
  body: string;
}

/** A secret as its owner keeps it; null once no key of the service makes it. */
export function secretText(
  keys: Keys,
  { grantId }: Pick<Callback, "grantId">,
  { name, keyId }: CallbackSecret,
): string | null {
  const mac = keys.mac("event-callback", `${grantId} ${name}`, keyId);
  return mac === null ? null : `whsec_${toBase64(mac)}`;
}

/** The secrets that sign now: none once no key of the service makes one. */
export function secretsOf(
  keys: Keys,
  callback: Pick<Callback, "grantId" | "secrets">,
  nowMs: number,
): string[] {
  return callback.secrets
    .filter(({ endsAtMs }) => endsAtMs === null || nowMs < endsAtMs)
    .map((secret) => secretText(keys, callback, secret))
    .filter((text) => text !== null);
}

/**
 * The header that signs a message: a signature of each secret that still signs.
 *
 * @returns null when no secret can be made any more
 */
export function signatureHeader(
  keys: Keys,
  callback: Pick<Callback, "grantId" | "secrets">,
  { id, timestampS, body }: SignedMessage,
): string | null {
  const signatures = secretsOf(keys, callback, timestampS * 1_000)
    .map((text) => {
      const key = Uint8Array.fromBase64(text.slice("whsec_".length));
      const signed = `${id}.${timestampS}.${body}`;
      return `v1,${toBase64(hmacSha256(key)(signed, "base64url"))}`;
    });
  return signatures.length === 0 ? null : signatures.join(" ");
}

/** From the alphabet of addresses, without padding, to the plain one. */
function toBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}
