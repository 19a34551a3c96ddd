/**
 * Giving an invoice's money back, or what is left of it. The intention is a row
 * in `refunding`; what fails is tried again by the sweep, so often and no more.
 *
 * @module
 */
import { bookRefunds } from "../payments/book_taken.ts";
import { unlessUncertain } from "../payments/outcome.ts";
import { UNCERTAIN } from "../payments/refund_rest.ts";
import type { CreditNote } from "../payments/processor_credit_notes.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services, Settings, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { backOffMs } from "../tasks/back_off.ts";
import { isAhead } from "../tasks/due.ts";
import {
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import { sweep } from "../tasks/sweep.ts";
import { peekShownWindow } from "../auction/read_shown_windows.ts";
import { noteEvents } from "../events/note_events.ts";
import { queueArchiving } from "./archive_task.ts";
import {
  type Attempt,
  NOTHING_FOUND,
  refundInvoiceRest,
} from "./refund_invoice_rest.ts";
import {
  DISPUTED_WAIT_MS,
  type Invoice,
  INVOICE_MONEY,
  isLeftToPerson,
  REFUND_LEASE_MS,
} from "./invoice.ts";
import { takenOf } from "./invoice_books.ts";
import { withMoneyNow } from "./invoice_money.ts";
import { refundMail } from "./refund_mail.ts";

const RETRIES = { firstMs: 60_000, maxMs: 3_600_000 };
/** Attempts in vain before a person has to look: four days and more. */
const TRIES_MAX = 100;
/** Refusals before one is taken for good: some hours. */
const REFUSALS_MAX = 8;
/** Invoices one run of the sweep works on. */
const SWEPT_MAX = 100;

/**
 * Gives back what is due; one that fails keeps no other waiting.
 *
 * @throws the first failure, once all were tried
 */
export async function refundDueInvoices(services: Services): Promise<void> {
  await sweep(services.clock, {
    due: (nowMs) =>
      services.store.listDue("refunds", nowMs, { limit: SWEPT_MAX }),
    attempt: ({ id }) => refundInvoice(services, { invoiceId: id }),
  });
}

/** An attempt, and what the mail about it takes. */
interface Tried extends Attempt {
  settings: Settings;
}

const REFUNDS: TaskFamily<Invoice, Tried> = {
  table: ({ invoices }) => invoices,
  idOf: ({ id }) => id,
  leaseMs: REFUND_LEASE_MS,
  // Whoever orders one has it tried at once, due or not.
  isFree: (invoice, nowMs) =>
    isToGoBack(invoice) &&
    !isAhead(invoice.leaseUntilMs, nowMs, REFUND_LEASE_MS),
  // On hold the port of the processor says no, and whoever ordered it hears that.
  runsOnHold: () => true,
  held: (invoice, { untilMs }) => ({
    ...invoice,
    leaseUntilMs: untilMs,
    dueAtMs: untilMs,
    attempts: invoice.attempts + 1,
  }),
  run: attemptRefund,
  // Whoever holds it by now: what moved is booked by its id, and once.
  after: (invoice, { ending, nowMs }, tx) =>
    ending !== null && isToGoBack(invoice)
      ? afterAttempt(tx, invoice, ending, nowMs)
      : null,
  report: logRefund,
};

/**
 * Gives back what the processor still holds of an invoice's money, if it is to
 * be given back and nobody has its lease. What was given back past us is booked
 * and logged; of a refund that has failed for good, that alone is done.
 * Decision 0141 says why.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export function refundInvoice(
  services: Services,
  { invoiceId }: { invoiceId: string },
): Promise<void> {
  return runTask(services, REFUNDS, [invoiceId]);
}

function isToGoBack({ money }: Invoice): boolean {
  return money === "refunding" || money === "refund_failed";
}

async function attemptRefund(
  services: Services,
  [held]: Held<Invoice>,
): Promise<Tried> {
  const attempt = await unlessUncertain(() =>
    refundInvoiceRest(services, held)
  );
  const { settings } = services;
  return { ...attempt ?? { ...NOTHING_FOUND, trouble: UNCERTAIN }, settings };
}

/** What moved, its entries, the notes to archive and what follows, together. */
async function afterAttempt(
  tx: Transaction,
  invoice: Invoice,
  { refunds, notes, trouble, settings }: Tried,
  now: number,
): Promise<Invoice> {
  const taken = bookRefunds(tx, takenOf(invoice), invoice, refunds, now);
  const noted = await withCreditNotes(tx, taken, notes, now);
  const change = { before: invoice, after: noted };
  await noteRefunds(tx, settings, change, now);
  const moved = withMoneyNow(noted);
  return isToGoBack(moved)
    ? afterFailedRefund(moved, trouble, now)
    : { ...moved, leaseUntilMs: now, refundTrouble: lastingTrouble(invoice) };
}

/** What a person gave back stays theirs, should a bank bring more of it back. */
function lastingTrouble(invoice: Invoice): string | null {
  const isTheirs = invoice.money === "refund_failed" && isLeftToPerson(invoice);
  return isTheirs ? invoice.refundTrouble : null;
}

/** Every correction of the invoice is kept, whoever made it. */
export async function withCreditNotes(
  tx: Transaction,
  invoice: Invoice,
  found: readonly CreditNote[],
  nowMs: number,
): Promise<Invoice> {
  const known = new Set(invoice.creditNotes.map(({ id }) => id));
  const added = found.filter(({ id }) => !known.has(id)).toReversed();
  for (const { id, number } of added) {
    await queueArchiving(tx, {
      number,
      kind: "credit_note",
      documentId: id,
      accountId: invoice.accountId,
    }, nowMs);
  }
  const creditNotes = added.map((note) => {
    const { id, number, totalCents, taxCents, createdAtMs } = note;
    return { id, number, totalCents, taxCents, createdAtMs };
  });
  return { ...invoice, creditNotes: [...invoice.creditNotes, ...creditNotes] };
}

/**
 * Tells agents and the owner that more was given back, in the commit that books
 * it. The owner's address is read without a check: the commit makes as many as
 * it may.
 */
export async function noteRefunds(
  tx: Transaction,
  settings: Settings,
  { before, after }: { before: Invoice; after: Invoice },
  nowMs: number,
): Promise<void> {
  if (after.refunds.length === before.refunds.length) return;
  const { accountId, number: invoice_number, day } = after;
  // Gone, or of after the backup that the store was restored from.
  const account = await tx.peek(tx.accounts.ref(accountId));
  if (account === null) return;
  const data = { invoice_number, day };
  await noteEvents(tx, accountId, [{ type: "invoice.refunded", data }], nowMs);
  const shown = await peekShownWindow(tx, settings, day);
  const refund = { before, after, shown };
  const content = refundMail(account.email, refund, settings);
  // The same for the same refunds, whoever books them.
  const mailId = `mail_refund_${after.id}_${after.refunds.length}`;
  queueMail(tx, { mailId, accountId, content }, nowMs);
}

/** When it is tried next, or that it is not tried any more. */
function afterFailedRefund(
  invoice: Invoice,
  trouble: string | null,
  nowMs: number,
): Invoice {
  const free = { ...invoice, leaseUntilMs: nowMs };
  if (invoice.money === "refund_failed") return free;
  const refundTrouble = trouble ?? "not_all_given_back";
  if (invoice.disputedCents > 0) {
    return { ...free, refundTrouble, dueAtMs: nowMs + DISPUTED_WAIT_MS };
  }
  const refundTries = invoice.refundTries + 1;
  const refundRefusals = invoice.refundRefusals +
    (isRefusal(refundTrouble, invoice) ? 1 : 0);
  const isOver = refundTries >= TRIES_MAX || refundRefusals >= REFUSALS_MAX;
  return {
    ...free,
    ...isOver &&
      { money: advance(INVOICE_MONEY, invoice.money, "refund_failed") },
    refundTries,
    refundRefusals,
    refundTrouble,
    dueAtMs: nowMs + backOffMs(refundTries, RETRIES),
  };
}

/** A dispute that we have not heard of yet is none: it comes to an end. */
function isRefusal(trouble: string, { lostCents }: Invoice): boolean {
  if (trouble === "charge_disputed") return lostCents > 0;
  return trouble !== UNCERTAIN;
}

function logRefund(
  { log }: Services,
  { change, ending }: TaskOutcome<Invoice, Tried>,
): void {
  if (change === null || ending === null) return;
  const { before, after: next } = change;
  const { foundCents, trouble } = ending;
  const fields = { invoice: next.id, day: next.day };
  const booked = next.refunds.length - before.refunds.length;
  // How many, never how much: a log names no amount.
  if (foundCents > 0 && booked > 0) {
    log.info("invoice.refund_taken_over", { ...fields, refunds: booked });
  }
  // What has failed was told when it did.
  if (next.money === "refund_failed" && before.money === next.money) return;
  if (!isToGoBack(next)) {
    log.info("invoice.refunded", { ...fields, refunds: next.refunds.length });
  } else if (next.money !== before.money) {
    log.error("invoice.refund_failed", { ...fields, code: trouble });
  } else if (trouble === UNCERTAIN) {
    log.info("invoice.refund_uncertain", fields);
  } else log.error("invoice.refund_refused", { ...fields, code: trouble });
}
