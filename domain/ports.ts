/**
 * What the domain needs of the outside. `kv/` and `adapters/` implement it and
 * `app/` joins them; tests provide their own clock and ids.
 *
 * @module
 */
import type {
  Account,
  AccountEmail,
  ContestedVatId,
  PaymentMethod,
  VatHolder,
} from "./accounts/account.ts";
import type { AccountNote } from "./accounts/account_note.ts";
import type { VatRegistry } from "./accounts/vat_registry.ts";
import type { Change, OperatorAct } from "./audit/operator_act.ts";
import type { Auction, AuctionHours, Calendar } from "./auction/auction.ts";
import type { ToldTime } from "./settlement/told_time.ts";
import type { Settlement } from "./settlement/settlement.ts";
import type { Bid, BidEvent, BidPlace } from "./bids/bid.ts";
import type { Callback } from "./callbacks/callback.ts";
import type { CardRemoval } from "./cards/card_removal.ts";
import type { CardsState } from "./cards/cards_state.ts";
import type { CheckoutSession } from "./checkout/session.ts";
import type { BookingMark } from "./clicks/booking.ts";
import type { ClickBooks, ClickDimension, ClickSalt } from "./clicks/click.ts";
import type { Visitor } from "./clicks/visitor.ts";
import type { Alert } from "./alerts/alert.ts";
import type { AdReport, ReportTally } from "./ad_reports/ad_report.ts";
import type { Creative, CreativeOwner, HouseAd } from "./creatives/creative.ts";
import type { HouseRotation } from "./creatives/house_rotation.ts";
import type { CreativeNote } from "./creatives/creative_note.ts";
import type { CreativeQuota } from "./creatives/creative_quota.ts";
import type { Day } from "./day.ts";
import type { AccountEvent, EventLog } from "./events/event.ts";
import type { DayNotice } from "./events/day_notice.ts";
import type { EventWaits } from "./events/waits.ts";
import type { Fetcher } from "./fetching/fetcher.ts";
import type { Hold } from "./hold/hold.ts";
import type { IdempotencyRecord } from "./idempotency/record.ts";
import type { IdentityCheck } from "./identity/identity_check.ts";
import type { Dispute } from "./disputes/dispute.ts";
import type { ArchiveTask } from "./invoices/archive_task.ts";
import type { DocumentArchive } from "./invoices/document_archive.ts";
import type {
  Invoice,
  InvoiceNumber,
  PaymentInvoice,
} from "./invoices/invoice.ts";
import type { RefundRequest } from "./invoices/refund_request.ts";
import type { Seller } from "./invoices/seller.ts";
import type { LedgerEntry } from "./ledger/entry.ts";
import type { MetricsPayment } from "./paid_metrics/metrics_payment.ts";
import type {
  AuthorizationCode,
  AuthorizationRequest,
} from "./oauth/authorization_request.ts";
import type {
  FetchedDocument,
  RegisteredClient,
  UsedAssertion,
} from "./oauth/client.ts";
import type { Connection, Grant, MandateUse } from "./oauth/grant.ts";
import type { OperatorKey } from "./operator_keys/operator_key.ts";
import type { JobRun } from "./operations/job_run.ts";
import type { BackupRun } from "./operations/backup_target.ts";
import type { MigrationRun } from "./operations/migration_run.ts";
import type { CustomerTask } from "./payments/customer_task.ts";
import type { Processor } from "./payments/processor.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { OutboxMail } from "./mail/outbox_mail.ts";
import type { Commission } from "./partners/commission.ts";
import type { Month } from "./month.ts";
import type { Partner } from "./partners/partner.ts";
import type { PartnerBalance, Statement } from "./partners/partner_balance.ts";
import type { Payout } from "./partners/payout.ts";
import type { ReferralLink } from "./partners/referral_link.ts";
import type { DataRequests, ExportPart } from "./privacy/data_requests.ts";
import type { MailSuppression } from "./mail/mail_suppression.ts";
import type { ErasedAccount } from "./privacy/erasure.ts";
import type { PasskeyChallenge, PasskeyOwner } from "./passkeys/passkey.ts";
import type { MonthBalances } from "./reconciliation/month_balances.ts";
import type {
  Reconciliation,
  ReconciliationProgress,
} from "./reconciliation/reconciliation.ts";
import type { SandboxJob } from "./sandbox/job.ts";
import type { Rehearsal } from "./sandbox/rehearsal.ts";
import type { Session } from "./sessions/session.ts";
import type { SignInChallenge } from "./sign_in/challenge.ts";
import type { Credentials } from "./sessions/credentials.ts";
import type { Spotlight } from "./spotlights/spotlight.ts";
import type { StoreLists } from "./store_lists.ts";
import type { Counter, ReadTable, Ref, Table, Values } from "./tables.ts";
import type { WebhookEvent } from "./webhooks/webhook_event.ts";

