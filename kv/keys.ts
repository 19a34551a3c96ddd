/**
 * The only key arrays in the project. `docs/kv_schema.md` describes each
 * family: prefix, example, life and why.
 *
 * @module
 */
import type { ClickDimension } from "../domain/clicks/click.ts";
import type { CreativePlace } from "../domain/creatives/creative.ts";
import type { Day } from "../domain/day.ts";
import type { InvoicePlace } from "../domain/invoices/invoice.ts";

/** One builder a family; the order of the parts is the order of listing. */
export const keys = {
  account: (accountId: string) => ["accounts", accountId],
  accountEmail: (email: string) => ["account_emails", email],
  accountNote: (accountId: string, number: number) => [
    "account_notes",
    accountId,
    number,
  ],
  waitingAccount: (sinceMs: number, accountId: string) => [
    "waiting_accounts",
    sinceMs,
    accountId,
  ],
  vatHolder: (vatId: string) => ["vat_holders", vatId],
  contestedVatId: (vatId: string) => ["contested_vat_ids", vatId],
  dueVat: (dueAtMs: number, accountId: string) => [
    "due_vats",
    dueAtMs,
    accountId,
  ],
  customerTask: (accountId: string) => ["customer_tasks", accountId],
  waitingCustomer: (dueAtMs: number, accountId: string) => [
    "waiting_customers",
    dueAtMs,
    accountId,
  ],
  paymentMethod: (accountId: string, id: string) => [
    "payment_methods",
    accountId,
    id,
  ],
  wallet: (accountId: string) => ["wallets", accountId],
  dueWallet: (dueAtMs: number, accountId: string) => [
    "due_wallets",
    dueAtMs,
    accountId,
  ],
  dueCardWarning: (dueAtMs: number, accountId: string) => [
    "due_card_warnings",
    dueAtMs,
    accountId,
  ],
  cardRemoval: (paymentMethodId: string) => ["card_removals", paymentMethodId],
  dueCardRemoval: (dueAtMs: number, paymentMethodId: string) => [
    "due_card_removals",
    dueAtMs,
    paymentMethodId,
  ],
  identityCheck: (accountId: string) => ["identity_checks", accountId],
  dueIdentityCheck: (dueAtMs: number, accountId: string) => [
    "due_identity_checks",
    dueAtMs,
    accountId,
  ],
  grant: (grantId: string) => ["grants", grantId],
  grantOfAccount: (accountId: string, grantId: string) => [
    "account_grants",
    accountId,
    grantId,
  ],
  client: (clientId: string) => ["clients", clientId],
  fetchedDocument: (urlHash: string) => ["fetched_documents", urlHash],
  authorizationRequest: (requestId: string) => [
    "authorization_requests",
    requestId,
  ],
  authorizationCode: (hash: string) => ["authorization_codes", hash],
  usedAssertion: (hash: string) => ["used_assertions", hash],
  mandateUse: (grantId: string, day: Day) => ["mandate_uses", grantId, day],
  creative: (accountId: string, adId: string) => [
    "creatives",
    accountId,
    adId,
  ],
  creativeOwner: (adId: string) => ["creative_owners", adId],
  creativeOfAccount: (
    accountId: string,
    createdAtMs: number,
    adId: string,
  ) => ["account_creatives", accountId, createdAtMs, adId],
  submittedCreative: (submittedAtMs: number, adId: string) => [
    "submitted_creatives",
    submittedAtMs,
    adId,
  ],
  creativeShelf: (accountId: string) => ["creative_shelves", accountId],
  creativeNote: (adId: string, number: number) => [
    "creative_notes",
    adId,
    number,
  ],
  adReport: (reportId: string) => ["ad_reports", reportId],
  openAdReport: (reportedAtMs: number, reportId: string) => [
    "open_ad_reports",
    reportedAtMs,
    reportId,
  ],
  reportTally: (day: Day) => ["report_tallies", day],
  houseAd: (id: string) => ["house_ads", id],
  auction: (day: Day) => ["auctions", day],
  calendar: () => ["calendar"],
  bid: (day: Day, accountId: string) => ["bids", day, accountId],
  bidPlace: (bidId: string) => ["bid_places", bidId],
  bidEvent: (bidId: string, amountCents: number) => [
    "bid_events",
    bidId,
    amountCents,
  ],
  bidCount: (day: Day) => ["bid_counts", day],
  clickCount: (day: Day, dimension: ClickDimension, value: string) => [
    "click_counts",
    day,
    dimension,
    value,
  ],
  clickBooks: () => ["click_books"],
  clickBooking: (bookingId: string) => ["click_bookings", bookingId],
  clickVisitor: (hash: string) => ["click_visitors", hash],
  clickSalt: (day: Day) => ["click_salts", day],
  settlement: (day: Day) => ["settlements", day],
  openSettlement: (day: Day) => ["open_settlements", day],
  spotlight: (day: Day) => ["spotlights", day],
  spotlightsVersion: () => ["spotlights_version"],
  idempotency: (owner: string, operation: string, key: string) => [
    "idempotency",
    owner,
    operation,
    key,
  ],
  sandboxJob: (jobId: string) => ["sandbox_jobs", jobId],
  invoice: (invoiceId: string) => ["invoices", invoiceId],
  invoiceNumber: (number: string) => ["invoice_numbers", number],
  paymentInvoice: (paymentId: string) => ["payment_invoices", paymentId],
  invoiceOfAccount: (
    accountId: string,
    finalizedAtMs: number,
    invoiceId: string,
  ) => ["account_invoices", accountId, finalizedAtMs, invoiceId],
  dueInvoice: (dueAtMs: number, invoiceId: string) => [
    "due_invoices",
    dueAtMs,
    invoiceId,
  ],
  failedRefund: (invoiceId: string) => ["failed_refunds", invoiceId],
  archiveTask: (number: string) => ["archive_tasks", number],
  dueArchiveTask: (dueAtMs: number, number: string) => [
    "due_archive_tasks",
    dueAtMs,
    number,
  ],
  dispute: (disputeId: string) => ["disputes", disputeId],
  undecidedDispute: (openedAtMs: number, disputeId: string) => [
    "undecided_disputes",
    openedAtMs,
    disputeId,
  ],
  reconciliation: (day: Day) => ["reconciliations", day],
  reconciliationProgress: () => ["reconciliation_progress"],
  ledgerEntry: (entryId: string) => ["ledger", entryId],
  ledgerOfPayment: (paymentId: string, entryId: string) => [
    "payment_entries",
    paymentId,
    entryId,
  ],
  ledgerByTime: (atMs: number, entryId: string) => [
    "entries_by_time",
    atMs,
    entryId,
  ],
  metricsPayment: (paymentId: string) => ["metrics_payments", paymentId],
  dueMetricsPayment: (dueAtMs: number, paymentId: string) => [
    "due_metrics_payments",
    dueAtMs,
    paymentId,
  ],
  checkoutSession: (sessionId: string) => ["checkout_sessions", sessionId],
  webhookEvent: (eventId: string) => ["webhook_events", eventId],
  dueWebhookEvent: (dueAtMs: number, eventId: string) => [
    "due_webhook_events",
    dueAtMs,
    eventId,
  ],
  troubledWebhookEvent: (receivedAtMs: number, eventId: string) => [
    "troubled_webhook_events",
    receivedAtMs,
    eventId,
  ],
  jobRun: (name: string) => ["job_runs", name],
  outboxMail: (mailId: string) => ["outbox", mailId],
  waitingMail: (dueAtMs: number, mailId: string) => [
    "waiting_mails",
    dueAtMs,
    mailId,
  ],
  mailByTime: (createdAtMs: number, mailId: string) => [
    "mails_by_time",
    createdAtMs,
    mailId,
  ],
  session: (hash: string) => ["sessions", hash],
  sessionOfAccount: (accountId: string, hash: string) => [
    "account_sessions",
    accountId,
    hash,
  ],
  credentials: (accountId: string) => ["credentials", accountId],
  passkeyOwner: (credentialId: string) => ["passkey_owners", credentialId],
  passkeyChallenge: (hash: string) => ["passkey_challenges", hash],
  signInChallenge: (hash: string) => ["sign_in_challenges", hash],
  chunkManifest: (name: string) => ["chunk_manifests", name],
  chunkAttempt: (attemptId: string) => ["chunk_attempts", attemptId],
  chunk: (name: string, attemptId: string, index: number) => [
    "chunks",
    name,
    attemptId,
    index,
  ],
  unfinishedRestore: () => ["unfinished_restore"],
  hold: () => ["hold"],
} as const satisfies Record<string, (...parts: never[]) => Deno.KvKey>;

