import { type Answered, commitOnce, done } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isOperator } from "../accounts/eligibility.ts";
import { queueSecurityMail } from "../accounts/security_mails.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Credentials, credentialsOf } from "../sessions/credentials.ts";
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

/** What is said of a passkey that was removed. */
export interface RemovedPasskey {
  id: string;
  removed: true;
}

/**
 * Removes a passkey, never the last way to sign in, and tells the owner by
 * mail. An e-mail address is a way to sign in: every account has one, so this
 * refuses for an account whose address was taken away, and the last passkey of an
 * operator to an agent: a mere code would decide from then on. Sessions go on;
 * signing out everywhere is a step of its own.
 *
 * @throws {Refused} `passkey_not_found`, `last_sign_in_method`,
 * `idempotency_conflict`, and as {@linkcode requireAuthority}
 */
export function removePasskey(
  services: PasskeyStore,
  input: OwnPasskey & { by: Authority; binding: Binding | null },
): Promise<Answered<RemovedPasskey>> {
  const { binding, passkeyId: id } = input;
  const mailId = services.ids.next("mail"); // outside: attempts share it
  return commitOnce<RemovedPasskey>(services, binding, async (tx) => {
    await requireAuthority(tx, input.by);
    await takeAway(services, tx, input, mailId);
    return done({ id, removed: true });
  });
}

async function takeAway(
  { clock, settings }: PasskeyStore,
  tx: Transaction,
  { accountId, passkeyId, by }: OwnPasskey & { by: Authority },
  mailId: string,
): Promise<void> {
  const credentials = await credentialsOf(tx, accountId);
  const { name } = passkeyOf(credentials, passkeyId);
  const account = await tx.accounts.find(accountId);
  const email = account?.email ?? "";
  const passkeys = credentials.passkeys.filter(({ id }) => id !== passkeyId);
  const decidesByIt = "grant" in by && account !== null &&
    isOperator(account, settings);
  if (passkeys.length === 0 && (email === "" || decidesByIt)) {
    refuse({ code: "last_sign_in_method" });
  }
  tx.credentials.save({ ...credentials, passkeys });
  if (account === null || email === "") return;
  const content = passkeyRemovedMail(email, name, settings.baseUrl);
  queueSecurityMail(tx, account, { mailId, content }, clock.now());
}

function passkeyOf({ passkeys }: Credentials, passkeyId: string): Passkey {
  return passkeys.find(({ id }) => id === passkeyId) ??
    refuse({ code: "passkey_not_found" });
}
