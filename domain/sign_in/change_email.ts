/**
 * Another e-mail address for an account: a code for the address it has and one
 * for the address it wants, both given by a browser that is signed in. Decision
 * 0061 says why.
 *
 * @module
 */
import type { Account } from "../accounts/account.ts";
import { isOperator } from "../accounts/eligibility.ts";
import { requireAccount } from "../accounts/require_account.ts";
import { invariant } from "../invariant.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import type { Services, Transaction } from "../ports.ts";
import { EMAIL_CHANGES } from "../rate_limit/policy.ts";
import { type Network, widestOf } from "../rate_limit/network.ts";
import { refuse } from "../refusal.ts";
import { requireAuthority } from "../sessions/authority.ts";
import { credentialsOf } from "../sessions/credentials.ts";
import type { Session } from "../sessions/session.ts";
import { sha256Hex } from "../sha256.ts";
import { admitMail, type MailLimits } from "./admit_mail.ts";
import { CODE_MS } from "../hold/has_code.ts";
import { CODE_TRIES, codeFrom, type SignInChallenge } from "./challenge.ts";
import { emailChangedMail, emailChangeMail } from "./email_change_mails.ts";
import { codeMacOf } from "./request_code.ts";
import type { SignInServices } from "./sign_in_services.ts";

/** The two addresses of a change, each with a code of its own. */
const SIDES = ["current", "wanted"] as const;
type Side = typeof SIDES[number];

/** Whose address is changed, and in which browser. */
interface Changing {
  accountId: string;
  by: { session: Session };
}

/** A change that waits for its codes. */
export interface PendingEmail {
  current: string;
  wanted: string;
}

/** Names a challenge of a change; no browser's secret has this hash. */
function hashOf(accountId: string, side: Side): string {
  return sha256Hex(`email_change|${accountId}|${side}`);
}

/**
 * Mails a code to the address of the account and one to the address it wants,
 * in place of those of an earlier request. Nothing that is answered or mailed
 * depends on whether somebody else has that address.
 *
 * @throws {Refused} `sign_in_mails_exhausted`, `invalid_input` for the address
 * it has and for operators, and as {@linkcode requireAuthority}
 */
export async function requestEmailChange(
  services: SignInServices & MailLimits,
  { accountId, by, wanted, networks }: Changing & {
    /** As `parseEmail` answers it. */
    wanted: string;
    networks: readonly Network[];
  },
): Promise<void> {
  await admit(services, { accountId, wanted, networks });
  const { clock, ids, keys, settings, store } = services;
  const made = SIDES.map((side) => ({
    side,
    code: codeFrom(ids.secret()),
    mailId: ids.next("mail"),
    hash: hashOf(accountId, side),
  }));
  const { currentId: keyId } = keys;
  await store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const account = await requireAccount(tx, accountId);
    assertChangeable(services, account, wanted);
    const nowMs = clock.now();
    for (const { side, code, mailId, hash } of made) {
      const email = side === "current" ? account.email : wanted;
      const codeMac = codeMacOf(services, { hash, keyId }, code);
      invariant(codeMac !== null, "the key of now is among the keys");
      tx.signInChallenges.save({
        ...{ hash, email, codeMac, keyId, next: "" },
        triesLeft: CODE_TRIES,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + CODE_MS,
      });
      const mail = { to: email, code, isNew: side === "wanted" };
      const content = emailChangeMail(settings, mail);
      queueMail(tx, { mailId, accountId, content }, nowMs);
    }
  });
}

async function admit(
  services: SignInServices & MailLimits,
  { accountId, wanted, networks }: {
    accountId: string;
    wanted: string;
    networks: readonly Network[];
  },
): Promise<void> {
  const own = [{ id: `email_change:${accountId}`, policy: EMAIL_CHANGES }];
  const verdict = await services.limiter.takeAll(own, widestOf(networks));
  if (!verdict.admitted) {
    const { retryAfterS } = verdict;
    refuse({ code: "sign_in_mails_exhausted", retryAfterS });
  }
  const asker = { email: wanted, networks, deviceId: null };
  const { strangersWaitS } = await admitMail(services, asker, false);
  if (strangersWaitS !== null) {
    const retryAfterS = strangersWaitS;
    refuse({ code: "sign_in_mails_exhausted", retryAfterS });
  }
}

function assertChangeable(
  { settings }: SignInServices,
  account: Account,
  wanted: string,
): void {
  if (account.email === wanted) {
    refuse({
      code: "invalid_input",
      message: "This is the address that the account has",
    });
  }
  // Who operates is said by the configuration.
  if (settings.operatorEmails.includes(account.email)) {
    refuse({
      code: "invalid_input",
      message: "The address of an operator is changed in the configuration",
    });
  }
}

