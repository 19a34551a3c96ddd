import { queueSecurityMail } from "../accounts/security_mails.ts";
import { requireAuthority } from "../sessions/authority.ts";
import { refuse } from "../refusal.ts";
import type { SignedIn } from "../sessions/read_session.ts";
import { browserOf } from "../sessions/browser_name.ts";
import { credentialsOf } from "../sessions/credentials.ts";
import { isFull, type Passkey } from "./passkey.ts";
import {
  newPasskeyChallenge,
  type PasskeyServices,
  usePasskeyChallenge,
} from "./passkey_challenge.ts";
import { passkeyAddedMail } from "./passkey_mails.ts";
import type { NewCredential } from "./webauthn.ts";

/**
 * What the browser of a signed-in person needs to make a passkey.
 *
 * @throws {Refused} `passkeys_full`
 */
export async function beginPasskey(
  services: PasskeyServices,
  { session, account }: SignedIn,
): Promise<unknown> {
  const credentials = await services.store.credentials.find(account.id);
  const passkeys = credentials?.passkeys ?? [];
  if (isFull(passkeys)) refuse({ code: "passkeys_full" });
  const challenge = await newPasskeyChallenge(services, {
    purpose: "register",
    browserHash: session.hash,
  });
  const { id, email } = account;
  return services.webauthn.registrationOptions({
    challenge,
    account: { id, email },
    passkeys,
  });
}

/**
 * Adds the passkey that a browser made, and tells its owner by mail.
 *
 * @throws {Refused} `passkey_rejected`, `passkeys_full`, and `session_missing`
 * when the browser was signed out meanwhile
 */
export async function registerPasskey(
  services: PasskeyServices,
  { session, account }: SignedIn,
  response: unknown,
): Promise<Passkey> {
  const { webauthn, store, clock, ids } = services;
  const challenge = webauthn.challengeOf(response);
  if (challenge === null) refuse({ code: "passkey_rejected" });
  const use = { purpose: "register", browserHash: session.hash } as const;
  await usePasskeyChallenge(services, challenge, use);
  const made = await webauthn.verifyRegistration(response, challenge);
  if (made === null) refuse({ code: "passkey_rejected" });
  const [id, mailId] = [ids.next("pk"), ids.next("mail")];
  return store.transact(async (tx) => {
    await requireAuthority(tx, { session });
    const credentials = await credentialsOf(tx, account.id);
    const owner = await tx.passkeyOwners.find(made.credentialId);
    if (owner !== null) refuse({ code: "passkey_rejected" });
    const current = await tx.accounts.find(account.id);
    const { passkeys } = credentials;
    if (isFull(passkeys)) refuse({ code: "passkeys_full" });
    const nowMs = clock.now();
    const name = browserOf(session);
    const passkey = newPasskey(made, id, name, nowMs);
    tx.credentials.save({ ...credentials, passkeys: [...passkeys, passkey] });
    if (current !== null) {
      const { baseUrl } = services.settings;
      const content = passkeyAddedMail(current.email, name, baseUrl);
      queueSecurityMail(tx, current, { mailId, content }, nowMs);
    }
    return passkey;
  });
}

function newPasskey(
  made: NewCredential,
  id: string,
  name: string,
  createdAtMs: number,
): Passkey {
  return { ...made, id, name, createdAtMs, lastUsedAtMs: null };
}
