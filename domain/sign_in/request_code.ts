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
import type { SignInServices } from "./sign_in_services.ts";

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
  const codeHash = codeHashOf(services, hash, code);
  await store.transact(async (tx) => {
    const nowMs = clock.now();
    await countMails(tx, services, { email, client }, nowMs);
    const challenge: SignInChallenge = {
      hash,
      email,
      codeHash,
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

/** The form in which a code is stored: with the challenge, under our key. */
export function codeHashOf(
  { keyedHash }: SignInServices,
  hash: string,
  code: string,
): string {
  return keyedHash(`code|${hash}|${code}`);
}

async function countMails(
  tx: Transaction,
  { keyedHash }: SignInServices,
  { email, client }: Pick<RequestCode, "email" | "client">,
  nowMs: number,
): Promise<void> {
  const quotas = [
    [keyedHash(`email|${email}`), MAILS_PER_EMAIL],
    [keyedHash(`client|${client}`), MAILS_PER_CLIENT],
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