/**
 * Changes the address once both codes were given: the index of addresses, the
 * customer at the processor and the mails that say so move in the same commit.
 * Every other browser is signed out, since it may have been opened from the
 * mailbox that is left; agents stay, within what was approved.
 *
 * @throws {Refused} `sign_in_code_gone` (none waits, used, expired, or tried too
 * often), `sign_in_code_wrong`, `email_taken`, which only the owner of both
 * mailboxes is ever told, and as {@linkcode requireAuthority}
 */
export async function confirmEmailChange(
  services: SignInServices,
  { accountId, by, codes }: Changing & {
    /** As `parseCode` answers them. */
    codes: Readonly<Record<Side, string>>;
  },
): Promise<void> {
  const mailIds = SIDES.map(() => services.ids.next("mail"));
  // A refusal inside would undo the write of the try that it costs.
  const outcome = await services.store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const found = await challengesOf(tx, accountId);
    if (found === null) refuse({ code: "sign_in_code_gone" });
    const isRight = SIDES.every((side) =>
      codeMacOf(services, found[side], codes[side]) === found[side].codeMac
    );
    if (!isRight) return takeTry(tx, found);
    for (const side of SIDES) tx.signInChallenges.remove(found[side]);
    const account = await requireAccount(tx, accountId);
    const pending = {
      current: found.current.email,
      wanted: found.wanted.email,
    };
    if (account.email !== pending.current) return "gone";
    const after = { ...account, email: pending.wanted };
    const owner = await tx.accountEmails.find(pending.wanted);
    if (owner !== null || isOperator(after, services.settings)) return "taken";
    await move(services, tx, { after, pending, by, mailIds });
    return "changed";
  });
  if (outcome === "gone") refuse({ code: "sign_in_code_gone" });
  if (outcome === "taken") refuse({ code: "email_taken" });
  if (outcome === "changed") return;
  if (outcome.triesLeft === 0) refuse({ code: "sign_in_code_gone" });
  refuse({ code: "sign_in_code_wrong", triesLeft: outcome.triesLeft });
}

async function challengesOf(
  tx: Pick<Transaction, "signInChallenges">,
  accountId: string,
): Promise<Record<Side, SignInChallenge> | null> {
  const current = await tx.signInChallenges.find(hashOf(accountId, "current"));
  const wanted = await tx.signInChallenges.find(hashOf(accountId, "wanted"));
  return current === null || wanted === null ? null : { current, wanted };
}

/** Both codes have their tries together: nobody is told which was wrong. */
function takeTry(
  tx: Transaction,
  found: Record<Side, SignInChallenge>,
): { triesLeft: number } {
  const triesLeft = found.current.triesLeft - 1;
  for (const side of SIDES) {
    if (triesLeft === 0) tx.signInChallenges.remove(found[side]);
    else tx.signInChallenges.save({ ...found[side], triesLeft });
  }
  return { triesLeft };
}

async function move(
  { clock, settings }: SignInServices,
  tx: Transaction,
  { after, pending, by, mailIds }: {
    after: Account;
    pending: PendingEmail;
    by: Changing["by"];
    mailIds: readonly string[];
  },
): Promise<void> {
  const nowMs = clock.now();
  tx.accounts.save(after);
  const session = await tx.sessions.find(by.session.hash);
  invariant(session !== null, "the session was checked in this commit");
  const credentials = await credentialsOf(tx, after.id);
  const generation = credentials.generation + 1;
  tx.credentials.save({ ...credentials, generation });
  tx.sessions.save({ ...session, generation });
  if (after.company !== null) await queueCustomer(tx, after.id, nowMs);
  SIDES.forEach((side, at) => {
    const mail = { to: pending[side], isNew: side === "wanted" };
    const content = emailChangedMail(settings, mail);
    const mailId = mailIds[at] ?? "";
    queueMail(tx, { mailId, accountId: after.id, content }, nowMs);
  });
}

/** The change of an account that waits for its codes; null for none. */
export async function pendingEmailChange(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<PendingEmail | null> {
  const [current, wanted] = await store.getMany([
    store.signInChallenges.ref(hashOf(accountId, "current")),
    store.signInChallenges.ref(hashOf(accountId, "wanted")),
  ]);
  return current === null || wanted === null
    ? null
    : { current: current.email, wanted: wanted.email };
}
