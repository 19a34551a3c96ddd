import { hasCode } from "../domain/hold/has_code.ts";
import { forgotten, type OutboxMail } from "../domain/mail/outbox_mail.ts";
import { keys } from "./keys.ts";

const [OUTBOX] = keys.outboxMail("");

/**
 * A row as backups hold it. A mail with a code is one that was given up
 * there, and says nothing: backups are written within the time that a
 * code is good for, and whoever reads them would be let into every account.
 */
export function backedUp([family]: Deno.KvKey, value: unknown): unknown {
  if (family !== OUTBOX || typeof value !== "object") return value;
  const mail = value as OutboxMail | null;
  if (mail === null || !hasCode(mail)) return value;
  if (mail.state !== "waiting") return value;
  return forgotten({ ...mail, state: "given_up", leaseOwner: null });
}
