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
import type { Made } from "../domain/newest_first.ts";

/** The keys of an index of work, by when it is due. */
export type DueKey = (dueAtMs: number, id: string) => [string, number, string];

function due(family: string): DueKey {
  return (dueAtMs, id) => [family, dueAtMs, id];
}

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
  dueVat: due("due_vats"),
  customerTask: (accountId: string) => ["customer_tasks", accountId],
  waitingCustomer: due("waiting_customers"),
  paymentMethod: (accountId: string, id: string) => [
    "payment_methods",
    accountId,
    id,
  ],
  wallet: (accountId: string) => ["wallets", accountId],
  dueWallet: due("due_wallets"),
  dueCardWarning: due("due_card_warnings"),
  cardRemoval: (paymentMethodId: string) => ["card_removals", paymentMethodId],
  dueCardRemoval: due("due_card_removals"),
  identityCheck: (accountId: string) => ["identity_checks", accountId],
  dueIdentityCheck: due("due_identity_checks"),
  grant: (grantId: string) => ["grants", grantId],
  grantByTime: (accountId: string, createdAtMs: number, grantId: string) => [
    "grants_by_time",
    accountId,
    createdAtMs,
    grantId,
  ],
  grantOfAccount: (accountId: string, grantId: string) => [
    "account_grants",
    accountId,
    grantId,
  ],
  connection: (accountId: string, clientId: string) => [
    "connections",
    accountId,
    clientId,
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
  rehearsal: (rehearsalId: string) => ["rehearsals", rehearsalId],
  invoice: (invoiceId: string) => ["invoices", invoiceId],
  invoiceNumber: (number: string) => ["invoice_numbers", number],
  paymentInvoice: (paymentId: string) => ["payment_invoices", paymentId],
  invoiceOfAccount: (
    accountId: string,
    finalizedAtMs: number,
    invoiceId: string,
  ) => ["account_invoices", accountId, finalizedAtMs, invoiceId],
  dueInvoice: due("due_invoices"),
  failedRefund: (invoiceId: string) => ["failed_refunds", invoiceId],
  archiveTask: (number: string) => ["archive_tasks", number],
  dueArchiveTask: due("due_archive_tasks"),
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
  dueMetricsPayment: due("due_metrics_payments"),
  checkoutSession: (sessionId: string) => ["checkout_sessions", sessionId],
  webhookEvent: (eventId: string) => ["webhook_events", eventId],
  dueWebhookEvent: due("due_webhook_events"),
  troubledWebhookEvent: (receivedAtMs: number, eventId: string) => [
    "troubled_webhook_events",
    receivedAtMs,
    eventId,
  ],
  accountEvent: (accountId: string, position: number) => [
    "account_events",
    accountId,
    position,
  ],
  eventLog: (accountId: string) => ["event_logs", accountId],
  dueEventLog: due("due_event_logs"),
  callback: (grantId: string) => ["callbacks", grantId],
  dueCallback: due("due_callbacks"),
  dayNotice: (noticeId: string) => ["day_notices", noticeId],
  dueDayNotice: due("due_day_notices"),
  jobRun: (name: string) => ["job_runs", name],
  outboxMail: (mailId: string) => ["outbox", mailId],
  waitingMail: due("waiting_mails"),
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
  commitMark: (owner: string, number: number) => [
    "commit_marks",
    owner,
    number,
  ],
  loggedChange: (owner: string, commit: number, part: number) => [
    "logged_changes",
    owner,
    commit,
    part,
  ],
  backupSeries: () => ["backup_series"],
  unfinishedRestore: () => ["unfinished_restore"],
  hold: () => ["hold"],
  schema: () => ["schema"],
  storeId: () => ["store_id"],
  storeProbe: () => ["store_probe"],
} as const satisfies Record<string, (...parts: never[]) => Deno.KvKey>;

/** The prefixes that are listed. */
export const prefixes = {
  accounts: ["accounts"],
  accountNotesOf: (accountId: string) => ["account_notes", accountId],
  accountEventsOf: (accountId: string) => ["account_events", accountId],
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
  newestGrantsOf: (accountId: string) => ["grants_by_time", accountId],
  disputes: ["disputes"],
  failedRefunds: ["failed_refunds"],
  houseAds: ["house_ads"],
  invoicesOf: (accountId: string) => ["account_invoices", accountId],
  ledger: ["ledger"],
  ledgerOf: (paymentId: string) => ["payment_entries", paymentId],
  loggedChanges: ["logged_changes"],
  mailsByTime: ["mails_by_time"],
  openSettlements: ["open_settlements"],
  paymentMethodsOf: (accountId: string) => ["payment_methods", accountId],
  reconciliations: ["reconciliations"],
  sessionsOf: (accountId: string) => ["account_sessions", accountId],
  spotlights: ["spotlights"],
  undecidedDisputes: ["undecided_disputes"],
  troubledWebhookEvents: ["troubled_webhook_events"],
  waitingAccounts: ["waiting_accounts"],
} as const;

/** Where a list begins that does not begin at its prefix. */
export const starts = {
  /** The first key that may follow the account's event at that place. */
  accountEventsAfter: (accountId: string, position: number) => [
    "account_events",
    accountId,
    position + 1,
  ],
  /** The first key that may follow the account's bid. */
  bidsAfter: (day: Day, accountId: string) => ["bids", day, `${accountId}\0`],
  /** The first key of an entry that was booked at the moment or later. */
  ledgerFrom: (fromMs: number) => ["entries_by_time", fromMs],
  /** The first key that may follow the day's. */
  spotlightsAfter: (day: Day) => ["spotlights", `${day}\0`],
} as const;

/** Where a list ends that does not end with its prefix. */
export const ends = {
  /** The key of the account's creative at that place. */
  creativesBefore: (
    accountId: string,
    { createdAtMs, adId }: CreativePlace,
  ) => ["account_creatives", accountId, createdAtMs, adId],
  /** The key of the account's grant at that place. */
  grantsBefore: (accountId: string, { createdAtMs, id }: Made) => [
    "grants_by_time",
    accountId,
    createdAtMs,
    id,
  ],
  /** The key of the account's invoice at that place. */
  invoicesBefore: (
    accountId: string,
    { finalizedAtMs, id }: InvoicePlace,
  ) => ["account_invoices", accountId, finalizedAtMs, id],
  /** The first key of an entry that was booked later. */
  ledgerUntil: (untilMs: number) => ["entries_by_time", untilMs + 1],
} as const;

/** The rows of an index of work whose turn has come. */
export function dueRange(
  keyOf: DueKey,
  nowMs: number,
): { prefix: Deno.KvKey; end: Deno.KvKey } {
  const [family] = keyOf(0, "");
  return { prefix: [family], end: [family, nowMs + 1] };
}

/**
 * Families that no backup holds and no restore brings back, in key order: what
 * is worth nothing minutes later, what processes say of themselves (when a job
 * last ran), and the salts, which a copy would keep from being destroyed.
 */
export const EPHEMERAL_FAMILIES: readonly string[] = [
  "backup_series",
  "click_bookings",
  "click_salts",
  "click_visitors",
  "commit_marks",
  "job_runs",
  "logged_changes",
  "rate_buckets",
  "rehearsals",
  "store_probe",
];

/** Whether backups leave the row out; those of earlier versions may hold it. */
export function isEphemeral([family]: Deno.KvKey): boolean {
  return typeof family === "string" && EPHEMERAL_FAMILIES.includes(family);
}

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
