import type { Account } from "../domain/accounts/account.ts";
import { deskCaseOf } from "../domain/accounts/desk_case.ts";
import { vatDueAtMs } from "../domain/accounts/vat_check.ts";
import type { Bid, BidEvent } from "../domain/bids/bid.ts";
import type { Settlement } from "../domain/auction/settlement.ts";
import type { Day } from "../domain/day.ts";
import type { OutboxMail } from "../domain/mail/outbox_mail.ts";
import {
  isUnsettled,
  type MetricsPayment,
} from "../domain/paid_metrics/metrics_payment.ts";
import type { CustomerTask } from "../domain/payments/customer_task.ts";
import type { ListOptions, Store } from "../domain/ports.ts";
import {
  isDueEvent,
  type WebhookEvent,
} from "../domain/webhooks/webhook_event.ts";
import { type CardWorkLists, cardWorkLists } from "./card_work_lists.ts";
import { type CreativeLists, creativeLists } from "./creative_lists.ts";
import { listClickCounts } from "./click_counts.ts";
import {
  collect,
  dueRecords,
  follow,
  type ListContext,
  type PrefixSelector,
} from "./collect.ts";
import { ends, keys, prefixes, starts } from "./keys.ts";
import { type MoneyLists, moneyLists } from "./money_lists.ts";

/** The lists of the store's port. */
export type Lists =
  & CardWorkLists
  & CreativeLists
  & MoneyLists
  & Pick<
    Store,
    | "listBids"
    | "listClickCounts"
    | "listOpenSettlements"
    | "listSpotlights"
    | "listHouseAds"
    | "listPaymentMethods"
    | "listGrants"
    | "listSessions"
    | "listAccounts"
    | "listAccountNotes"
    | "listWaitingAccounts"
    | "listBidEvents"
    | "listDueCustomers"
    | "listDueMails"
    | "listDueMetricsPayments"
    | "listDueVats"
    | "listDueWebhookEvents"
    | "listTroubledWebhookEvents"
    | "listMails"
  >;

/** The store's bounded lists, each page of them with its own deadline. */
export function lists(context: ListContext): Lists {
  return {
    ...recordLists(context),
    listClickCounts: (day, options) => listClickCounts(context, day, options),
    ...mailLists(context),
    ...accountWorkLists(context),
    ...cardWorkLists(context),
    ...creativeLists(context),
    ...moneyLists(context),
    ...paymentWorkLists(context),
  };
}

/** What is on its way at the processor; the index may be behind the record. */
function paymentWorkLists(
  context: ListContext,
): Pick<
  Lists,
  | "listDueMetricsPayments"
  | "listDueWebhookEvents"
  | "listTroubledWebhookEvents"
> {
  return {
    async listTroubledWebhookEvents(options) {
      const rows = await collect<{ eventId: string }>(
        context,
        { prefix: [...prefixes.troubledWebhookEvents] },
        options,
      );
      const events = await follow<WebhookEvent>(
        context,
        rows.map(({ eventId }) => keys.webhookEvent(eventId)),
      );
      // One may have come to its end after its row was read.
      return events.filter(({ state }) => state !== "done");
    },
    listDueWebhookEvents: (nowMs, options) =>
      dueRecords<WebhookEvent, { eventId: string }>(
        context,
        {
          prefix: prefixes.dueWebhookEvents,
          end: ends.webhookEventsDueAt(nowMs),
        },
        ({ eventId }) => keys.webhookEvent(eventId),
        (event) => isDueEvent(event, nowMs),
        options,
      ),
    listDueMetricsPayments: (nowMs, options) =>
      dueRecords<MetricsPayment, { paymentId: string }>(
        context,
        {
          prefix: prefixes.dueMetricsPayments,
          end: ends.metricsPaymentsDueAt(nowMs),
        },
        ({ paymentId }) => keys.metricsPayment(paymentId),
        (payment) => isUnsettled(payment) && payment.dueAtMs <= nowMs,
        options,
      ),
  };
}

