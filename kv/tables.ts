import { ownerOfMail } from "../domain/mail/outbox_mail.ts";
import type { Families } from "../domain/ports.ts";
import { dueRow } from "./due_rows.ts";
import {
  accountRows,
  actRows,
  creativeRows,
  disputeRows,
  invoiceRows,
} from "./index_rows.ts";
import { keys } from "./keys.ts";
import { partnerTables } from "./partner_tables.ts";
import {
  familyOf,
  type TableDefinition,
  type TableDefinitions,
} from "./table_definition.ts";

export type { IndexRow } from "./index_rows.ts";
export { familyOf, type TableDefinition } from "./table_definition.ts";

/** The key that an index row of a table points at. */
export function pointedKey<Id extends readonly unknown[]>(
  { key, pointer = [] }: Pick<TableDefinition<never, Id>, "key" | "pointer">,
  row: unknown,
): Deno.KvKey {
  const members = row as Readonly<Record<string, unknown>>;
  const id: readonly unknown[] = pointer.map((name) => members[name]);
  return key(...id as Id);
}

/** The layout of every family. */
export const tables: TableDefinitions<keyof Families> = {
  accounts: {
    key: keys.account,
    idOf: (account) => [account.id],
    indexes: accountRows,
    pointer: ["accountId"],
    indexFamilies: [
      keys.accountEmail,
      keys.accountWord,
      keys.vatHolder,
      keys.waitingAccount,
      keys.dueVat,
      keys.dueKnownVat,
      keys.referralOfPartner,
    ].map(familyOf),
  },
  accountNotes: {
    key: keys.accountNote,
    idOf: ({ accountId, number }) => [accountId, number],
  },
  alerts: { key: keys.alert, idOf: ({ name }) => [name] },
  operatorKeys: { key: keys.operatorKey, idOf: ({ id }) => [id] },
  operatorActs: {
    key: keys.operatorAct,
    idOf: ({ atMs, id }) => [atMs, id],
    indexes: actRows,
    pointer: ["atMs", "id"],
    indexFamilies: [keys.actOfPerson, keys.actOfSubject].map(familyOf),
  },
  vatHolders: { key: keys.vatHolder, idOf: ({ vatId }) => [vatId] },
  contestedVatIds: {
    key: keys.contestedVatId,
    idOf: ({ vatId }) => [vatId],
  },
  customerTasks: {
    key: keys.customerTask,
    idOf: ({ accountId }) => [accountId],
    indexes: (task) => dueRow("customers", task.accountId, task),
    pointer: ["accountId"],
    indexFamilies: [keys.waitingCustomer].map(familyOf),
  },
  accountEmails: { key: keys.accountEmail, idOf: ({ email }) => [email] },
  paymentMethods: {
    key: keys.paymentMethod,
    idOf: (card) => [card.accountId, card.id],
  },
  wallets: {
    key: keys.wallet,
    idOf: ({ accountId }) => [accountId],
    indexes: (wallet) => [
      ...dueRow("cardSyncs", wallet.accountId, wallet),
      ...dueRow("cardWarnings", wallet.accountId, wallet),
    ],
    pointer: ["accountId"],
    indexFamilies: [keys.dueWallet, keys.dueCardWarning].map(familyOf),
  },
  cardRemovals: {
    key: keys.cardRemoval,
    idOf: ({ paymentMethodId }) => [paymentMethodId],
    indexes: (removal) =>
      dueRow("cardRemovals", removal.paymentMethodId, removal),
    pointer: ["paymentMethodId"],
    indexFamilies: [keys.dueCardRemoval].map(familyOf),
  },
  identityChecks: {
    key: keys.identityCheck,
    idOf: ({ accountId }) => [accountId],
    indexes: (check) => dueRow("identities", check.accountId, check),
    pointer: ["accountId"],
    indexFamilies: [keys.dueIdentityCheck].map(familyOf),
  },
  grants: {
    key: keys.grant,
    idOf: (grant) => [grant.id],
    indexes: ({ id: grantId, accountId, createdAtMs }) =>
      [
        keys.grantOfAccount(accountId, grantId),
        keys.grantByTime(accountId, createdAtMs, grantId),
      ].map((key) => ({ key, value: { grantId } })),
    pointer: ["grantId"],
    indexFamilies: [keys.grantOfAccount, keys.grantByTime].map(familyOf),
  },
  connections: {
    key: keys.connection,
    idOf: ({ accountId, clientId }) => [accountId, clientId],
  },
  clients: { key: keys.client, idOf: (client) => [client.id] },
  fetchedDocuments: {
    key: keys.fetchedDocument,
    idOf: (document) => [document.urlHash],
  },
  authorizationRequests: {
    key: keys.authorizationRequest,
    idOf: (request) => [request.id],
  },
  authorizationCodes: {
    key: keys.authorizationCode,
    idOf: (code) => [code.hash],
  },
  usedAssertions: {
    key: keys.usedAssertion,
    idOf: (assertion) => [assertion.hash],
  },
  mandateUses: {
    key: keys.mandateUse,
    idOf: (use) => [use.grantId, use.day],
  },
  creatives: {
    key: keys.creative,
    idOf: (creative) => [creative.accountId, creative.adId],
    indexes: creativeRows,
    pointer: ["accountId", "adId"],
    indexFamilies: [
      keys.creativeOwner,
      keys.creativeOfAccount,
      keys.submittedCreative,
    ].map(familyOf),
  },
  creativeOwners: { key: keys.creativeOwner, idOf: ({ adId }) => [adId] },
  creativeShelves: {
    key: keys.creativeShelf,
    idOf: ({ accountId }) => [accountId],
  },
  creativeNotes: {
    key: keys.creativeNote,
    idOf: ({ adId, number }) => [adId, number],
  },
  adReports: {
    key: keys.adReport,
    idOf: ({ id }) => [id],
    indexes: ({ id: reportId, day, reportedAtMs, closedAtMs, expiresAtMs }) => {
      const value = closedAtMs === null ? { reportId, expiresAtMs } : null;
      return [
        { key: keys.openAdReport(reportedAtMs, reportId), value },
        { key: keys.openReportOfDay(day, reportedAtMs, reportId), value },
      ];
    },
    pointer: ["reportId"],
    indexFamilies: [keys.openAdReport, keys.openReportOfDay].map(familyOf),
  },
  reportTallies: { key: keys.reportTally, idOf: ({ day }) => [day] },
  houseAds: { key: keys.houseAd, idOf: (ad) => [ad.id] },
  houseRotation: { key: keys.houseRotation, idOf: () => [] },
  auctions: { key: keys.auction, idOf: (auction) => [auction.day] },
  calendar: { key: keys.calendar, idOf: () => [] },
  toldTimes: { key: keys.toldTime, idOf: () => [] },
  bids: {
    key: keys.bid,
    idOf: (bid) => [bid.day, bid.accountId],
    indexes: (bid) => [{
      key: keys.bidPlace(bid.id),
      value: { bidId: bid.id, day: bid.day, accountId: bid.accountId },
    }],
    pointer: ["day", "accountId"],
    indexFamilies: [keys.bidPlace].map(familyOf),
  },
  bidPlaces: { key: keys.bidPlace, idOf: (place) => [place.bidId] },
  bidEvents: {
    key: keys.bidEvent,
    idOf: (event) => [event.bidId, event.amountCents],
  },
  clickBooks: { key: keys.clickBooks, idOf: () => [] },
  clickBookings: { key: keys.clickBooking, idOf: ({ id }) => [id] },
  clickVisitors: { key: keys.clickVisitor, idOf: ({ hash }) => [hash] },
  clickSalts: { key: keys.clickSalt, idOf: ({ day }) => [day] },
  settlements: {
    key: keys.settlement,
    idOf: (settlement) => [settlement.day],
    indexes: (settlement) => [{
      key: keys.openSettlement(settlement.day),
      value: settlement.state === "running" ? { day: settlement.day } : null,
    }],
    pointer: ["day"],
    indexFamilies: [keys.openSettlement].map(familyOf),
  },
  spotlights: { key: keys.spotlight, idOf: (spotlight) => [spotlight.day] },
  idempotency: {
    key: keys.idempotency,
    idOf: (record) => [record.owner, record.operation, record.key],
  },
  sandboxJobs: { key: keys.sandboxJob, idOf: (job) => [job.jobId] },
  rehearsals: { key: keys.rehearsal, idOf: ({ id }) => [id] },
  invoices: {
    key: keys.invoice,
    idOf: ({ id }) => [id],
    indexes: invoiceRows,
    pointer: ["invoiceId"],
    indexFamilies: [
      keys.invoiceNumber,
      keys.paymentInvoice,
      keys.invoiceOfAccount,
      keys.dueInvoice,
      keys.dueCommission,
      keys.failedRefund,
    ].map(familyOf),
  },
  refundRequests: { key: keys.refundRequest, idOf: ({ day }) => [day] },
  invoiceNumbers: {
    key: keys.invoiceNumber,
    idOf: ({ number }) => [number],
  },
  paymentInvoices: {
    key: keys.paymentInvoice,
    idOf: ({ paymentId }) => [paymentId],
  },
  archiveTasks: {
    key: keys.archiveTask,
    idOf: ({ number }) => [number],
    indexes: (task) => dueRow("archiving", task.number, task),
    pointer: ["number"],
    indexFamilies: [keys.dueArchiveTask].map(familyOf),
  },
  disputes: {
    key: keys.dispute,
    idOf: ({ id }) => [id],
    indexes: disputeRows,
    pointer: ["disputeId"],
    indexFamilies: [keys.undecidedDispute, keys.disputeOfAccount].map(familyOf),
  },
  reconciliations: { key: keys.reconciliation, idOf: ({ day }) => [day] },
  monthBalances: { key: keys.monthBalances, idOf: ({ month }) => [month] },
  reconciliationProgress: {
    key: keys.reconciliationProgress,
    idOf: () => [],
  },
  ledger: {
    key: keys.ledgerEntry,
    idOf: (entry) => [entry.id],
    indexes: ({ id: entryId, atMs, paymentId }) => {
      const time = {
        key: keys.ledgerByTime(atMs, entryId),
        value: { entryId },
      };
      if (paymentId === null) return [time];
      return [
        time,
        { key: keys.ledgerOfPayment(paymentId, entryId), value: { entryId } },
      ];
    },
    pointer: ["entryId"],
    indexFamilies: [keys.ledgerOfPayment, keys.ledgerByTime].map(familyOf),
  },
  metricsPayments: {
    key: keys.metricsPayment,
    idOf: ({ id }) => [id],
    indexes: (payment) => dueRow("payments", payment.id, payment),
    pointer: ["paymentId"],
    indexFamilies: [keys.dueMetricsPayment].map(familyOf),
  },
  checkoutSessions: {
    key: keys.checkoutSession,
    idOf: ({ id }) => [id],
    indexes: ({ id: sessionId, grantId, expiresAtMs }) => [{
      key: keys.checkoutOfGrant(grantId, sessionId),
      value: { sessionId, ...expiresAtMs !== null && { expiresAtMs } },
    }],
    pointer: ["sessionId"],
    indexFamilies: [keys.checkoutOfGrant].map(familyOf),
  },
  webhookEvents: {
    key: keys.webhookEvent,
    idOf: (event) => [event.id],
    indexes: (event) => {
      const { id: eventId, receivedAtMs, state, trouble } = event;
      const due = dueRow("events", eventId, event);
      if (trouble === undefined) return due;
      const key = keys.troubledWebhookEvent(receivedAtMs, eventId);
      return [...due, { key, value: state === "done" ? null : { eventId } }];
    },
    pointer: ["eventId"],
    indexFamilies: [keys.dueWebhookEvent, keys.troubledWebhookEvent].map(
      familyOf,
    ),
  },
  holds: { key: keys.hold, idOf: () => [] },
  jobRuns: { key: keys.jobRun, idOf: (run) => [run.name] },
  accountEvents: {
    key: keys.accountEvent,
    idOf: ({ accountId, position }) => [accountId, position],
  },
  eventLogs: {
    key: keys.eventLog,
    idOf: ({ accountId }) => [accountId],
    indexes: (log) => dueRow("untold", log.accountId, log),
    pointer: ["accountId"],
    indexFamilies: [keys.dueEventLog].map(familyOf),
  },
  callbacks: {
    key: keys.callback,
    idOf: ({ grantId }) => [grantId],
    indexes: (callback) => dueRow("callbacks", callback.grantId, callback),
    pointer: ["grantId"],
    indexFamilies: [keys.dueCallback].map(familyOf),
  },
  dayNotices: {
    key: keys.dayNotice,
    idOf: ({ id }) => [id],
    indexes: (notice) => dueRow("notices", notice.id, notice),
    pointer: ["noticeId"],
    indexFamilies: [keys.dueDayNotice].map(familyOf),
  },
  dataRequests: {
    key: keys.dataRequests,
    idOf: ({ accountId }) => [accountId],
    indexes: (asked) => dueRow("dataRequests", asked.accountId, asked),
    pointer: ["accountId"],
    indexFamilies: [keys.dueDataRequests].map(familyOf),
  },
  erasedAccounts: {
    key: keys.erasedAccount,
    idOf: ({ accountId }) => [accountId],
  },
  mailSuppressions: { key: keys.mailSuppression, idOf: ({ hash }) => [hash] },
  exportParts: {
    key: keys.exportPart,
    idOf: ({ exportId, index }) => [exportId, index],
  },
  outbox: {
    key: keys.outboxMail,
    idOf: (mail) => [mail.id],
    indexes: (mail) => {
      const row = { mailId: mail.id, expiresAtMs: mail.expiresAtMs };
      return [
        ...dueRow("mails", mail.id, mail),
        { key: keys.mailByTime(mail.createdAtMs, mail.id), value: row },
        {
          key: keys.mailOfOwner(ownerOfMail(mail), mail.createdAtMs, mail.id),
          value: row,
        },
      ];
    },
    pointer: ["mailId"],
    indexFamilies: [keys.waitingMail, keys.mailByTime, keys.mailOfOwner].map(
      familyOf,
    ),
  },
  ...partnerTables,
  sessions: {
    key: keys.session,
    idOf: (session) => [session.hash],
    indexes: (session) => [{
      key: keys.sessionOfAccount(session.accountId, session.hash),
      value: { hash: session.hash, expiresAtMs: session.expiresAtMs },
    }],
    pointer: ["hash"],
    indexFamilies: [keys.sessionOfAccount].map(familyOf),
  },
  credentials: {
    key: keys.credentials,
    idOf: ({ accountId }) => [accountId],
    indexes: ({ accountId, passkeys }) =>
      passkeys.map(({ credentialId }) => ({
        key: keys.passkeyOwner(credentialId),
        value: { credentialId, accountId },
      })),
    pointer: ["accountId"],
    indexFamilies: [keys.passkeyOwner].map(familyOf),
  },
  passkeyOwners: {
    key: keys.passkeyOwner,
    idOf: ({ credentialId }) => [credentialId],
  },
  passkeyChallenges: { key: keys.passkeyChallenge, idOf: ({ hash }) => [hash] },
  signInChallenges: { key: keys.signInChallenge, idOf: ({ hash }) => [hash] },
};
