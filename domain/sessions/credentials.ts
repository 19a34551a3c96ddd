import type { Passkey } from "../passkeys/passkey.ts";
import type { ReadTable } from "../tables.ts";

/**
 * How an account is signed in to, beside its e-mail address. It is a record of
 * its own, so that signing in never races with a bid, which checks the account.
 */
export interface Credentials {
  accountId: string;
  /** Raised by sign-out everywhere: sessions of an earlier one are over. */
  generation: number;
  passkeys: readonly Passkey[];
}

/** What an account has that never signed out everywhere nor has a passkey. */
function newCredentials(accountId: string): Credentials {
  return { accountId, generation: 0, passkeys: [] };
}

/** The credentials of an account, as a check of the commit. */
export async function credentialsOf(
  tx: { credentials: ReadTable<Credentials, [accountId: string]> },
  accountId: string,
): Promise<Credentials> {
  return await tx.credentials.find(accountId) ?? newCredentials(accountId);
}
