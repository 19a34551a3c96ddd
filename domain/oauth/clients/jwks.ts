import type { Jwk } from "../client.ts";
import { asJsonObject } from "./json_object.ts";

/** Keys of one client. */
const KEYS_MAX = 20;

/** Members of private and symmetric keys (RFC 7518 §6), never a client's. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** The public keys of a JWK Set; null when it is none or holds a private one. */
export function parseJwks(value: unknown): Jwk[] | null {
  const keys = asJsonObject(value)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX) {
    return null;
  }
  const objects = keys.map(asJsonObject);
  const good = objects.every((key) =>
    key !== null && typeof key.kty === "string" && key.kty !== "oct" &&
    !PRIVATE_MEMBERS.some((member) => member in key)
  );
  return good ? objects as Jwk[] : null;
}
