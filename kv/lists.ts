/**
 * The bounded lists of the store's port: each is a family in key order, or the
 * records that the rows of an index point at.
 *
 * @module
 */
import type { Day } from "../domain/day.ts";
import type { Families, ListOptions } from "../domain/ports.ts";
import type { StoreLists } from "../domain/store_lists.ts";
import { actsRange } from "./acts_range.ts";
import { collect, follow, type ListContext, type Range } from "./collect.ts";
import { dueList } from "./due_rows.ts";
import { ends, keys, prefixes, starts } from "./keys.ts";
import { pointedKey, type TableDefinition, tables } from "./tables.ts";
import type { ClickCount, ClickDimension } from "../domain/clicks/click.ts";
import { allPages, PAGE, type PageReader } from "./pages.ts";
import { counterOf } from "./refs.ts";

type ReadIndex<F extends keyof Families> = (
  range: Range,
  options: ListOptions,
) => Promise<Families[F]["value"][]>;

/** The store's lists, each page of them with its own deadline. */
export function lists(context: ListContext): StoreLists {
  return {
    ...auctionLists(context),
    ...accountLists(context),
    ...creativeLists(context),
    ...moneyLists(context),
    ...partnerLists(context),
    ...workLists(context),
  };
}

/** Reads a family in the order of its keys. */
function inOrder(context: ListContext) {
  return <T>(prefix: Deno.KvKey, options: ListOptions): Promise<T[]> =>
    collect<T>(context, { prefix }, options);
}

/** Reads a family by one of its indexes, whose rows name their record. */
function byIndex(context: ListContext) {
  return <F extends keyof Families>(family: F): ReadIndex<F> =>
  (range, options) => indexed(context, tables[family], range, options);
}

function auctionLists(context: ListContext) {
  const all = inOrder(context);
  const settlements = byIndex(context)("settlements");
  return {
    listBids: (day, { after = null, ...options }) => {
      const prefix = prefixes.bidsOf(day);
      return after === null ? all(prefix, options) : collect(
        context,
        { prefix, start: starts.bidsAfter(day, after) },
        options,
      );
    },
    listBidEvents: (bidId, options) =>
      all(prefixes.bidEventsOf(bidId), options),
    listClickCounts: (day, options) => listClickCounts(context, day, options),
    listHouseAds: (options) => all(prefixes.houseAds, options),
    listOpenSettlements: (options) =>
      settlements({ prefix: prefixes.openSettlements }, options),
    listSpotlights: (after, options) => {
      const prefix = prefixes.spotlights;
      return after === null ? all(prefix, options) : collect(
        context,
        { prefix, start: starts.spotlightsAfter(after) },
        options,
      );
    },
  } satisfies Partial<StoreLists>;
}

function accountLists(context: ListContext) {
  const all = inOrder(context);
  const index = byIndex(context);
  const accounts = index("accounts");
  const grants = index("grants");
  const sessions = index("sessions");
  const acts = index("operatorActs");
  return {
    listEvents: (accountId, { after, ...options }) =>
      collect(context, {
        prefix: prefixes.accountEventsOf(accountId),
        start: starts.accountEventsAfter(accountId, after),
      }, options),
    listAccountsByWord: (beginning, options) =>
      accounts({
        start: starts.accountsByWord(beginning),
        end: ends.accountsByWord(beginning),
      }, options),
    listErasedAccounts: ({ after = null, ...options }) => {
      const prefix = prefixes.erasedAccounts;
      return after === null ? all(prefix, options) : collect(
        context,
        { prefix, start: starts.erasedAfter(after) },
        options,
      );
    },
    listIdempotency: (owner, options) =>
      all(prefixes.idempotencyOf(owner), options),
    listAccounts: (options) => all(prefixes.accounts, options),
    listAccountNotes: (accountId, { limit }) =>
      all(prefixes.accountNotesOf(accountId), { limit, reverse: true }),
    listPaymentMethods: (accountId, options) =>
      all(prefixes.paymentMethodsOf(accountId), options),
    listGrants: (accountId, options) =>
      grants({ prefix: prefixes.grantsOf(accountId) }, options),
    listCheckoutSessions: (grantId, { after = null, ...options }) => {
      const prefix = prefixes.checkoutsOf(grantId);
      const range = after === null
        ? { prefix }
        : { prefix, start: starts.checkoutsAfter(grantId, after) };
      return index("checkoutSessions")(range, options);
    },
    listNewestGrants: (accountId, { limit, before }) => {
      const prefix = prefixes.newestGrantsOf(accountId);
      const end = before && ends.grantsBefore(accountId, before);
      const range = end === null ? { prefix } : { prefix, end };
      return grants(range, { limit, reverse: true });
    },
    listAlerts: (options) => all(prefixes.alerts, options),
    listOperatorKeys: (options) => all(prefixes.operatorKeys, options),
    listOperatorActs: (of, { limit, before }) => {
      const range = actsRange(of, before);
      const newest = { limit, reverse: true };
      const isAll = of.subject === null && of.person === null;
      return isAll ? collect(context, range, newest) : acts(range, newest);
    },
    listSessions: (accountId, options) =>
      sessions({ prefix: prefixes.sessionsOf(accountId) }, options),
    listWaitingAccounts: ({ after = null, ...options }) => {
      const prefix = prefixes.waitingAccounts;
      const start = after && starts.waitingAccountsAfter(after);
      return accounts(start === null ? { prefix } : { prefix, start }, options);
    },
  } satisfies Partial<StoreLists>;
}

