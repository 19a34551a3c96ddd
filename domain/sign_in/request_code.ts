import { invariant } from "../invariant.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  challengeHash,
  CODE_MS,
  CODE_TRIES,
  codeFrom,
  type SignInChallenge,
} from "./challenge.ts";
import { countMail, MAILS_PER_CLIENT, MAILS_PER_EMAIL } from "./mail_quota.ts";
import { signInMail } from "./sign_in_mail.ts";
import { signInMac, type SignInServices } from "./sign_in_services.ts";

/** Who wants a code. */
export interface RequestCode {
  /** As `parseEmail` answers it. */
  email: string;
  /** Names the client by its network address. */
  client: string;
  /** The path to go on to, already found to be our own. */
  next: string;
}

/**
 * Mails a code of 8 digits. Whether an account has the address is not even
 * looked up, so nothing of the answer depends on it.
 *
 * @returns the secret that the browser has to keep and bring with the code
 * @throws {Refused} `sign_in_mails_exhausted`
 */
export async function requestCode(
  services: SignInServices,
  { email, client, next }: RequestCode,
): Promise<string> {
  const { clock, ids, store, settings } = services;
  const browserSecret = ids.secret();
  const code = codeFrom(ids.secret());
  const mailId = ids.next("mail");
  const hash = challengeHash(browserSecret);
  const { currentId: keyId } = services.keys;
  const codeMac = codeMacOf(services, { hash, keyId }, code);
  invariant(codeMac !== null, "the key of now is among the keys");
  await store.transact(async (tx) => {
    const nowMs = clock.now();
    await countMails(tx, services, { email, client }, nowMs);
    const challenge: SignInChallenge = {
      hash,
      email,
      codeMac,
      keyId,
      next,
      triesLeft: CODE_TRIES,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + CODE_MS,
    };
    tx.signInChallenges.save(challenge);
    const mail = signInMail(email, code, settings.baseUrl);
    queueMail(tx, mailId, mail, nowMs);
  });
  return browserSecret;
}

/**
 * The form in which a code is stored: with the challenge, under our key. Null
 * when the secret behind that key is no longer in use.
 */
export function codeMacOf(
  { keys }: SignInServices,
  { hash, keyId }: Pick<SignInChallenge, "hash" | "keyId">,
  code: string,
): string | null {
  return keys.mac("sign-in", `code|${hash}|${code}`, keyId);
}

async function countMails(
  tx: Transaction,
  { keys }: SignInServices,
  { email, client }: Pick<RequestCode, "email" | "client">,
  nowMs: number,
): Promise<void> {
  const quotas = [
    [signInMac(keys, `email|${email}`), MAILS_PER_EMAIL],
    [signInMac(keys, `client|${client}`), MAILS_PER_CLIENT],
  ] as const;
  for (const [hash, limit] of quotas) {
    const before = await tx.signInMailQuotas.find(hash);
    const verdict = countMail(before, hash, limit, nowMs);
    if (!verdict.admitted) {
      const { retryAfterS } = verdict;
      refuse({ code: "sign_in_mails_exhausted", retryAfterS });
    }
    tx.signInMailQuotas.save(verdict.quota);
  }
}
