import { hasCode } from "../domain/hold/has_code.ts";
import type { OperatorKey } from "../domain/operator_keys/operator_key.ts";
import { forgotten, type OutboxMail } from "../domain/mail/outbox_mail.ts";
import { keys } from "./keys.ts";

const [OUTBOX] = keys.outboxMail("");
const [OPERATOR_KEYS] = keys.operatorKey("");

/**
 * A row as backups hold it. A mail with a code is one that was given up
 * there, and says nothing: backups are written within the time that a
 * code is good for, and whoever reads them would be let into every account.
 */
export function backedUp([family]: Deno.KvKey, value: unknown): unknown {
  if (family !== OUTBOX) return value;
  const mail = value as OutboxMail;
  if (!hasCode(mail) || mail.state !== "waiting") return value;
  return forgotten({ ...mail, state: "given_up", leaseOwner: null });
}

/**
 * A row as a restore brings it back. Keys of the operator API are ended: which
 * of them were ended since the backup, nothing tells any more, and a new one is
 * made at the desk within a minute.
 */
export function restoredAt(
  [family]: Deno.KvKey,
  value: unknown,
  nowMs: number,
): unknown {
  if (family !== OPERATOR_KEYS) return value;
  // Null for a row that the changes remove.
  const key = value as OperatorKey | null;
  if (key?.endedAtMs !== null) return value;
  return { ...key, endedAtMs: nowMs };
}