function creativeLists(context: ListContext) {
  const all = inOrder(context);
  const index = byIndex(context);
  const creatives = index("creatives");
  const reports = index("adReports");
  return {
    listCreatives: (accountId, options) =>
      all(prefixes.creativesOf(accountId), options),
    listNewestCreatives: (accountId, { limit, before }) => {
      const prefix = prefixes.newestCreativesOf(accountId);
      const end = before && ends.creativesBefore(accountId, before);
      const range = end === null ? { prefix } : { prefix, end };
      return creatives(range, { limit, reverse: true });
    },
    listSubmittedCreatives: ({ after = null, ...options }) => {
      const prefix = prefixes.submittedCreatives;
      const start = after && starts.submittedCreativesAfter(after);
      const range = start === null ? { prefix } : { prefix, start };
      return creatives(range, options);
    },
    listCreativeNotes: (adId, options) =>
      all(prefixes.creativeNotesOf(adId), options),
    listOpenAdReports: (options) =>
      reports({ prefix: prefixes.openAdReports }, options),
    listOpenReportsOf: (day, options) =>
      reports({ prefix: prefixes.openReportsOf(day) }, options),
    listLastOpenReports: ({ before, limit }) => {
      const prefix = prefixes.openReportsByDay;
      const end = before && { end: prefixes.openReportsOf(before) };
      return reports({ prefix, ...end }, { limit, reverse: true });
    },
  } satisfies Partial<StoreLists>;
}

function moneyLists(context: ListContext) {
  const index = byIndex(context);
  const disputes = index("disputes");
  const entries = index("ledger");
  const invoices = index("invoices");
  return {
    listLedger: (options) => inOrder(context)(prefixes.ledger, options),
    listLedgerOfPayment: (paymentId, options) =>
      entries({ prefix: prefixes.ledgerOf(paymentId) }, options),
    listLedgerBetween: (fromMs, untilMs, { before, ...options }) => {
      const end = before
        ? ends.ledgerBefore(before)
        : ends.ledgerUntil(untilMs);
      return entries({ start: starts.ledgerFrom(fromMs), end }, options);
    },
    listInvoices: (accountId, { before, ...options }) => {
      const prefix = prefixes.invoicesOf(accountId);
      const end = before ? ends.invoicesBefore(accountId, before) : null;
      return invoices(end === null ? { prefix } : { prefix, end }, options);
    },
    listRefundRequests: (options) =>
      inOrder(context)(prefixes.refundRequests, options),
    listFailedRefunds: (options) =>
      invoices({ prefix: prefixes.failedRefunds }, options),
    listDisputesOf: (accountId, options) =>
      disputes({ prefix: prefixes.disputesOf(accountId) }, options),
    listUndecidedDisputes: (options) =>
      disputes({ prefix: prefixes.undecidedDisputes }, options),
    listReconciliations: ({ before, ...options }) => {
      const prefix = prefixes.reconciliations;
      const end = before ? { end: keys.reconciliation(before) } : {};
      return collect(context, { prefix, ...end }, {
        ...options,
        reverse: true,
      });
    },
  } satisfies Partial<StoreLists>;
}