export type { DueWork, ListOptions } from "./store_lists.ts";
export { DUE_WORK } from "./store_lists.ts";

/** The only source of time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Draws a picture of ours, written as SVG, as PNG. */
export type DrawPng = (svg: string) => Promise<Uint8Array<ArrayBuffer>>;

/** Runs something once, later; returns how to cancel it. */
export type StartTimer = (run: () => void, ms: number) => () => void;

/** The only source of randomness. */
export interface Ids {
  /** A prefixed random id, such as `bid_` + 20 characters. */
  next(prefix: string): string;
  /** A secret of 256 bits, base64url. */
  secret(): string;
}

/** Structured events that are not requests. Never tokens, amounts or e-mail. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
  /** When this process last logged that error; null where it never did. */
  lastErrorMs(event: string): number | null;
  /** When this process began to log. */
  startedMs?: number;
}

/** What the keys made of the service's secrets are used for. */
export type KeyPurpose =
  | "access-token"
  | "backup"
  | "consent-form"
  | "done-note"
  | "erasure"
  | "event-callback"
  | "first-tokens"
  | "payment-challenge"
  | "refresh-successor"
  | "sign-in"
  | "stored-answer"
  | "suppression"
  | "unsubscribe"
  | "vat-given-up";

/** Keys derived from the service's secrets, which the domain never sees. */
export interface Keys {
  /** Names the key that is used for what is new. */
  readonly currentId: string;
  /** Names every key that still verifies, the current one first. */
  readonly ids: readonly string[];
  /**
   * HMAC-SHA-256 of the text, base64url, under the key of that id for that
   * purpose; null when the secret behind the id is no longer in use.
   */
  mac(purpose: KeyPurpose, text: string, keyId: string): string | null;
}