/** The prefixes that are listed. */
export const prefixes = {
  accounts: ["accounts"],
  accountNotesOf: (accountId: string) => ["account_notes", accountId],
  bidsOf: (day: Day) => ["bids", day],
  bidEventsOf: (bidId: string) => ["bid_events", bidId],
  chunkAttempts: ["chunk_attempts"],
  clickCountsOf: (day: Day) => ["click_counts", day],
  creativeNotesOf: (adId: string) => ["creative_notes", adId],
  creativesOf: (accountId: string) => ["creatives", accountId],
  newestCreativesOf: (accountId: string) => ["account_creatives", accountId],
  openAdReports: ["open_ad_reports"],
  submittedCreatives: ["submitted_creatives"],
  grantsOf: (accountId: string) => ["account_grants", accountId],
  dueCardRemovals: ["due_card_removals"],
  dueCardWarnings: ["due_card_warnings"],
  dueIdentityChecks: ["due_identity_checks"],
  disputes: ["disputes"],
  dueArchiveTasks: ["due_archive_tasks"],
  dueInvoices: ["due_invoices"],
  failedRefunds: ["failed_refunds"],
  dueMetricsPayments: ["due_metrics_payments"],
  dueVats: ["due_vats"],
  dueWallets: ["due_wallets"],
  dueWebhookEvents: ["due_webhook_events"],
  houseAds: ["house_ads"],
  invoicesOf: (accountId: string) => ["account_invoices", accountId],
  ledger: ["ledger"],
  ledgerOf: (paymentId: string) => ["payment_entries", paymentId],
  mailsByTime: ["mails_by_time"],
  openSettlements: ["open_settlements"],
  paymentMethodsOf: (accountId: string) => ["payment_methods", accountId],
  reconciliations: ["reconciliations"],
  sessionsOf: (accountId: string) => ["account_sessions", accountId],
  spotlights: ["spotlights"],
  undecidedDisputes: ["undecided_disputes"],
  troubledWebhookEvents: ["troubled_webhook_events"],
  waitingAccounts: ["waiting_accounts"],
  waitingCustomers: ["waiting_customers"],
  waitingMails: ["waiting_mails"],
} as const;

