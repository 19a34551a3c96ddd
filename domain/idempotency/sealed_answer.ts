/**
 * Answers that are secrets themselves, such as a link that opens somebody's
 * billing portal, are stored sealed: whoever reads the store or a backup, but
 * has no secret of the service, reads nothing. A repeat still gets the very
 * same answer.
 *
 * @module
 */
import type { IdempotencyRecord, StoredAnswer } from "./record.ts";

/** The part of the service's keys that answers are sealed with. */
export interface AnswerKeys {
  readonly currentId: string;
  mac(purpose: "stored-answer", text: string, keyId: string): string | null;
}

type Sealed = Pick<
  IdempotencyRecord,
  "owner" | "operation" | "key" | "expiresAtMs"
>;

/** Bytes of one HMAC-SHA-256. */
const BLOCK = 32;

/** What is stored of a secret answer, and under which key. */
export function sealAnswer(
  keys: AnswerKeys,
  record: Sealed,
  { status, body }: StoredAnswer,
): Required<Pick<IdempotencyRecord, "sealKeyId">> & { answer: StoredAnswer } {
  const sealKeyId = keys.currentId;
  const bytes = masked(keys, record, sealKeyId, new TextEncoder().encode(body));
  if (bytes === null) throw new TypeError("The current key is in use");
  return { answer: { status, body: bytes.toBase64() }, sealKeyId };
}

/** The answer again; null once the secret that sealed it is no longer in use. */
export function openAnswer(
  keys: AnswerKeys,
  record: Sealed,
  sealKeyId: string,
  { status, body }: StoredAnswer,
): StoredAnswer | null {
  const bytes = Uint8Array.fromBase64(body);
  const opened = masked(keys, record, sealKeyId, bytes);
  if (opened === null) return null;
  return { status, body: new TextDecoder().decode(opened) };
}

/**
 * The bytes combined with as many that only the service can make (HMAC in
 * counter mode), which undoes itself. Those are never used twice: of one key
 * there is one record at a time, and a later one ends later.
 */
function masked(
  keys: AnswerKeys,
  { owner, operation, key, expiresAtMs }: Sealed,
  keyId: string,
  bytes: Uint8Array,
): Uint8Array | null {
  const made = bytes.slice();
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const said = JSON.stringify([owner, operation, key, expiresAtMs, at]);
    const mac = keys.mac("stored-answer", said, keyId);
    if (mac === null) return null;
    const mask = Uint8Array.fromBase64(mac, { alphabet: "base64url" });
    const end = Math.min(at + BLOCK, bytes.length);
    for (let nth = at; nth < end; nth++) {
      made[nth] = (bytes[nth] ?? 0) ^ (mask[nth - at] ?? 0);
    }
  }
  return made;
}
