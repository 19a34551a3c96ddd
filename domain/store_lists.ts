/**
 * The lists of the store: what the sweeps, the pages and the books are made of.
 * Each is bounded by who asks.
 *
 * @module
 */
import type { CasePlace } from "./accounts/case_place.ts";
import type { Account, PaymentMethod } from "./accounts/account.ts";
import type { AccountNote } from "./accounts/account_note.ts";
import type { Settlement } from "./settlement/settlement.ts";
import type { Alert } from "./alerts/alert.ts";
import type { OperatorAct } from "./audit/operator_act.ts";
import type { Bid, BidEvent } from "./bids/bid.ts";
import type { Callback } from "./callbacks/callback.ts";
import type { CardRemoval } from "./cards/card_removal.ts";
import type { CardsState } from "./cards/cards_state.ts";
import type { ClickCount } from "./clicks/click.ts";
import type { AdReport } from "./ad_reports/ad_report.ts";
import type {
  Creative,
  CreativePlace,
  HouseAd,
  ReviewPlace,
} from "./creatives/creative.ts";
import type { CreativeNote } from "./creatives/creative_note.ts";
import type { Day } from "./day.ts";
import type { DayNotice } from "./events/day_notice.ts";
import type { AccountEvent, EventLog } from "./events/event.ts";
import type { IdentityCheck } from "./identity/identity_check.ts";
import type { Dispute } from "./disputes/dispute.ts";
import type { ArchiveTask } from "./invoices/archive_task.ts";
import type { Invoice, InvoicePlace } from "./invoices/invoice.ts";
import type { RefundRequest } from "./invoices/refund_request.ts";
import type { EntryPlace, LedgerEntry } from "./ledger/entry.ts";
import type { MetricsPayment } from "./paid_metrics/metrics_payment.ts";
import type { Grant } from "./oauth/grant.ts";
import type { OperatorKey } from "./operator_keys/operator_key.ts";
import type { CustomerTask } from "./payments/customer_task.ts";
import type { IdempotencyRecord } from "./idempotency/record.ts";
import type { ErasedAccount } from "./privacy/erasure.ts";
import type { DataRequests } from "./privacy/data_requests.ts";
import type { NewestWindow } from "./newest_first.ts";
import type { OutboxMail } from "./mail/outbox_mail.ts";
import type { CheckoutSession } from "./checkout/session.ts";
import type { Commission } from "./partners/commission.ts";
import type { Partner, PartnerPlace } from "./partners/partner.ts";
import type { PartnerBalance, Statement } from "./partners/partner_balance.ts";
import type { Payout, PayoutPlace } from "./partners/payout.ts";
import type { ReferralLink } from "./partners/referral_link.ts";
import type { Reconciliation } from "./reconciliation/reconciliation.ts";
import type { Session } from "./sessions/session.ts";
import type { Spotlight } from "./spotlights/spotlight.ts";
import type { WebhookEvent } from "./webhooks/webhook_event.ts";

/** How a list is read: bounded, in key order. */
export interface ListOptions {
  limit: number;
  reverse?: boolean;
}

/** What has its turn at a moment that its record names, by kind. */
export interface DueWork {
  /** Printed documents to be archived. */
  archiving: ArchiveTask;
  /** Addresses that are to be told of events. */
  callbacks: Callback;
  /** Cards that are being taken away. */
  cardRemovals: CardRemoval;
  /** Cards to compare with the processor's, by account. */
  cardSyncs: CardsState;
  /** Accounts to warn of an expiring card. */
  cardWarnings: CardsState;
  /** Invoices whose commission is to follow their money. */
  commissions: Invoice;
  /** Companies the processor is to be told of. */
  customers: CustomerTask;
  /** What owners asked for about their data. */
  dataRequests: DataRequests;
  /** The processor's events that were not looked into. */
  events: WebhookEvent;
  /** Checks of identity to look at. */
  identities: IdentityCheck;
  /** Accounts with a checked identity or a card whose VAT id is to be checked. */
  knownVats: Account;
  mails: OutboxMail;
  /** Days whose bidders are to be told. */
  notices: DayNotice;
  /** Purchases of figures that are not settled. */
  payments: MetricsPayment;
  /** Payouts to partners that are to be sent. */
  payouts: Payout;
  /** Invoices whose money is to be given back. */
  refunds: Invoice;
  /** Partners of whom a statement is to be made. */
  statements: PartnerBalance;
  /** Accounts whose callbacks are to be made due. */
  untold: EventLog;
  /** The same of all other accounts, which cost nothing to make. */
  vats: Account;
}

const KINDS: Readonly<Record<keyof DueWork, true>> = {
  archiving: true,
  callbacks: true,
  cardRemovals: true,
  cardSyncs: true,
  cardWarnings: true,
  commissions: true,
  customers: true,
  dataRequests: true,
  events: true,
  identities: true,
  knownVats: true,
  mails: true,
  notices: true,
  payments: true,
  payouts: true,
  refunds: true,
  statements: true,
  untold: true,
  vats: true,
};