/** What is to be done for accounts; the index may be behind the record. */
function accountWorkLists(
  context: ListContext,
): Pick<Lists, "listDueCustomers" | "listDueVats" | "listWaitingAccounts"> {
  return {
    async listWaitingAccounts(options) {
      const rows = await collect<{ accountId: string }>(
        context,
        { prefix: [...prefixes.waitingAccounts] },
        options,
      );
      const accounts = await follow<Account>(
        context,
        rows.map(({ accountId }) => keys.account(accountId)),
      );
      // It may have been decided after its row was read.
      return accounts.filter((account) => deskCaseOf(account) !== null);
    },
    listDueCustomers: (nowMs, options) =>
      dueRecords<CustomerTask, { accountId: string }>(
        context,
        { prefix: prefixes.waitingCustomers, end: ends.customersDueAt(nowMs) },
        ({ accountId }) => keys.customerTask(accountId),
        ({ state, dueAtMs }) => state === "waiting" && dueAtMs <= nowMs,
        options,
      ),
    listDueVats: (nowMs, options) =>
      dueRecords<Account, { accountId: string }>(
        context,
        { prefix: prefixes.dueVats, end: ends.vatsDueAt(nowMs) },
        ({ accountId }) => keys.account(accountId),
        (account) => {
          const dueAtMs = vatDueAtMs(account);
          return dueAtMs !== null && dueAtMs <= nowMs;
        },
        options,
      ),
  };
}

function mailLists(
  context: ListContext,
): Pick<Lists, "listDueMails" | "listMails"> {
  const mails = async (selector: PrefixSelector, options: ListOptions) => {
    const rows = await collect<{ mailId: string }>(context, selector, options);
    return await follow<OutboxMail>(
      context,
      rows.map(({ mailId }) => keys.outboxMail(mailId)),
    );
  };
  return {
    async listDueMails(nowMs, options) {
      const prefix = [...prefixes.waitingMails];
      const end = [...ends.mailsDueAt(nowMs)];
      const due = await mails({ prefix, end }, options);
      // One may have been tried after its row was read.
      return due.filter((mail) =>
        mail.state === "waiting" && mail.dueAtMs <= nowMs
      );
    },
    listMails: (options) =>
      mails({ prefix: [...prefixes.mailsByTime] }, options),
  };
}

function recordLists(
  context: ListContext,
): Omit<
  Lists,
  | keyof CardWorkLists
  | keyof CreativeLists
  | keyof MoneyLists
  | "listClickCounts"
  | "listDueCustomers"
  | "listDueMails"
  | "listDueMetricsPayments"
  | "listDueVats"
  | "listDueWebhookEvents"
  | "listTroubledWebhookEvents"
  | "listMails"
  | "listWaitingAccounts"
> {
  const all = <T>(prefix: readonly string[], options: ListOptions) =>
    collect<T>(context, { prefix: [...prefix] }, options);
  return {
    listBids: (day, options) => all<Bid>(prefixes.bidsOf(day), options),
    listBidEvents: (bidId, options) =>
      all<BidEvent>(prefixes.bidEventsOf(bidId), options),
    listHouseAds: (options) => all(prefixes.houseAds, options),
    listPaymentMethods: (accountId, options) =>
      all(prefixes.paymentMethodsOf(accountId), options),
    listAccounts: (options) => all(prefixes.accounts, options),
    listAccountNotes: (accountId, { limit }) =>
      all(prefixes.accountNotesOf(accountId), { limit, reverse: true }),
    listSpotlights: (after, options) =>
      after === null
        ? all(prefixes.spotlights, options)
        : collect(context, spotlightsAfter(after), options),
    async listOpenSettlements(options) {
      const rows = await all<{ day: Day }>(prefixes.openSettlements, options);
      const settlements = await follow<Settlement>(
        context,
        rows.map(({ day }) => keys.settlement(day)),
      );
      // One may have finished after its row was read.
      return settlements.filter(({ state }) => state === "running");
    },
    async listGrants(accountId, options) {
      const rows = await all<{ grantId: string }>(
        prefixes.grantsOf(accountId),
        options,
      );
      return await follow(context, rows.map((row) => keys.grant(row.grantId)));
    },
    async listSessions(accountId, options) {
      const rows = await all<{ hash: string }>(
        prefixes.sessionsOf(accountId),
        options,
      );
      return await follow(context, rows.map((row) => keys.session(row.hash)));
    },
  };
}

function spotlightsAfter(
  after: Day,
): { prefix: Deno.KvKey; start: Deno.KvKey } {
  return {
    prefix: [...prefixes.spotlights],
    start: starts.spotlightsAfter(after),
  };
}