/** Where a list begins that does not begin at its prefix. */
export const starts = {
  /** The first key of an entry that was booked at the moment or later. */
  ledgerFrom: (fromMs: number) => ["entries_by_time", fromMs],
  /** The first key that may follow the day's. */
  spotlightsAfter: (day: Day) => ["spotlights", `${day}\0`],
} as const;

/** Where a list ends that does not end with its prefix. */
export const ends = {
  /** The first key of a document whose turn is later. */
  archiveTasksDueAt: (nowMs: number) => ["due_archive_tasks", nowMs + 1],
  /** The key of the account's creative at that place. */
  creativesBefore: (
    accountId: string,
    { createdAtMs, adId }: CreativePlace,
  ) => ["account_creatives", accountId, createdAtMs, adId],
  /** The key of the account's invoice at that place. */
  invoicesBefore: (
    accountId: string,
    { finalizedAtMs, invoiceId }: InvoicePlace,
  ) => ["account_invoices", accountId, finalizedAtMs, invoiceId],
  /** The first key of an invoice whose turn is later. */
  invoicesDueAt: (nowMs: number) => ["due_invoices", nowMs + 1],
  /** The first key of an entry that was booked later. */
  ledgerUntil: (untilMs: number) => ["entries_by_time", untilMs + 1],
  /** The first key of a card that is taken away later. */
  cardRemovalsDueAt: (nowMs: number) => ["due_card_removals", nowMs + 1],
  /** The first key of a warning that is sent later. */
  cardWarningsDueAt: (nowMs: number) => ["due_card_warnings", nowMs + 1],
  /** The first key of a check of identity whose turn is later. */
  identityChecksDueAt: (nowMs: number) => ["due_identity_checks", nowMs + 1],
  /** The first key of a wallet whose turn is later. */
  walletsDueAt: (nowMs: number) => ["due_wallets", nowMs + 1],
  /** The first key of a company whose turn is later. */
  customersDueAt: (nowMs: number) => ["waiting_customers", nowMs + 1],
  /** The first key of a purchase whose turn is later. */
  metricsPaymentsDueAt: (nowMs: number) => ["due_metrics_payments", nowMs + 1],
  /** The first key of a VAT id whose turn is later. */
  vatsDueAt: (nowMs: number) => ["due_vats", nowMs + 1],
  /** The first key of an event whose turn is later. */
  webhookEventsDueAt: (nowMs: number) => ["due_webhook_events", nowMs + 1],
  /** The first key of a mail that is due later. */
  mailsDueAt: (nowMs: number) => ["waiting_mails", nowMs + 1],
} as const;

/**
 * Families that no backup holds, in key order: what is worth nothing minutes
 * later, and the salts, which a copy would keep from being destroyed.
 */
export const EPHEMERAL_FAMILIES: readonly string[] = [
  "click_bookings",
  "click_salts",
  "click_visitors",
  "rate_buckets",
];

/** Everything that is worth a backup, in key order. */
export function persistentRanges(): Deno.KvListSelector[] {
  const after = EPHEMERAL_FAMILIES.map((family) => [`${family}\0`]);
  const until = EPHEMERAL_FAMILIES.map((family) => [family]);
  // The least key there is: no bytes.
  const starts = [[new Uint8Array()], ...after];
  return starts.map((start, at) => {
    const end = until[at];
    return end ? { start, end } : { prefix: [], start };
  });
}
