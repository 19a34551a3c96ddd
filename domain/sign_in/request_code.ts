import { sha256Hex } from "../sha256.ts";
import { invariant } from "../invariant.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Transaction } from "../ports.ts";
import {
  admitMail,
  type AdmittedMail,
  type MailAsker,
  type MailLimits,
} from "./admit_mail.ts";
import { CODE_MS } from "../hold/has_code.ts";
import { CODE_TRIES, codeFrom, type SignInChallenge } from "./challenge.ts";
import { REPEATS_A_CODE } from "./mail_charges.ts";
import type { SignInServices } from "./sign_in_services.ts";

/** Who wants a code. */
export interface RequestCode extends MailAsker {
  /** Of the cookie of a sign-in this browser has begun; null for none. */
  browserSecret: string | null;
  /** The path to go on to, already found to be our own. */
  next: string;
  /** Of the partner's link that was followed, as `parseCode` answers it. */
  referralCode?: string | null;
}

/**
 * Mails a code of 8 digits. A browser that waits for its code and asks again
 * has another one mailed twice at most, which takes the place of the first and
 * does not count against the address. Nothing that is answered depends on
 * whether an account has the address.
 *
 * @throws {Refused} `sign_in_mails_exhausted`
 */
export async function requestCode(
  services: SignInServices & MailLimits,
  asked: RequestCode,
): Promise<
  Pick<AdmittedMail, "strangersWaitS"> & { browserSecret: string }
> {
  const secret = services.ids.secret();
  const waitingHash = await repeatableHash(services, asked);
  const admitted = await admitMail(services, asked, waitingHash !== null);
  const { isSent, strangersWaitS } = admitted;
  const saving = { secret, waitingHash, isSent };
  if (!await saveCode(services, asked, saving)) {
    // Its repeats were used up meanwhile, in the same browser.
    return requestCode(services, { ...asked, browserSecret: null });
  }
  return { browserSecret: secret, strangersWaitS };
}

/** The challenge that this browser may have a further mail for. */
async function repeatableHash(
  { store }: Pick<SignInServices, "store">,
  { browserSecret, email }: RequestCode,
): Promise<string | null> {
  if (browserSecret === null) return null;
  const hash = sha256Hex(browserSecret);
  const waiting = await store.signInChallenges.find(hash);
  return repeatsLeftOf(waiting, email) > 0 ? hash : null;
}

/**
 * Saves a new code, under a new secret, and queues its mail. It takes the place
 * of the one that is waited for; false when that may not be repeated.
 */
function saveCode(
  services: SignInServices,
  { email, next, referralCode = null }: RequestCode,
  { secret, waitingHash, isSent }: {
    secret: string;
    waitingHash: string | null;
    isSent: boolean;
  },
): Promise<boolean> {
  const { clock, ids, store, settings } = services;
  const code = codeFrom(ids.secret());
  const mailId = ids.next("mail");
  const hash = sha256Hex(secret);
  const { currentId: keyId } = services.keys;
  const codeMac = codeMacOf(services, { hash, keyId }, code);
  invariant(codeMac !== null, "the key of now is among the keys");
  return store.transact(async (tx) => {
    const repeatsLeft = waitingHash === null
      ? REPEATS_A_CODE
      : await takeRepeat(tx, waitingHash, email);
    if (repeatsLeft === null) return false;
    const nowMs = clock.now();
    const challenge: SignInChallenge = {
      hash,
      email,
      codeMac,
      keyId,
      next,
      triesLeft: CODE_TRIES,
      repeatsLeft,
      ...referralCode !== null && { referralCode },
      createdAtMs: nowMs,
      expiresAtMs: nowMs + CODE_MS,
    };
    tx.signInChallenges.save(challenge);
    if (!isSent) return true;
    const owner = await tx.peek(tx.accountEmails.ref(email));
    const content = signInMail(email, code, settings.baseUrl);
    const accountId = owner?.accountId ?? null;
    queueMail(tx, { mailId, accountId, content }, nowMs);
    return true;
  });
}

/** Ends the code that is waited for; how many repeats are left, or null. */
async function takeRepeat(
  tx: Transaction,
  hash: string,
  email: string,
): Promise<number | null> {
  const waiting = await tx.signInChallenges.find(hash);
  const left = repeatsLeftOf(waiting, email);
  if (waiting === null || left === 0) return null;
  tx.signInChallenges.remove(waiting);
  return left - 1;
}

/**
 * How often a browser may have its code mailed again: no more once a code was
 * tried, so that all codes of one request have five tries together.
 */
function repeatsLeftOf(
  challenge: SignInChallenge | null,
  email: string,
): number {
  if (challenge === null || challenge.email !== email) return 0;
  if (challenge.triesLeft < CODE_TRIES) return 0;
  return challenge.repeatsLeft ?? REPEATS_A_CODE;
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

/**
 * The mail with a sign-in code. The link carries the code behind `#`, which no
 * server and no mail scanner is ever sent, and fills it into the form only.
 */
export function signInMail(
  to: string,
  code: string,
  baseUrl: string,
): MailContent<"sign_in"> {
  return {
    kind: "sign_in",
    to,
    subject: "Your Spotlight sign-in code",
    parts: [
      "Your code for signing in to Spotlight is:",
      { code: `${code.slice(0, 4)} ${code.slice(4)}` },
      "Type it into the page where you asked for it, or open this link in " +
      "the same browser.",
      {
        button: "Fill in the code",
        url: `${baseUrl}/sign-in/verify#c=${code}`,
      },
      "The code works once, for 10 minutes. If you did not ask for it, you " +
      "can ignore this mail: the code works only in the browser that asked " +
      "for it.",
    ],
  };
}
