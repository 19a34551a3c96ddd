/**
 * Work by when it is due: one index a kind of work, of keys that go on with the
 * moment and the record's id.
 *
 * @module
 */
import { vatDueAtMs } from "../domain/accounts/vat_claim.ts";
import { removalDueAtMs } from "../domain/cards/card_removal.ts";
import { archiveDueAtMs } from "../domain/invoices/archive_task.ts";
import { refundDueAtMs } from "../domain/invoices/invoice.ts";
import { mailDueAtMs } from "../domain/mail/outbox_mail.ts";
import { paymentDueAtMs } from "../domain/paid_metrics/metrics_payment.ts";
import { customerDueAtMs } from "../domain/payments/customer_task.ts";
import type { DueWork, Store } from "../domain/ports.ts";
import { isDue } from "../domain/tasks/due.ts";
import { eventDueAtMs } from "../domain/webhooks/webhook_event.ts";
import { collect, follow, type ListContext } from "./collect.ts";
import { type DueKey, dueRange, keys } from "./keys.ts";

/** The index of one kind of work. */
interface DueIndex<T> {
  rowKey: DueKey;
  /** What an index row calls the record's id. */
  idName: string;
  recordKey: (id: string) => Deno.KvKey;
  /** When the record is due, and its row lies there; null for no row. */
  dueAtMs: (record: T) => number | null;
}

const indexes: { readonly [W in keyof DueWork]: DueIndex<DueWork[W]> } = {
  archiving: {
    rowKey: keys.dueArchiveTask,
    idName: "number",
    recordKey: keys.archiveTask,
    dueAtMs: archiveDueAtMs,
  },
  cardRemovals: {
    rowKey: keys.dueCardRemoval,
    idName: "paymentMethodId",
    recordKey: keys.cardRemoval,
    dueAtMs: removalDueAtMs,
  },
  cardSyncs: {
    rowKey: keys.dueWallet,
    idName: "accountId",
    recordKey: keys.wallet,
    dueAtMs: ({ syncDueAtMs }) => syncDueAtMs,
  },
  cardWarnings: {
    rowKey: keys.dueCardWarning,
    idName: "accountId",
    recordKey: keys.wallet,
    dueAtMs: ({ warnDueAtMs }) => warnDueAtMs,
  },
  customers: {
    rowKey: keys.waitingCustomer,
    idName: "accountId",
    recordKey: keys.customerTask,
    dueAtMs: customerDueAtMs,
  },
  events: {
    rowKey: keys.dueWebhookEvent,
    idName: "eventId",
    recordKey: keys.webhookEvent,
    dueAtMs: eventDueAtMs,
  },
  identities: {
    rowKey: keys.dueIdentityCheck,
    idName: "accountId",
    recordKey: keys.identityCheck,
    dueAtMs: ({ lookDueAtMs }) => lookDueAtMs,
  },
  mails: {
    rowKey: keys.waitingMail,
    idName: "mailId",
    recordKey: keys.outboxMail,
    dueAtMs: mailDueAtMs,
  },
  payments: {
    rowKey: keys.dueMetricsPayment,
    idName: "paymentId",
    recordKey: keys.metricsPayment,
    dueAtMs: paymentDueAtMs,
  },
  refunds: {
    rowKey: keys.dueInvoice,
    idName: "invoiceId",
    recordKey: keys.invoice,
    dueAtMs: refundDueAtMs,
  },
  vats: {
    rowKey: keys.dueVat,
    idName: "accountId",
    recordKey: keys.account,
    dueAtMs: vatDueAtMs,
  },
};

/** The row of a record in the index of a kind of work; none for never. */
export function dueRow<W extends keyof DueWork>(
  work: W,
  id: string,
  record: DueWork[W] & { expiresAtMs?: number | null },
): { key: Deno.KvKey; value: Record<string, unknown> }[] {
  const { rowKey, idName, dueAtMs } = indexes[work];
  const atMs = dueAtMs(record);
  if (atMs === null) return [];
  const { expiresAtMs = null } = record;
  const expires = expiresAtMs === null ? {} : { expiresAtMs };
  return [{ key: rowKey(atMs, id), value: { [idName]: id, ...expires } }];
}

/** The list of what is due. */
export function dueList(context: ListContext): Pick<Store, "listDue"> {
  return {
    async listDue<W extends keyof DueWork>(
      work: W,
      nowMs: number,
      options: Parameters<Store["listDue"]>[2],
    ) {
      const { rowKey, idName, recordKey, dueAtMs } = indexes[work];
      const rows = await collect<Record<string, string>>(
        context,
        dueRange(rowKey, nowMs),
        options,
      );
      const records = await follow<DueWork[W]>(
        context,
        rows.map((row) => recordKey(row[idName] ?? "")),
      );
      // An index may be behind its record, so each is asked once more.
      return records.filter((record) => isDue(dueAtMs(record), nowMs));
    },
  };
}
