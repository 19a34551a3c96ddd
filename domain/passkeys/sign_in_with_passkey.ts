import { sha256Hex } from "../sha256.ts";
import { refuse } from "../refusal.ts";
import { type Credentials, credentialsOf } from "../sessions/credentials.ts";
import { boundSessions } from "../sessions/bound_sessions.ts";
import { type SignInBrowser, startSession } from "../sessions/start_session.ts";
import type { StartedSession } from "../sign_in/redeem_code.ts";
import type { Passkey } from "./passkey.ts";
import {
  newPasskeyChallenge,
  type PasskeyServices,
  usePasskeyChallenge,
} from "./passkey_challenge.ts";
import type { Assertion, PasskeyUse } from "./webauthn.ts";

/** What a browser needs to sign in with any passkey of this site. */
export async function beginPasskeySignIn(
  services: PasskeyServices,
  browserSecret: string,
): Promise<unknown> {
  const challenge = await newPasskeyChallenge(services, {
    purpose: "sign_in",
    browserHash: sha256Hex(browserSecret),
  });
  return services.webauthn.assertionOptions(challenge);
}

/**
 * Signs in by a passkey. The challenge is used up first; then the signature is
 * checked against the key as it was read, and the commit checks that nobody
 * has removed or used the key since.
 *
 * @throws {Refused} `passkey_rejected`, whatever the reason
 */
export async function signInWithPasskey(
  services: PasskeyServices,
  input: SignInBrowser & { browserSecret: string | null; response: unknown },
): Promise<StartedSession> {
  const { webauthn, store, clock, ids } = services;
  const assertion = webauthn.assertionOf(input.response);
  if (assertion === null || input.browserSecret === null) reject();
  await usePasskeyChallenge(services, assertion.challenge, {
    purpose: "sign_in",
    browserHash: sha256Hex(input.browserSecret),
  });
  const { accountId, credentialId } = assertion;
  const passkey = await knownPasskey(services, assertion);
  const use = await webauthn
    .verifyAssertion(input.response, assertion.challenge, passkey);
  if (use === null) reject();
  const sessionId = ids.secret();
  const bindingId = ids.next("stay");
  const started = await store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, accountId);
    const nowMs = clock.now();
    const used = withUse(credentials, credentialId, use, nowMs);
    const { email } = await tx.accounts.find(accountId) ?? reject();
    tx.credentials.save(used);
    const begun = { ...input, sessionId, bindingId, credentials: used };
    await startSession(tx, { ...begun, method: "passkey" }, nowMs);
    return { sessionId, accountId, email };
  });
  await boundSessions(services, accountId);
  return started;
}

/** The key that is claimed to have signed, of the account it is claimed for. */
async function knownPasskey(
  { store }: PasskeyServices,
  { accountId, credentialId }: Assertion,
): Promise<Passkey> {
  const [owner, credentials] = await store.getMany([
    store.passkeyOwners.ref(credentialId),
    store.credentials.ref(accountId),
  ]);
  const passkey = credentials?.passkeys
    .find((each) => each.credentialId === credentialId);
  const isTheirs = owner?.accountId === accountId && passkey !== undefined;
  return isTheirs ? passkey : reject();
}

/**
 * The credentials after the key was used. A counter that does not grow is that
 * of a copied key; whether a key may be copied never changes (WebAuthn §7.2).
 */
function withUse(
  credentials: Credentials,
  credentialId: string,
  use: PasskeyUse,
  lastUsedAtMs: number,
): Credentials {
  const before = credentials.passkeys
    .find((each) => each.credentialId === credentialId);
  if (before === undefined) reject();
  const counts = use.counter > 0 || before.counter > 0;
  if (counts && use.counter <= before.counter) reject();
  if (use.backupEligible !== before.backupEligible) reject();
  const used = { ...before, ...use, lastUsedAtMs };
  const passkeys = credentials.passkeys
    .map((each) => each === before ? used : each);
  return { ...credentials, passkeys };
}

/** Never tells which check failed. */
function reject(): never {
  refuse({ code: "passkey_rejected" });
}
