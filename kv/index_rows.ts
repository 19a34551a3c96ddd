/**
 * Index rows of the records that have several kinds of them.
 *
 * @module
 */
import type { Account } from "../domain/accounts/account.ts";
import { accountWords } from "../domain/accounts/account_words.ts";
import { operatorCaseOf } from "../domain/accounts/operator_case.ts";
import { nameOf, type OperatorAct } from "../domain/audit/operator_act.ts";
import type { Creative } from "../domain/creatives/creative.ts";
import { type Dispute, isUndecided } from "../domain/disputes/dispute.ts";
import type { Invoice } from "../domain/invoices/invoice.ts";
import { dueRow } from "./due_rows.ts";
import { keys } from "./keys.ts";

/** A row that points at a record, written and removed with it. */
export interface IndexRow {
  key: Deno.KvKey;
  /** Ids only, never a copy; null keeps the row absent. */
  value: Readonly<Record<string, unknown>> | null;
}

/** An account's address, words, VAT id, who brought it, and what is to be done. */
export function accountRows(account: Account): IndexRow[] {
  const { id: accountId, email, company, vatStatus } = account;
  const vatId = vatStatus === "valid" ? company?.vatId ?? null : null;
  // One that is being erased has no address any more.
  const address = email === "" ? [] : [{
    key: keys.accountEmail(email),
    value: { email, accountId },
  }];
  // No row for an id that is not verified: it may be another's.
  const holder = vatId === null ? [] : [{
    key: keys.vatHolder(vatId),
    value: { vatId, accountId },
  }];
  const deskCase = operatorCaseOf(account);
  const waiting = deskCase === null ? [] : [{
    key: keys.waitingAccount(deskCase.sinceMs, accountId),
    value: { accountId },
  }];
  const { referral } = account;
  const referred = referral === undefined ? [] : [{
    key: keys.referralOfPartner(
      referral.partnerId,
      referral.signedUpAtMs,
      accountId,
    ),
    value: { accountId },
  }];
  const words = accountWords(account).map((word) => ({
    key: keys.accountWord(word, accountId),
    value: { accountId },
  }));
  return [
    ...address,
    ...words,
    ...holder,
    ...referred,
    ...dueRow("vats", accountId, account),
    ...dueRow("knownVats", accountId, account),
    ...waiting,
  ];
}

/** A creative's owner, its place in the owner's list and at the desk. */
export function creativeRows(creative: Creative): IndexRow[] {
  const { adId, accountId, createdAtMs, state, submittedAtMs } = creative;
  const value = { adId, accountId };
  const rows: IndexRow[] = [
    { key: keys.creativeOwner(adId), value },
    { key: keys.creativeOfAccount(accountId, createdAtMs, adId), value },
  ];
  if (submittedAtMs === undefined) return rows;
  const key = keys.submittedCreative(submittedAtMs, adId);
  return [...rows, { key, value: state === "submitted" ? value : null }];
}

/** What an operator's act was about, and whose it was. */
export function actRows({ id, atMs, subject, by }: OperatorAct): IndexRow[] {
  const value = { atMs, id };
  const person = { key: keys.actOfPerson(nameOf(by), atMs, id), value };
  if (subject === null) return [person];
  return [person, { key: keys.actOfSubject(subject, atMs, id), value }];
}

/** Whose payment a dispute is about, and whether it may still move. */
export function disputeRows(dispute: Dispute): IndexRow[] {
  const { id: disputeId, accountId, openedAtMs } = dispute;
  const value = { disputeId };
  const undecided = {
    key: keys.undecidedDispute(openedAtMs, disputeId),
    value: isUndecided(dispute) ? value : null,
  };
  if (accountId === null) return [undecided];
  return [undecided, {
    key: keys.disputeOfAccount(accountId, disputeId),
    value,
  }];
}

/** An invoice's number, payment and place, and what is to be done about it. */
export function invoiceRows(invoice: Invoice): IndexRow[] {
  const { id: invoiceId, number, accountId, finalizedAtMs } = invoice;
  const { money, paymentId } = invoice;
  const paid = paymentId === null ? [] : [{
    key: keys.paymentInvoice(paymentId),
    value: { paymentId, invoiceId },
  }];
  return [
    { key: keys.invoiceNumber(number), value: { number, invoiceId } },
    {
      key: keys.invoiceOfAccount(accountId, finalizedAtMs, invoiceId),
      value: { invoiceId },
    },
    ...dueRow("refunds", invoiceId, invoice),
    ...dueRow("commissions", invoiceId, invoice),
    {
      key: keys.failedRefund(invoiceId),
      value: money === "refund_failed" ? { invoiceId } : null,
    },
    ...paid,
  ];
}
