import { sha256Hex } from "../sha256.ts";
import { newAccount } from "../accounts/new_account.ts";
import { takeSuppression } from "../mail/suppression.ts";
import { acceptTerms } from "../accounts/terms.ts";
import { creditReferral } from "../partners/refer.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { credentialsOf } from "../sessions/credentials.ts";
import { boundSessions } from "../sessions/bound_sessions.ts";
import { type SignInBrowser, startSession } from "../sessions/start_session.ts";
import { type SignInChallenge } from "./challenge.ts";
import { codeMacOf } from "./request_code.ts";
import type { SignInServices } from "./sign_in_services.ts";

/** A code, given by a browser. */
export interface RedeemCode extends SignInBrowser {
  /** From the cookie that the request for the code set; null for none. */
  browserSecret: string | null;
  /** As `parseCode` answers it. */
  code: string;
}

/** A sign-in that has succeeded. */
export interface StartedSession {
  /** For the cookie; nothing else knows it. */
  sessionId: string;
  accountId: string;
  /** The address of the account, by which its browsers are known. */
  email: string;
}

/**
 * Signs in by a mailed code, which is used up by it, and makes the account if
 * the address has none. A wrong code costs a try; after the last one the code
 * is gone.
 *
 * @throws {Refused} `sign_in_code_gone` (never asked for by this browser, used,
 * expired or tried too often), `sign_in_code_wrong`
 */
export async function redeemCode(
  services: SignInServices,
  input: RedeemCode,
): Promise<
  StartedSession & { next: string; isNew: boolean }
> {
  const { clock, ids, store } = services;
  const { browserSecret } = input;
  if (browserSecret === null) refuse({ code: "sign_in_code_gone" });
  const hash = sha256Hex(browserSecret);
  const accountId = ids.next("acc");
  const bindingId = ids.next("stay");
  const sessionId = ids.secret();
  // A refusal inside would undo the write of the try that it costs.
  const outcome = await store.transact(async (tx) => {
    const challenge = await tx.signInChallenges.find(hash);
    if (challenge === null) refuse({ code: "sign_in_code_gone" });
    const mac = codeMacOf(services, challenge, input.code);
    if (challenge.codeMac !== mac) return takeTry(tx, challenge);
    tx.signInChallenges.remove(challenge);
    const nowMs = clock.now();
    const known = await accountOf(
      services,
      tx,
      challenge,
      { newId: accountId, nowMs },
    );
    const credentials = await credentialsOf(tx, known.accountId);
    await startSession(
      tx,
      { ...input, sessionId, bindingId, credentials, method: "code" },
      nowMs,
    );
    const { email, next } = challenge;
    return { sessionId, email, next, ...known };
  });
  if ("triesLeft" in outcome) {
    const { triesLeft } = outcome;
    if (triesLeft === 0) refuse({ code: "sign_in_code_gone" });
    refuse({ code: "sign_in_code_wrong", triesLeft });
  }
  await boundSessions(services, outcome.accountId);
  return outcome;
}

function takeTry(
  tx: Transaction,
  challenge: SignInChallenge,
): { triesLeft: number } {
  const triesLeft = challenge.triesLeft - 1;
  if (triesLeft === 0) tx.signInChallenges.remove(challenge);
  else tx.signInChallenges.save({ ...challenge, triesLeft });
  return { triesLeft };
}

/**
 * The account of a verified address, made if there is none: the page that the
 * code was given on says that this accepts the terms.
 */
async function accountOf(
  { keys }: Pick<SignInServices, "keys">,
  tx: Transaction,
  { email, referralCode }: SignInChallenge,
  { newId, nowMs }: { newId: string; nowMs: number },
): Promise<{ accountId: string; isNew: boolean }> {
  const known = await tx.accountEmails.find(email);
  if (known !== null) return { accountId: known.accountId, isNew: false };
  const account = newAccount(newId, email, nowMs);
  const referral = referralCode === undefined
    ? null
    : await creditReferral(tx, { code: referralCode, email }, nowMs);
  const mutedMails = await takeSuppression(keys, tx, email);
  tx.accounts.save({
    ...account,
    terms: acceptTerms(nowMs),
    ...referral !== null && { referral },
    ...mutedMails.length > 0 && { mutedMails },
  });
  return { accountId: newId, isNew: true };
}

/** The code that a browser still has to give; null when there is none. */
export async function pendingSignIn(
  { store }: Pick<Services, "store">,
  browserSecret: string | null,
): Promise<
  Pick<SignInChallenge, "email" | "next" | "referralCode"> | null
> {
  if (browserSecret === null) return null;
  return await store.signInChallenges.find(sha256Hex(browserSecret));
}
