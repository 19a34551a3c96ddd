/**
 * The only key arrays in the project. `docs/kv_schema.md` describes each
 * family: prefix, example, life and why.
 *
 * @module
 */
import type { CasePlace } from "../domain/accounts/case_place.ts";
import type { ClickDimension } from "../domain/clicks/click.ts";
import type {
  CreativePlace,
  ReviewPlace,
} from "../domain/creatives/creative.ts";
import type { Day } from "../domain/day.ts";
import type { InvoicePlace } from "../domain/invoices/invoice.ts";
import type { EntryPlace } from "../domain/ledger/entry.ts";
import type { Made } from "../domain/newest_first.ts";
import type { Month } from "../domain/month.ts";
import type { PartnerPlace } from "../domain/partners/partner.ts";
import type { PayoutPlace } from "../domain/partners/payout.ts";

/** The keys of an index of work, by when it is due. */
export type DueKey = (dueAtMs: number, id: string) => [string, number, string];

function due(family: string): DueKey {
  return (dueAtMs, id) => [family, dueAtMs, id];
}

type Part = Deno.KvKeyPart;

/** Keys of a family and two parts. */
function two<Id extends readonly [Part, Part]>(family: string) {
  return (one: Id[0], two: Id[1]): [string, Id[0], Id[1]] => [family, one, two];
}

/** Keys of a family and three parts. */
function three<Id extends readonly [Part, Part, Part]>(family: string) {
  return (
    one: Id[0],
    two: Id[1],
    three: Id[2],
  ): [string, Id[0], Id[1], Id[2]] => [family, one, two, three];
}

