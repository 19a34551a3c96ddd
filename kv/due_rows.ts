/**
 * Work by when it is due: one index a kind of work, of keys that go on with the
 * moment and the record's id.
 *
 * @module
 */
import { isKnown } from "../domain/accounts/is_known.ts";
import { vatDueAtMs } from "../domain/accounts/vat_claim.ts";
import {
  callbackDueAtMs,
  isCallbackDue,
} from "../domain/callbacks/callback.ts";
import { removalDueAtMs } from "../domain/cards/card_removal.ts";
import { DAY_MS } from "../domain/day.ts";
import { isArchivingDue } from "../domain/invoices/archive_document.ts";
import { archiveDueAtMs } from "../domain/invoices/archive_task.ts";
import { isRefundDue, refundDueAtMs } from "../domain/invoices/invoice.ts";
import { isMailDue } from "../domain/mail/deliver_mail.ts";
import { mailDueAtMs } from "../domain/mail/outbox_mail.ts";
import {
  isPaymentDue,
  paymentDueAtMs,
} from "../domain/paid_metrics/metrics_payment.ts";
import { customerDueAtMs } from "../domain/payments/customer_task.ts";
import { commissionDueAtMs } from "../domain/partners/commission.ts";
import { statementDueAtMs } from "../domain/partners/partner_balance.ts";
import { isPayoutDue, payoutDueAtMs } from "../domain/partners/payout.ts";
import { isRequestDue } from "../domain/privacy/data_requests.ts";
import type { DueWork, ListOptions, Store } from "../domain/ports.ts";
import { isDue } from "../domain/tasks/due.ts";
import { eventDueAtMs, isEventDue } from "../domain/webhooks/webhook_event.ts";
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
  /** Whether its turn has come, where a lease puts it off. */
  isDue?: (record: T, nowMs: number) => boolean;
}

/** Rows of a list, besides, that are looked at for a wrong clock's. */
const PUT_OFF_MAX = 10;
/** Later than any clock says. */
const FOR_EVER_MS = 100 * 365 * DAY_MS;

const indexes: { readonly [W in keyof DueWork]: DueIndex<DueWork[W]> } = {
  archiving: {
    rowKey: keys.dueArchiveTask,
    idName: "number",
    recordKey: keys.archiveTask,
    dueAtMs: archiveDueAtMs,
    isDue: isArchivingDue,
  },
  callbacks: {
    rowKey: keys.dueCallback,
    idName: "grantId",
    recordKey: keys.callback,
    dueAtMs: callbackDueAtMs,
    isDue: isCallbackDue,
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
  commissions: {
    rowKey: keys.dueCommission,
    idName: "invoiceId",
    recordKey: keys.invoice,
    dueAtMs: commissionDueAtMs,
  },
  customers: {
    rowKey: keys.waitingCustomer,
    idName: "accountId",
    recordKey: keys.customerTask,
    dueAtMs: customerDueAtMs,
  },
  dataRequests: {
    rowKey: keys.dueDataRequests,
    idName: "accountId",
    recordKey: keys.dataRequests,
    dueAtMs: ({ dueAtMs }) => dueAtMs,
    isDue: isRequestDue,
  },
  events: {
    rowKey: keys.dueWebhookEvent,
    idName: "eventId",
    recordKey: keys.webhookEvent,
    dueAtMs: eventDueAtMs,
    isDue: isEventDue,
  },
  identities: {
    rowKey: keys.dueIdentityCheck,
    idName: "accountId",
    recordKey: keys.identityCheck,
    dueAtMs: ({ lookDueAtMs }) => lookDueAtMs,
  },
  knownVats: {
    rowKey: keys.dueKnownVat,
    idName: "accountId",
    recordKey: keys.account,
    dueAtMs: (account) => isKnown(account) ? vatDueAtMs(account) : null,
  },
  mails: {
    rowKey: keys.waitingMail,
    idName: "mailId",
    recordKey: keys.outboxMail,
    dueAtMs: mailDueAtMs,
    isDue: isMailDue,
  },
  notices: {
    rowKey: keys.dueDayNotice,
    idName: "noticeId",
    recordKey: keys.dayNotice,
    dueAtMs: ({ dueAtMs }) => dueAtMs,
  },
  payments: {
    rowKey: keys.dueMetricsPayment,
    idName: "paymentId",
    recordKey: keys.metricsPayment,
    dueAtMs: paymentDueAtMs,
    isDue: isPaymentDue,
  },
  payouts: {
    rowKey: keys.duePayout,
    idName: "payoutId",
    recordKey: keys.payout,
    dueAtMs: payoutDueAtMs,
    isDue: isPayoutDue,
  },
  refunds: {
    rowKey: keys.dueInvoice,
    idName: "invoiceId",
    recordKey: keys.invoice,
    dueAtMs: refundDueAtMs,
    isDue: isRefundDue,
  },
  statements: {
    rowKey: keys.dueStatement,
    idName: "partnerId",
    recordKey: keys.partnerBalance,
    dueAtMs: statementDueAtMs,
  },
  untold: {
    rowKey: keys.dueEventLog,
    idName: "accountId",
    recordKey: keys.eventLog,
    dueAtMs: ({ untoldSinceMs = null }) => untoldSinceMs,
  },
  vats: {
    rowKey: keys.dueVat,
    idName: "accountId",
    recordKey: keys.account,
    dueAtMs: (account) => isKnown(account) ? null : vatDueAtMs(account),
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

function dueAtMsOf<W extends keyof DueWork>(
  work: W,
  record: DueWork[W],
): number | null {
  return indexes[work].dueAtMs(record);
}

/** The list of what is due. */
export function dueList(
  context: ListContext,
): Pick<Store, "listDue" | "longestDueAtMs"> {
  return {
    async longestDueAtMs(work, nowMs) {
      const [due] = await this.listDue(work, nowMs, { limit: 1 });
      return due === undefined ? null : dueAtMsOf(work, due);
    },
    async listDue<W extends keyof DueWork>(
      work: W,
      nowMs: number,
      options: ListOptions,
    ) {
      const index = indexes[work];
      const read = async (untilMs: number, part: ListOptions) => {
        const range = dueRange(index.rowKey, untilMs);
        const rows = await collect<Record<string, string>>(
          context,
          range,
          part,
        );
        return rows.map((row) => index.recordKey(row[index.idName] ?? ""));
      };
      // An index may be behind its record, so each is asked once more.
      const followed = async (wanted: readonly Deno.KvKey[]) =>
        (await follow<DueWork[W]>(context, wanted)).filter((record) =>
          index.isDue?.(record, nowMs) ?? isDue(index.dueAtMs(record), nowMs)
        );
      if (index.isDue === undefined) {
        return await followed(await read(nowMs, options));
      }
      // What a clock that was wrong put off lies furthest ahead, if anything.
      const last = { limit: PUT_OFF_MAX, reverse: true };
      const furthest = await read(nowMs + FOR_EVER_MS, last);
      // Mostly those are all there are.
      if (furthest.length < PUT_OFF_MAX) {
        const { reverse = false } = options;
        return await followed(reverse ? furthest : furthest.toReversed());
      }
      const due = await followed(await read(nowMs, options));
      const putOff = (await followed(furthest)).filter((record) =>
        !isDue(index.dueAtMs(record), nowMs)
      );
      return [...due, ...putOff];
    },
  };
}