/** Every family, with the parts of its key. */
export interface Families {
  accounts: { value: Account; id: [accountId: string] };
  accountEmails: { value: AccountEmail; id: [email: string] };
  accountNotes: {
    value: AccountNote;
    id: [accountId: string, number: number];
  };
  vatHolders: { value: VatHolder; id: [vatId: string] };
  operatorKeys: { value: OperatorKey; id: [keyId: string] };
  operatorActs: { value: OperatorAct; id: [atMs: number, actId: string] };
  alerts: { value: Alert; id: [name: string] };
  contestedVatIds: { value: ContestedVatId; id: [vatId: string] };
  customerTasks: { value: CustomerTask; id: [accountId: string] };
  paymentMethods: {
    value: PaymentMethod;
    id: [accountId: string, paymentMethodId: string];
  };
  wallets: { value: CardsState; id: [accountId: string] };
  cardRemovals: { value: CardRemoval; id: [paymentMethodId: string] };
  identityChecks: { value: IdentityCheck; id: [accountId: string] };
  grants: { value: Grant; id: [grantId: string] };
  connections: {
    value: Connection;
    id: [accountId: string, clientId: string];
  };
  clients: { value: RegisteredClient; id: [clientId: string] };
  fetchedDocuments: { value: FetchedDocument; id: [urlHash: string] };
  authorizationRequests: {
    value: AuthorizationRequest;
    id: [requestId: string];
  };
  authorizationCodes: { value: AuthorizationCode; id: [hash: string] };
  usedAssertions: { value: UsedAssertion; id: [hash: string] };
  mandateUses: { value: MandateUse; id: [grantId: string, day: Day] };
  creatives: { value: Creative; id: [accountId: string, adId: string] };
  creativeOwners: { value: CreativeOwner; id: [adId: string] };
  creativeShelves: { value: CreativeQuota; id: [accountId: string] };
  creativeNotes: { value: CreativeNote; id: [adId: string, number: number] };
  adReports: { value: AdReport; id: [reportId: string] };
  reportTallies: { value: ReportTally; id: [day: Day] };
  houseAds: { value: HouseAd; id: [id: string] };
  houseRotation: { value: HouseRotation; id: [] };
  auctions: { value: Auction; id: [day: Day] };
  calendar: { value: Calendar; id: [] };
  toldTimes: { value: ToldTime; id: [] };
  bids: { value: Bid; id: [day: Day, accountId: string] };
  bidPlaces: { value: BidPlace; id: [bidId: string] };
  bidEvents: {
    value: BidEvent;
    id: [bidId: string, amountCents: number];
  };
  clickBooks: { value: ClickBooks; id: [] };
  clickBookings: { value: BookingMark; id: [bookingId: string] };
  clickVisitors: { value: Visitor; id: [hash: string] };
  clickSalts: { value: ClickSalt; id: [day: Day] };
  settlements: { value: Settlement; id: [day: Day] };
  spotlights: { value: Spotlight; id: [day: Day] };
  idempotency: {
    value: IdempotencyRecord;
    id: [owner: string, operation: string, key: string];
  };
  sandboxJobs: { value: SandboxJob; id: [jobId: string] };
  rehearsals: { value: Rehearsal; id: [rehearsalId: string] };
  invoices: { value: Invoice; id: [invoiceId: string] };
  refundRequests: { value: RefundRequest; id: [day: Day] };
  invoiceNumbers: { value: InvoiceNumber; id: [number: string] };
  paymentInvoices: { value: PaymentInvoice; id: [paymentId: string] };
  archiveTasks: { value: ArchiveTask; id: [number: string] };
  disputes: { value: Dispute; id: [disputeId: string] };
  reconciliations: { value: Reconciliation; id: [day: Day] };
  monthBalances: { value: MonthBalances; id: [month: Month] };
  reconciliationProgress: { value: ReconciliationProgress; id: [] };
  ledger: { value: LedgerEntry; id: [entryId: string] };
  metricsPayments: { value: MetricsPayment; id: [paymentId: string] };
  checkoutSessions: { value: CheckoutSession; id: [sessionId: string] };
  webhookEvents: { value: WebhookEvent; id: [eventId: string] };
  accountEvents: {
    value: AccountEvent;
    id: [accountId: string, position: number];
  };
  eventLogs: { value: EventLog; id: [accountId: string] };
  callbacks: { value: Callback; id: [grantId: string] };
  dayNotices: { value: DayNotice; id: [noticeId: string] };
  dataRequests: { value: DataRequests; id: [accountId: string] };
  mailSuppressions: { value: MailSuppression; id: [hash: string] };
  erasedAccounts: { value: ErasedAccount; id: [accountId: string] };
  exportParts: { value: ExportPart; id: [exportId: string, index: number] };
  jobRuns: { value: JobRun; id: [name: string] };
  holds: { value: Hold; id: [] };
  partners: { value: Partner; id: [accountId: string] };
  referralLinks: { value: ReferralLink; id: [code: string] };
  commissions: { value: Commission; id: [invoiceId: string] };
  partnerBalances: { value: PartnerBalance; id: [partnerId: string] };
  statements: { value: Statement; id: [partnerId: string, number: number] };
  payouts: { value: Payout; id: [payoutId: string] };
  outbox: { value: OutboxMail; id: [mailId: string] };
  sessions: { value: Session; id: [hash: string] };
  credentials: { value: Credentials; id: [accountId: string] };
  passkeyOwners: { value: PasskeyOwner; id: [credentialId: string] };
  passkeyChallenges: { value: PasskeyChallenge; id: [hash: string] };
  signInChallenges: { value: SignInChallenge; id: [hash: string] };
}