/** One builder a family; the order of the parts is the order of listing. */
export const keys = {
  account: (accountId: string) => ["accounts", accountId],
  accountEmail: (email: string) => ["account_emails", email],
  accountNote: two<[accountId: string, number: number]>("account_notes"),
  alert: (name: string) => ["alerts", name],
  operatorKey: (keyId: string) => ["operator_keys", keyId],
  operatorAct: (atMs: number, actId: string) => ["operator_acts", atMs, actId],
  actOfSubject: three<[subject: string, atMs: number, actId: string]>(
    "acts_by_subject",
  ),
  actOfPerson: three<[person: string, atMs: number, actId: string]>(
    "acts_by_person",
  ),
  accountWord: two<[word: string, accountId: string]>("account_words"),
  waitingAccount: two<[sinceMs: number, accountId: string]>(
    "waiting_accounts",
  ),
  vatHolder: (vatId: string) => ["vat_holders", vatId],
  contestedVatId: (vatId: string) => ["contested_vat_ids", vatId],
  dueVat: due("due_vats"),
  dueKnownVat: due("due_known_vats"),
  customerTask: (accountId: string) => ["customer_tasks", accountId],
  waitingCustomer: due("waiting_customers"),
  paymentMethod: two<[accountId: string, id: string]>("payment_methods"),
  wallet: (accountId: string) => ["wallets", accountId],
  dueWallet: due("due_wallets"),
  dueCardWarning: due("due_card_warnings"),
  cardRemoval: (paymentMethodId: string) => ["card_removals", paymentMethodId],
  dueCardRemoval: due("due_card_removals"),
  identityCheck: (accountId: string) => ["identity_checks", accountId],
  dueIdentityCheck: due("due_identity_checks"),
  grant: (grantId: string) => ["grants", grantId],
  grantByTime: three<[accountId: string, createdAtMs: number, grantId: string]>(
    "grants_by_time",
  ),
  grantOfAccount: two<[accountId: string, grantId: string]>("account_grants"),
  connection: two<[accountId: string, clientId: string]>("connections"),
  client: (clientId: string) => ["clients", clientId],
  fetchedDocument: (urlHash: string) => ["fetched_documents", urlHash],
  authorizationRequest: (
    requestId: string,
  ) => ["authorization_requests", requestId],
  authorizationCode: (hash: string) => ["authorization_codes", hash],
  usedAssertion: (hash: string) => ["used_assertions", hash],
  mandateUse: (grantId: string, day: Day) => ["mandate_uses", grantId, day],
  creative: two<[accountId: string, adId: string]>("creatives"),
  creativeOwner: (adId: string) => ["creative_owners", adId],
  creativeOfAccount: three<
    [accountId: string, createdAtMs: number, adId: string]
  >("account_creatives"),
  submittedCreative: two<[submittedAtMs: number, adId: string]>(
    "submitted_creatives",
  ),
  creativeShelf: (accountId: string) => ["creative_shelves", accountId],
  creativeNote: two<[adId: string, number: number]>("creative_notes"),
  adReport: (reportId: string) => ["ad_reports", reportId],
  openAdReport: two<[reportedAtMs: number, reportId: string]>(
    "open_ad_reports",
  ),
  openReportOfDay: three<[day: Day, reportedAtMs: number, reportId: string]>(
    "open_reports_by_day",
  ),
  reportTally: (day: Day) => ["report_tallies", day],
  houseAd: (id: string) => ["house_ads", id],
  houseRotation: () => ["house_rotation"],
  auction: (day: Day) => ["auctions", day],
  calendar: () => ["calendar"],
  toldTime: () => ["told_time"],
  bid: (day: Day, accountId: string) => ["bids", day, accountId],
  bidPlace: (bidId: string) => ["bid_places", bidId],
  bidEvent: two<[bidId: string, amountCents: number]>("bid_events"),
  bidCount: (day: Day) => ["bid_counts", day],
  clickCount: three<[day: Day, dimension: ClickDimension, value: string]>(
    "click_counts",
  ),
  clickBooks: () => ["click_books"],
  clickBooking: (bookingId: string) => ["click_bookings", bookingId],
  clickVisitor: (hash: string) => ["click_visitors", hash],
  clickSalt: (day: Day) => ["click_salts", day],
  settlement: (day: Day) => ["settlements", day],
  openSettlement: (day: Day) => ["open_settlements", day],
  spotlight: (day: Day) => ["spotlights", day],
  spotlightsVersion: () => ["spotlights_version"],
  idempotency: three<[owner: string, operation: string, key: string]>(
    "idempotency",
  ),
  sandboxJob: (jobId: string) => ["sandbox_jobs", jobId],
  rehearsal: (rehearsalId: string) => ["rehearsals", rehearsalId],
  invoice: (invoiceId: string) => ["invoices", invoiceId],
  invoiceNumber: (number: string) => ["invoice_numbers", number],
  paymentInvoice: (paymentId: string) => ["payment_invoices", paymentId],
  invoiceOfAccount: three<
    [accountId: string, finalizedAtMs: number, invoiceId: string]
  >("account_invoices"),
  dueInvoice: due("due_invoices"),
  refundRequest: (day: Day) => ["refund_requests", day],
  failedRefund: (invoiceId: string) => ["failed_refunds", invoiceId],
  archiveTask: (number: string) => ["archive_tasks", number],
  dueArchiveTask: due("due_archive_tasks"),
  dispute: (disputeId: string) => ["disputes", disputeId],
  undecidedDispute: two<[openedAtMs: number, disputeId: string]>(
    "undecided_disputes",
  ),
  disputeOfAccount: two<[accountId: string, disputeId: string]>(
    "account_disputes",
  ),
  reconciliation: (day: Day) => ["reconciliations", day],
  monthBalances: (month: Month) => ["month_balances", month],
  reconciliationProgress: () => ["reconciliation_progress"],
  ledgerEntry: (entryId: string) => ["ledger", entryId],
  ledgerOfPayment: two<[paymentId: string, entryId: string]>(
    "payment_entries",
  ),
  ledgerByTime: two<[atMs: number, entryId: string]>("entries_by_time"),
  metricsPayment: (paymentId: string) => ["metrics_payments", paymentId],
  dueMetricsPayment: due("due_metrics_payments"),
  checkoutSession: (sessionId: string) => ["checkout_sessions", sessionId],
  checkoutOfGrant: two<[grantId: string, sessionId: string]>(
    "grant_checkouts",
  ),
  webhookEvent: (eventId: string) => ["webhook_events", eventId],
  dueWebhookEvent: due("due_webhook_events"),
  troubledWebhookEvent: two<[receivedAtMs: number, eventId: string]>(
    "troubled_webhook_events",
  ),
  accountEvent: two<[accountId: string, position: number]>("account_events"),
  eventLog: (accountId: string) => ["event_logs", accountId],
  dueEventLog: due("due_event_logs"),
  callback: (grantId: string) => ["callbacks", grantId],
  dueCallback: due("due_callbacks"),
  dayNotice: (noticeId: string) => ["day_notices", noticeId],
  dueDayNotice: due("due_day_notices"),
  dataRequests: (accountId: string) => ["data_requests", accountId],
  dueDataRequests: due("due_data_requests"),
  exportPart: two<[exportId: string, index: number]>("export_parts"),
  erasedAccount: (accountId: string) => ["erased_accounts", accountId],
  mailSuppression: (hash: string) => ["mail_suppressions", hash],
  jobRun: (name: string) => ["job_runs", name],
  outboxMail: (mailId: string) => ["outbox", mailId],
  waitingMail: due("waiting_mails"),
  mailByTime: two<[createdAtMs: number, mailId: string]>("mails_by_time"),
  mailOfOwner: three<[owner: string, createdAtMs: number, mailId: string]>(
    "mails_by_owner",
  ),
  partner: (accountId: string) => ["partners", accountId],
  waitingPartner: two<[appliedAtMs: number, accountId: string]>(
    "waiting_partners",
  ),
  decidedPartner: two<[decidedAtMs: number, accountId: string]>(
    "decided_partners",
  ),
  referralLink: (code: string) => ["referral_links", code],
  linkOfPartner: three<[partnerId: string, createdAtMs: number, code: string]>(
    "partner_links",
  ),
  referralOfPartner: three<
    [partnerId: string, signedUpAtMs: number, accountId: string]
  >("partner_referrals"),
  signUpCount: two<[partnerId: string, month: Month]>("sign_up_counts"),
  commission: (invoiceId: string) => ["commissions", invoiceId],
  commissionOfPartner: three<
    [partnerId: string, createdAtMs: number, invoiceId: string]
  >("partner_commissions"),
  dueCommission: due("due_commissions"),
  partnerBalance: (partnerId: string) => ["partner_balances", partnerId],
  dueStatement: due("due_statements"),
  statement: two<[partnerId: string, number: number]>("statements"),
  payout: (payoutId: string) => ["payouts", payoutId],
  payoutOfPartner: three<
    [partnerId: string, requestedAtMs: number, payoutId: string]
  >("partner_payouts"),
  duePayout: due("due_payouts"),
  session: (hash: string) => ["sessions", hash],
  sessionOfAccount: two<[accountId: string, hash: string]>(
    "account_sessions",
  ),
  credentials: (accountId: string) => ["credentials", accountId],
  passkeyOwner: (credentialId: string) => ["passkey_owners", credentialId],
  passkeyChallenge: (hash: string) => ["passkey_challenges", hash],
  signInChallenge: (hash: string) => ["sign_in_challenges", hash],
  chunkManifest: (name: string) => ["chunk_manifests", name],
  chunkAttempt: (attemptId: string) => ["chunk_attempts", attemptId],
  chunk: three<[name: string, attemptId: string, index: number]>("chunks"),
  commitMark: two<[owner: string, number: number]>("commit_marks"),
  loggedChange: three<[owner: string, commit: number, part: number]>(
    "logged_changes",
  ),
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
  openReportsByDay: ["open_reports_by_day"],
  openReportsOf: (day: Day) => ["open_reports_by_day", day],
  submittedCreatives: ["submitted_creatives"],
  grantsOf: (accountId: string) => ["account_grants", accountId],
  newestGrantsOf: (accountId: string) => ["grants_by_time", accountId],
  checkoutsOf: (grantId: string) => ["grant_checkouts", grantId],
  disputesOf: (accountId: string) => ["account_disputes", accountId],
  callbacks: ["callbacks"],
  erasedAccounts: ["erased_accounts"],
  idempotencyOf: (owner: string) => ["idempotency", owner],
  failedRefunds: ["failed_refunds"],
  refundRequests: ["refund_requests"],
  houseAds: ["house_ads"],
  invoicesOf: (accountId: string) => ["account_invoices", accountId],
  ledger: ["ledger"],
  ledgerOf: (paymentId: string) => ["payment_entries", paymentId],
  loggedChanges: ["logged_changes"],
  mailsByTime: ["mails_by_time"],
  mailsOf: (owner: string) => ["mails_by_owner", owner],
  alerts: ["alerts"],
  openSettlements: ["open_settlements"],
  operatorKeys: ["operator_keys"],
  commissionsOf: (partnerId: string) => ["partner_commissions", partnerId],
  linksOf: (partnerId: string) => ["partner_links", partnerId],
  partners: ["partners"],
  waitingPartners: ["waiting_partners"],
  decidedPartners: ["decided_partners"],
  payoutsOf: (partnerId: string) => ["partner_payouts", partnerId],
  referralsOf: (partnerId: string) => ["partner_referrals", partnerId],
  statementsOf: (partnerId: string) => ["statements", partnerId],
  paymentMethodsOf: (accountId: string) => ["payment_methods", accountId],
  reconciliations: ["reconciliations"],
  sessionsOf: (accountId: string) => ["account_sessions", accountId],
  settlements: ["settlements"],
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
  /** The first key of an account by a word that begins so. */
  accountsByWord: (beginning: string) => ["account_words", beginning],
  /** The first key that may follow the account's bid. */
  bidsAfter: (day: Day, accountId: string) => ["bids", day, `${accountId}\0`],
  /** The first key of an entry that was booked at the moment or later. */
  ledgerFrom: (fromMs: number) => ["entries_by_time", fromMs],
  /** The first key that may follow the grant's checkout session. */
  checkoutsAfter: (grantId: string, sessionId: string) => [
    "grant_checkouts",
    grantId,
    `${sessionId}\0`,
  ],
  /** The first key that may follow the partner's. */
  partnersAfter: (accountId: string) => ["partners", `${accountId}\0`],
  /** The first key that may follow the account's about which something waits. */
  waitingAccountsAfter: ({ sinceMs, accountId }: CasePlace) => [
    "waiting_accounts",
    sinceMs,
    `${accountId}\0`,
  ],
  /** The first key that may follow the creative's that waits for a decision. */
  submittedCreativesAfter: ({ submittedAtMs, adId }: ReviewPlace) => [
    "submitted_creatives",
    submittedAtMs,
    `${adId}\0`,
  ],
  /** The first key that may follow the application's. */
  waitingPartnersAfter: ({ atMs, accountId }: PartnerPlace) => [
    "waiting_partners",
    atMs,
    `${accountId}\0`,
  ],
  /** The first key that may follow the connection's. */
  callbacksAfter: (grantId: string) => ["callbacks", `${grantId}\0`],
  /** The first key that may follow the erased account's. */
  erasedAfter: (accountId: string) => ["erased_accounts", `${accountId}\0`],
  /** The first key that may follow the mail's. */
  mailsAfter: ({ createdAtMs, id }: { createdAtMs: number; id: string }) => [
    "mails_by_time",
    createdAtMs,
    `${id}\0`,
  ],
  /** The first key that may follow the owner's mail. */
  mailsOfAfter: (
    owner: string,
    { createdAtMs, id }: { createdAtMs: number; id: string },
  ) => ["mails_by_owner", owner, createdAtMs, `${id}\0`],
  /** The first key that may follow the day's. */
  spotlightsAfter: (day: Day) => ["spotlights", `${day}\0`],
} as const;

/** Where a list ends that does not end with its prefix. */
export const ends = {
  /** No word that begins so is behind it. */
  accountsByWord: (beginning: string) => [
    "account_words",
    `${beginning}\u{10ffff}`,
  ],
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
  /** The key of the decided partner at that place. */
  decidedPartnersBefore: (
    { atMs, accountId }: PartnerPlace,
  ) => ["decided_partners", atMs, accountId],
  /** The key of the partner's payout at that place. */
  payoutsBefore: (
    partnerId: string,
    { requestedAtMs, id }: PayoutPlace,
  ) => ["partner_payouts", partnerId, requestedAtMs, id],
  /** The first key of an entry that was booked later. */
  ledgerUntil: (untilMs: number) => ["entries_by_time", untilMs + 1],
  /** The key of the entry at that place. */
  ledgerBefore: ({ atMs, id }: EntryPlace) => ["entries_by_time", atMs, id],
} as const;

/** The rows of an index of work whose turn has come. */
export function dueRange(
  keyOf: DueKey,
  nowMs: number,
): { prefix: Deno.KvKey; end: Deno.KvKey } {
  const [family] = keyOf(0, "");
  return { prefix: [family], end: [family, nowMs + 1] };
}
