import { queueMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Credentials, credentialsOf } from "../sign_in/credentials.ts";
import type { Passkey } from "./passkey.ts";
import { passkeyRemovedMail } from "./passkey_mails.ts";

/** Which passkey, and on whose behalf it is changed. */
export interface OwnPasskey {
  /** The owner; a passkey of another account is as good as unknown. */
  accountId: string;
  passkeyId: string;
}

type PasskeyStore = Pick<Services, "clock" | "ids" | "store" | "settings">;

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<readonly Passkey[]> {
  return (await store.credentials.find(accountId))?.passkeys ?? [];
}

/**
 * Gives a passkey another name, as `parsePasskeyName` answers it.
 *
 * @throws {Refused} `passkey_not_found`
 */
export function renamePasskey(
  { store }: Pick<Services, "store">,
  { accountId, passkeyId, name }: OwnPasskey & { name: string },
): Promise<Passkey> {
  return store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, accountId);
    const passkey = passkeyOf(credentials, passkeyId);
    const renamed = { ...passkey, name };
    const passkeys = credentials.passkeys
      .map((each) => each.id === passkeyId ? renamed : each);
    tx.credentials.save({ ...credentials, passkeys });
    return renamed;
  });
}

/**
 * Removes a passkey, never the last way to sign in, and tells the owner by
 * mail. An e-mail address is a way to sign in: every account has one, so this
 * refuses only for an account whose address was taken away. Sessions go on;
 * signing out everywhere is a step of its own.
 *
 * @throws {Refused} `passkey_not_found`, `last_sign_in_method`
 */
export function removePasskey(
  { clock, ids, store, settings }: PasskeyStore,
  { accountId, passkeyId }: OwnPasskey,
): Promise<Passkey> {
  const mailId = ids.next("mail");
  return store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, accountId);
    const passkey = passkeyOf(credentials, passkeyId);
    const email = (await tx.accounts.find(accountId))?.email ?? "";
    const passkeys = credentials.passkeys
      .filter((each) => each.id !== passkeyId);
    if (email === "" && passkeys.length === 0) {
      refuse({ code: "last_sign_in_method" });
    }
    tx.credentials.save({ ...credentials, passkeys });
    if (email !== "") {
      const mail = passkeyRemovedMail(email, passkey.name, settings.baseUrl);
      queueMail(tx, mailId, mail, clock.now());
    }
    return passkey;
  });
}

function passkeyOf({ passkeys }: Credentials, passkeyId: string): Passkey {
  return passkeys.find(({ id }) => id === passkeyId) ??
    refuse({ code: "passkey_not_found" });
}
