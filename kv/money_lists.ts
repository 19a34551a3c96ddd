import { type Dispute, isUndecided } from "../domain/disputes/dispute.ts";
import type { Invoice } from "../domain/invoices/invoice.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import type { ListOptions, Store } from "../domain/ports.ts";
import type { Reconciliation } from "../domain/reconciliation/reconciliation.ts";
import {
  collect,
  follow,
  type ListContext,
  type PrefixSelector,
  type RangeSelector,
} from "./collect.ts";
import { ends, keys, prefixes, starts } from "./keys.ts";

/** The lists of books, invoices and disputes. */
export type MoneyLists = Pick<
  Store,
  | "listLedger"
  | "listLedgerOfPayment"
  | "listLedgerBetween"
  | "listInvoices"
  | "listFailedRefunds"
  | "listDisputes"
  | "listUndecidedDisputes"
  | "listReconciliations"
>;

/** Books, invoices and disputes; an index may be behind the record. */
export function moneyLists(context: ListContext): MoneyLists {
  return {
    ...ledgerLists(context),
    ...invoiceLists(context),
    listReconciliations({ before, ...options }) {
      const prefix = [...prefixes.reconciliations];
      return collect<Reconciliation>(
        context,
        before ? { prefix, end: keys.reconciliation(before) } : { prefix },
        { ...options, reverse: true },
      );
    },
    listDisputes: (options) =>
      collect<Dispute>(context, { prefix: [...prefixes.disputes] }, options),
    async listUndecidedDisputes(options) {
      const prefix = [...prefixes.undecidedDisputes];
      const rows = await collect<{ disputeId: string }>(
        context,
        { prefix },
        options,
      );
      const found = await follow<Dispute>(
        context,
        rows.map(({ disputeId }) => keys.dispute(disputeId)),
      );
      return found.filter(isUndecided);
    },
  };
}

function ledgerLists(
  context: ListContext,
): Pick<
  MoneyLists,
  "listLedger" | "listLedgerOfPayment" | "listLedgerBetween"
> {
  const entriesOf = async (
    selector: PrefixSelector | RangeSelector,
    options: ListOptions,
  ) => {
    const rows = await collect<{ entryId: string }>(context, selector, options);
    return await follow<LedgerEntry>(
      context,
      rows.map(({ entryId }) => keys.ledgerEntry(entryId)),
    );
  };
  return {
    listLedger: (options) =>
      collect(context, { prefix: [...prefixes.ledger] }, options),
    listLedgerOfPayment: (paymentId, options) =>
      entriesOf({ prefix: [...prefixes.ledgerOf(paymentId)] }, options),
    listLedgerBetween: (fromMs, untilMs, options) =>
      entriesOf({
        start: [...starts.ledgerFrom(fromMs)],
        end: [...ends.ledgerUntil(untilMs)],
      }, options),
  };
}

function invoiceLists(
  context: ListContext,
): Pick<
  MoneyLists,
  | "listInvoices"
  | "listFailedRefunds"
> {
  return {
    async listInvoices(accountId, { before, ...options }) {
      const prefix = [...prefixes.invoicesOf(accountId)];
      const rows = await collect<{ invoiceId: string }>(
        context,
        before
          ? { prefix, end: [...ends.invoicesBefore(accountId, before)] }
          : { prefix },
        options,
      );
      return await follow<Invoice>(
        context,
        rows.map(({ invoiceId }) => keys.invoice(invoiceId)),
      );
    },
    async listFailedRefunds(options) {
      const prefix = [...prefixes.failedRefunds];
      const rows = await collect<{ invoiceId: string }>(
        context,
        { prefix },
        options,
      );
      const found = await follow<Invoice>(
        context,
        rows.map(({ invoiceId }) => keys.invoice(invoiceId)),
      );
      return found.filter(({ money }) => money === "refund_failed");
    },
  };
}
