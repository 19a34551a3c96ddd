/**
 * Which mails an address wanted none of outlives its account: who signs up again
 * is not mailed what was switched off. The address itself is not kept, only a
 * hash of it under a key of the service, by which nobody can try addresses.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import type { Keys, Transaction } from "../ports.ts";
import type { MutableMail } from "./mail_kinds.ts";

/** Keys that are looked by, each a check of the commit: the new and the old one. */
const KEYS_MAX = 2;

/** Keeps what the account's address wanted none of, if there is any. */
export function keepSuppression(
  keys: Keys,
  tx: Pick<Transaction, "mailSuppressions">,
  { email, mutedMails = [] }: Pick<Account, "email" | "mutedMails">,
): void {
  const hash = hashOf(keys, email, keys.currentId);
  if (mutedMails.length === 0 || hash === null) return;
  tx.mailSuppressions.save({ hash, muted: mutedMails });
}

/**
 * What an address wanted none of before: now its new account says so, in the
 * commit that makes it.
 */
export async function takeSuppression(
  keys: Keys,
  tx: Pick<Transaction, "mailSuppressions">,
  email: string,
): Promise<readonly MutableMail[]> {
  for (const keyId of keys.ids.slice(0, KEYS_MAX)) {
    const hash = hashOf(keys, email, keyId);
    const found = hash && await tx.mailSuppressions.find(hash);
    if (!found) continue;
    tx.mailSuppressions.remove(found);
    return found.muted;
  }
  return [];
}

function hashOf(keys: Keys, email: string, keyId: string): string | null {
  return keys.mac("suppression", email, keyId);
}