/** Every kind of it. */
export const DUE_WORK = Object.keys(KINDS) as readonly (keyof DueWork)[];

/** The part of the store that lists records. */
export interface StoreLists {
  /**
   * The records whose turn has come, longest due first, and beyond the limit a
   * few that a clock that was wrong put off.
   */
  listDue<W extends keyof DueWork>(
    work: W,
    nowMs: number,
    options: ListOptions,
  ): Promise<DueWork[W][]>;
  /** When what has been due longest became due, epoch ms; null for nothing due. */
  longestDueAtMs(work: keyof DueWork, nowMs: number): Promise<number | null>;
  /** Every bid of a day. Freeze the ranking before relying on it. */
  listBids(
    day: Day,
    options: ListOptions & {
      /** Only those of accounts behind this one, in the order of their ids. */
      after?: string | null;
    },
  ): Promise<Bid[]>;
  /** The events of an account behind a place, in their order. */
  listEvents(
    accountId: string,
    options: { limit: number; after: number },
  ): Promise<AccountEvent[]>;
  /** The settlements that are not finished, oldest day first. */
  listOpenSettlements(options: ListOptions): Promise<Settlement[]>;
  /** The Spotlights after `after` (all when null), oldest first. */
  listSpotlights(
    after: Day | null,
    options: ListOptions,
  ): Promise<Spotlight[]>;
  /** What has been counted for a day, read page after page. */
  listClickCounts(day: Day, options: ListOptions): Promise<ClickCount[]>;
  /** The operator's own advertisements. */
  listHouseAds(options: ListOptions): Promise<HouseAd[]>;
  /** The creatives of an account. */
  listCreatives(accountId: string, options: ListOptions): Promise<Creative[]>;
  /** The same, newest first. */
  listNewestCreatives(
    accountId: string,
    options: {
      limit: number;
      /** Only those before this place; null for all. */
      before: CreativePlace | null;
    },
  ): Promise<Creative[]>;
  /** The creatives that wait for a decision, longest waiting first. */
  listSubmittedCreatives(
    options: ListOptions & {
      /** Only those behind this place. */
      after?: ReviewPlace | null;
    },
  ): Promise<Creative[]>;
  /** What happened to a creative, in its order. */
  listCreativeNotes(
    adId: string,
    options: ListOptions,
  ): Promise<CreativeNote[]>;
  /** The reports of advertisements that nobody has closed, oldest first. */
  listOpenAdReports(options: ListOptions): Promise<AdReport[]>;
  /** Those of one Spotlight, oldest first. */
  listOpenReportsOf(day: Day, options: ListOptions): Promise<AdReport[]>;
  /** The same of all, those of the newest day first, of days before `before`. */
  listLastOpenReports(
    options: { limit: number; before: Day | null },
  ): Promise<AdReport[]>;
  /** The saved cards of an account. */
  listPaymentMethods(
    accountId: string,
    options: ListOptions,
  ): Promise<PaymentMethod[]>;
  /** Where connections are told of events, by the ids of these. */
  listCallbacks(
    options: ListOptions & {
      /** Only those behind this connection. */
      after?: string | null;
    },
  ): Promise<Callback[]>;
  /** The grants of an account. */
  listGrants(accountId: string, options: ListOptions): Promise<Grant[]>;
  /** The same, newest first. */
  listNewestGrants(accountId: string, window: NewestWindow): Promise<Grant[]>;
  /** The checkout sessions of a grant, by their ids. */
  listCheckoutSessions(
    grantId: string,
    options: ListOptions & {
      /** Only those behind this one. */
      after?: string | null;
    },
  ): Promise<CheckoutSession[]>;
  /** Where an account is signed in, or was before it signed out everywhere. */
  listSessions(accountId: string, options: ListOptions): Promise<Session[]>;
  /**
   * The accounts with a word of their company or VAT id that begins so, once for
   * each such word.
   */
  listAccountsByWord(
    beginning: string,
    options: ListOptions,
  ): Promise<Account[]>;
  /** Every account; for the operator and the demo only. */
  listAccounts(options: ListOptions): Promise<Account[]>;
  /** The accounts about which something waits for an operator, oldest first. */
  listWaitingAccounts(
    options: ListOptions & {
      /** Only those behind this place. */
      after?: CasePlace | null;
    },
  ): Promise<Account[]>;
  /** What operators decided about an account, newest first. */
  listAccountNotes(
    accountId: string,
    options: Pick<ListOptions, "limit">,
  ): Promise<AccountNote[]>;
  /**
   * What operators did, newest first: of one subject, else of one person, else
   * of all.
   */
  listOperatorActs(
    of: {
      subject: string | null;
      person: string | null;
      fromMs: number;
      untilMs: number;
    },
    options: {
      limit: number;
      /** Only those before this place; null for all. */
      before: Pick<OperatorAct, "atMs" | "id"> | null;
    },
  ): Promise<OperatorAct[]>;
  /** What operators were told of and is not over. */
  listAlerts(options: ListOptions): Promise<Alert[]>;
  /** The keys of the operator API that were made at the desk, by their ids. */
  listOperatorKeys(options: ListOptions): Promise<OperatorKey[]>;
  /** The history of a bid, in the order of its amounts. */
  listBidEvents(bidId: string, options: ListOptions): Promise<BidEvent[]>;
  /** The books, for reconciliation and tests. */
  listLedger(options: ListOptions): Promise<LedgerEntry[]>;
  /** What was booked of one payment, in the order of the entries' ids. */
  listLedgerOfPayment(
    paymentId: string,
    options: ListOptions,
  ): Promise<LedgerEntry[]>;
  /** What was booked in a span of time, both ends included, oldest first. */
  listLedgerBetween(
    fromMs: number,
    untilMs: number,
    options: ListOptions & {
      /** Only those before this place. */
      before?: EntryPlace | null;
    },
  ): Promise<LedgerEntry[]>;
  /** The invoices of an account, in the order they were finalised. */
  listInvoices(
    accountId: string,
    options: ListOptions & {
      /** Only those before this place. */
      before?: InvoicePlace | null;
    },
  ): Promise<Invoice[]>;
  /** The invoices whose money could not be given back, by their ids. */
  listFailedRefunds(options: ListOptions): Promise<Invoice[]>;
  /** Refunds that wait for another operator, by their days. */
  listRefundRequests(options: ListOptions): Promise<RefundRequest[]>;
  /** What comparing the books came to, newest day first. */
  listReconciliations(
    options: ListOptions & {
      /** Only those of earlier days. */
      before?: Day;
    },
  ): Promise<Reconciliation[]>;
  /** The disputes of payments of an account, in the order of their ids. */
  listDisputesOf(accountId: string, options: ListOptions): Promise<Dispute[]>;
  /** The disputes that may still move, longest open first. */
  listUndecidedDisputes(options: ListOptions): Promise<Dispute[]>;
  /** Those of which a look failed and that are not done, first come first. */
  listTroubledWebhookEvents(options: ListOptions): Promise<WebhookEvent[]>;
  /** Every account that ever applied to be a partner, by their ids. */
  listPartners(
    options: ListOptions & {
      /** Only those behind this account. */
      after?: string | null;
    },
  ): Promise<Partner[]>;
  /** Who waits for a decision about being a partner, longest first. */
  listWaitingPartners(
    options: { limit: number; after: PartnerPlace | null },
  ): Promise<Partner[]>;
  /** Everybody else who ever applied, who was decided last first. */
  listDecidedPartners(
    options: { limit: number; before: PartnerPlace | null },
  ): Promise<Partner[]>;
  /** The links of a partner, in the order they were made. */
  listReferralLinks(
    partnerId: string,
    options: ListOptions,
  ): Promise<ReferralLink[]>;
  /** The accounts that a partner brought, in the order they signed up. */
  listReferredAccounts(
    partnerId: string,
    options: ListOptions,
  ): Promise<Account[]>;
  /** What a partner earned, invoice by invoice; for the books alone. */
  listCommissions(
    partnerId: string,
    options: ListOptions,
  ): Promise<Commission[]>;
  /** The statements of a partner, by their numbers. */
  listStatements(
    partnerId: string,
    options: ListOptions,
  ): Promise<Statement[]>;
  /** The payouts of a partner, in the order they were asked for. */
  listPayouts(
    partnerId: string,
    options: ListOptions & {
      /** Only those before this place. */
      before?: PayoutPlace | null;
    },
  ): Promise<Payout[]>;
  /** The accounts that were erased, by their ids. */
  listErasedAccounts(
    options: ListOptions & {
      /** Only those behind this one. */
      after?: string | null;
    },
  ): Promise<ErasedAccount[]>;
  /** The answers that are kept for a grant's, or an account's, repeats. */
  listIdempotency(
    owner: string,
    options: ListOptions,
  ): Promise<IdempotencyRecord[]>;
  /** The mails that are kept, oldest first. */
  listMails(
    options: ListOptions & {
      /** Only those behind this one. */
      after?: Pick<OutboxMail, "createdAtMs" | "id"> | null;
    },
  ): Promise<OutboxMail[]>;
  /** The mails of an account, or of no account to an address, oldest first. */
  listMailsOf(
    /** As `ownerOfMail()` answers it. */
    owner: string,
    options: ListOptions & {
      /** Only those behind this one. */
      after: Pick<OutboxMail, "createdAtMs" | "id"> | null;
    },
  ): Promise<OutboxMail[]>;
}