/** Strongly consistent reads outside a transaction. */
export type ReadTables = {
  readonly [F in keyof Families]: ReadTable<
    Families[F]["value"],
    Families[F]["id"]
  >;
};

/** Tracked reads and buffered writes inside a transaction. */
export type Tables = {
  readonly [F in keyof Families]: Table<
    Families[F]["value"],
    Families[F]["id"]
  >;
};

/** One optimistic transaction: what it reads is checked when it commits. */
export interface Transaction extends Tables {
  /** Advertisers with a live bid, by day. */
  readonly bidCounts: Counter<[day: Day]>;
  /** Clicks of a day, by what they are counted by. */
  readonly clickCounts: Counter<
    [day: Day, dimension: ClickDimension, value: string]
  >;
  /** Sign-ups that a partner is credited with, by the month they came in. */
  readonly signUpCounts: Counter<[partnerId: string, month: Month]>;
  /**
   * Reads up to 10 records in one round trip. Each becomes a check of the
   * commit, counters excepted. The tenth tracked read throws.
   */
  getMany<const R extends readonly Ref<unknown>[]>(
    refs: R,
  ): Promise<Values<R>>;
  /** Reads one record without making it a check. */
  peek<T>(ref: Ref<T>): Promise<T | null>;
  /** Tells every isolate that the public Spotlights changed. */
  touchSpotlights(): void;
  /** Whether there is anything to commit so far. */
  readonly writes: boolean;
  /** Says what it changes, for the audit where an operator acts. */
  noteChange(change: Change): void;
  /** What was said so last; null for nothing. */
  readonly noted: Change | null;
}

/** The store of the service. */
export interface Store extends ReadTables, StoreLists {
  /** Whether it is a file of this machine, with no network on the way to it. */
  readonly isEmbedded: boolean;
  /** Advertisers with a live bid, by day. */
  readonly bidCounts: { ref(day: Day): Ref<number> };
  /** Sign-ups that a partner is credited with, by the month they came in. */
  readonly signUpCounts: { ref(partnerId: string, month: Month): Ref<number> };
  /** Reads up to 10 records of one moment in one round trip. */
  getMany<const R extends readonly Ref<unknown>[]>(
    refs: R,
  ): Promise<Values<R>>;
  /**
   * Runs the function and commits what it wrote in one atomic step, again on
   * fresh reads when a race was lost. The function touches nothing but `tx`.
   *
   * @throws {Contention} after ten lost races
   * @throws {StoreUnavailable} when the store did not answer in time
   * @throws {OutcomeUnknown} when a commit was sent and not confirmed
   */
  transact<T>(run: (tx: Transaction) => Promise<T> | T): Promise<T>;
  /** Changes whenever the public Spotlights do. */
  spotlightsVersion(): Promise<string>;
  /** Why the store must not act; null when it may. See `domain/hold/`. */
  currentHold(): Promise<Hold | null>;
  /** Continues the migration of rows of earlier versions, until that moment. */
  migrate(untilMs: number): Promise<MigrationRun>;
  /** Does a turn of continuous backups, where there are any. */
  backUp(): Promise<BackupRun>;
}

/** Where the service is and how it is set up, as the domain needs it. */
export interface Settings {
  environment: "development" | "preview" | "production";
  /** Public addresses without a trailing slash. */
  baseUrl: string;
  authUrl: string;
  docsMcpUrl: string;
  auctionHours: AuctionHours;
  operatorEmails: readonly string[];
  /** Where alerts are posted besides; null for nowhere. */
  alertWebhookUrl: string | null;
  /** A refund of more takes two operators, cents. */
  refundFourEyesCents: number;
  /** Who sells the days. */
  seller: Seller;
  /** In a rehearsal only. */
  practice?: Practice;
}

/** What a bid stands with in a rehearsal. */
export interface Practice {
  day: Day;
  adId: string;
}

/** What a verb is given. */
export interface Services {
  clock: Clock;
  ids: Ids;
  store: Store;
  processor: Processor;
  archive: DocumentArchive;
  keys: Keys;
  mailer: Mailer;
  fetcher: Fetcher;
  vatRegistry: VatRegistry;
  eventWaits: EventWaits;
  log: Log;
  settings: Settings;
}