function partnerLists(context: ListContext) {
  const all = inOrder(context);
  const index = byIndex(context);
  const payouts = index("payouts");
  const partners = index("partners");
  return {
    listPartners: ({ after = null, ...options }) => {
      const prefix = prefixes.partners;
      return after === null ? all(prefix, options) : collect(
        context,
        { prefix, start: starts.partnersAfter(after) },
        options,
      );
    },
    listWaitingPartners: ({ after, limit }) => {
      const prefix = prefixes.waitingPartners;
      const start = after && starts.waitingPartnersAfter(after);
      const range = start === null ? { prefix } : { prefix, start };
      return partners(range, { limit });
    },
    listDecidedPartners: ({ before, limit }) => {
      const prefix = prefixes.decidedPartners;
      const end = before && ends.decidedPartnersBefore(before);
      const range = end === null ? { prefix } : { prefix, end };
      return partners(range, { limit, reverse: true });
    },
    listReferralLinks: (partnerId, options) =>
      index("referralLinks")({ prefix: prefixes.linksOf(partnerId) }, options),
    listReferredAccounts: (partnerId, options) =>
      index("accounts")({ prefix: prefixes.referralsOf(partnerId) }, options),
    listCommissions: (partnerId, options) =>
      index("commissions")(
        { prefix: prefixes.commissionsOf(partnerId) },
        options,
      ),
    listStatements: (partnerId, options) =>
      all(prefixes.statementsOf(partnerId), options),
    listPayouts: (partnerId, { before, ...options }) => {
      const prefix = prefixes.payoutsOf(partnerId);
      const end = before ? ends.payoutsBefore(partnerId, before) : null;
      return payouts(end === null ? { prefix } : { prefix, end }, options);
    },
  } satisfies Partial<StoreLists>;
}

function workLists(context: ListContext) {
  const index = byIndex(context);
  const events = index("webhookEvents");
  const mails = index("outbox");
  return {
    listCallbacks: ({ after = null, ...options }) => {
      const prefix = prefixes.callbacks;
      const range = after === null
        ? { prefix }
        : { prefix, start: starts.callbacksAfter(after) };
      return collect(context, range, options);
    },
    ...dueList(context),
    listMails: ({ after = null, ...options }) => {
      const prefix = prefixes.mailsByTime;
      const range = after === null
        ? { prefix }
        : { prefix, start: starts.mailsAfter(after) };
      return mails(range, options);
    },
    listMailsOf: (owner, { after, ...options }) => {
      const prefix = prefixes.mailsOf(owner);
      const range = after === null
        ? { prefix }
        : { prefix, start: starts.mailsOfAfter(owner, after) };
      return mails(range, options);
    },
    listTroubledWebhookEvents: (options) =>
      events({ prefix: prefixes.troubledWebhookEvents }, options),
  } satisfies Partial<StoreLists>;
}

/** The numbers of a day, in key order; only a page of them is of one moment. */
async function listClickCounts(
  reader: PageReader,
  day: Day,
  { limit }: ListOptions,
): Promise<ClickCount[]> {
  const counts: ClickCount[] = [];
  const prefix = [...prefixes.clickCountsOf(day)];
  const pages = allPages(reader, { prefix }, Math.min(PAGE, limit));
  for await (const entries of pages) {
    counts.push(...entries.map(countOf));
    if (counts.length >= limit) break;
  }
  return counts.slice(0, limit);
}

function countOf({ key, value }: Deno.KvEntry<unknown>): ClickCount {
  const [dimension, name] = key.slice(-2);
  return {
    dimension: String(dimension) as ClickDimension,
    value: String(name),
    count: counterOf(value),
  };
}

/**
 * The records of a list that is read by an index. A record may have changed
 * after its row was read, so each is asked once more whether it still has one.
 */
async function indexed<T, Id extends readonly unknown[]>(
  context: ListContext,
  table: TableDefinition<T, Id>,
  range: Range,
  options: ListOptions,
): Promise<T[]> {
  const rows = await collect<unknown>(context, range, options);
  const wanted = rows.map((row) => pointedKey(table, row));
  const begin = "prefix" in range ? range.prefix : range.start.slice(0, 1);
  const records = await follow<T>(context, wanted);
  return records.filter((record) =>
    table.indexes?.(record).some(({ key, value }) =>
      value !== null && begin.every((part, at) => key[at] === part)
    )
  );
}
