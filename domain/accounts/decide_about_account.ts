import { listLiveBids } from "../bids/list_live_bids.ts";
import { requireAccount } from "./require_account.ts";
import type { Reviewer } from "../creatives/creative_note.ts";
import { readText } from "../text/read_text.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services, Transaction } from "../ports.ts";
import type { Facts } from "../audit/operator_act.ts";
import type { Account } from "./account.ts";
import { hasLostDispute } from "./eligibility.ts";
import { type AccountEvent, saveWithNote } from "./account_note.ts";
import { decisionMail } from "./decision_mails.ts";

/** How long an operator's reason may be, in code points. */
export const REASON_TEXT = { min: 1, max: 500 };

/** Which account is decided about, by whom, and why. */
export interface AccountOrder {
  accountId: string;
  by: Reviewer;
  /** As it was typed. The owner reads it. */
  reason: string;
  /** What of the owner's the operator saw and decides about; null for none. */
  about: string | null;
  /** The company's name that the operator saw, where that decides. */
  companyName?: string | undefined;
}

/** What deciding about an account needs. */
export type DecisionServices = Pick<
  Services,
  "store" | "clock" | "ids" | "settings" | "log" | "keys"
>;

/** What a decision makes of an account. */
export interface AccountDecision {
  account: Account;
  event: AccountEvent;
  /** The name or id that it is about; absent for the account itself. */
  about?: string;
  /** Bids that stand counted before and count on, so its mail names none. */
  leavesBids?: true;
}

/**
 * An operator's decision about an account, in one commit: the account, a line
 * of its history and the mail to its owner. Where it stands already, `decide`
 * answers null, and nothing is written. Decision 0210 says why.
 *
 * @throws {Refused} `account_not_found`; `invalid_input` for a reason that is
 * not plain text
 */
export async function decideAboutAccount(
  { store, clock, ids, settings }: DecisionServices,
  { accountId, by, reason }: AccountOrder,
  decide: (
    tx: Transaction,
    account: Account,
    said: { reason: string; atMs: number },
  ) => Promise<AccountDecision | null> | AccountDecision | null,
): Promise<Account> {
  const said = readReason(reason);
  const mailId = ids.next("mail"); // outside: attempts share it
  // Before: a month of days is more than a commit checks. The mail names none.
  const live = await listLiveBids({ store, clock }, { accountId });
  const hasLiveBids = live.length > 0;
  return await store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const atMs = clock.now();
    const decision = await decide(tx, account, { reason: said, atMs });
    if (decision === null) return account;
    const { event } = decision;
    tx.noteChange({
      before: standingOf(account),
      after: standingOf(decision.account),
    });
    const told = {
      ...decision,
      reason: said,
      hasLiveBids: hasLiveBids && decision.leavesBids !== true,
    };
    const content = decisionMail(told, settings);
    queueMail(tx, { mailId, accountId, content }, atMs);
    return saveWithNote(tx, decision.account, {
      event,
      by,
      atMs,
      reason: said,
    });
  });
}

/** What decisions change of an account, for the audit. */
function standingOf(account: Account): Facts {
  const { company, vatStatus, suspendedAtMs, cardRefused } = account;
  return {
    company_name: company?.name ?? null,
    vat_id: company?.vatId ?? null,
    vat_status: vatStatus,
    suspended: suspendedAtMs !== null,
    card_refused: cardRefused,
    dispute_lost: hasLostDispute(account),
    partnership: account.partnership?.state ?? null,
  };
}

/**
 * A reason as it is kept: plain text, since the owner and the owner's agents
 * read it.
 *
 * @throws {Refused} `invalid_input`
 */
export function readReason(typed: string): string {
  const action = "Cannot decide without a reason that the owner can read";
  return readText(typed, REASON_TEXT, action);
}
