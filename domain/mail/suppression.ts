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
 * commit that makes it. Only what is found is a check of that commit: an erasure
 * that keeps more at the same time changes whose the address is, which was read
 * before.
 */
export async function takeSuppression(
  keys: Keys,
  tx: Pick<Transaction, "mailSuppressions" | "peek">,
  email: string,
): Promise<readonly MutableMail[]> {
  const hashes = keys.ids.map((keyId) => hashOf(keys, email, keyId) ?? "");
  const rows = await Promise.all(
    hashes.map((hash) => tx.peek(tx.mailSuppressions.ref(hash))),
  );
  const newest = rows.find((row) => row !== null);
  if (newest === undefined) return [];
  const found = await tx.mailSuppressions.find(newest.hash);
  if (found === null) return [];
  tx.mailSuppressions.remove(found);
  return found.muted;
}

function hashOf(keys: Keys, email: string, keyId: string): string | null {
  return keys.mac("suppression", email, keyId);
}
