import type { Account } from "../domain/accounts/account.ts";
import { deskCaseOf } from "../domain/accounts/desk_case.ts";
import type { Bid, BidEvent } from "../domain/bids/bid.ts";
import type { Settlement } from "../domain/settlement/settlement.ts";
import type { Day } from "../domain/day.ts";
import type { OutboxMail } from "../domain/mail/outbox_mail.ts";
import type { ListOptions } from "../domain/ports.ts";
import type { StoreLists } from "../domain/store_lists.ts";
import type { WebhookEvent } from "../domain/webhooks/webhook_event.ts";
import { creativeLists } from "./creative_lists.ts";
import { listClickCounts } from "./click_counts.ts";
import { collect, follow, type ListContext } from "./collect.ts";
import { dueList } from "./due_rows.ts";
import { keys, prefixes, starts } from "./keys.ts";
import { moneyLists } from "./money_lists.ts";

/** The store's bounded lists, each page of them with its own deadline. */
export function lists(context: ListContext): StoreLists {
  return {
    ...recordLists(context),
    ...waitingLists(context),
    listClickCounts: (day, options) => listClickCounts(context, day, options),
    ...creativeLists(context),
    ...dueList(context),
    ...moneyLists(context),
  };
}

/** What waits for somebody; the index may be behind the record. */
function waitingLists(
  context: ListContext,
): Pick<
  StoreLists,
  "listMails" | "listTroubledWebhookEvents" | "listWaitingAccounts"
> {
  return {
    async listMails(options) {
      const rows = await collect<{ mailId: string }>(
        context,
        { prefix: [...prefixes.mailsByTime] },
        options,
      );
      return await follow<OutboxMail>(
        context,
        rows.map(({ mailId }) => keys.outboxMail(mailId)),
      );
    },
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
  };
}

function recordLists(
  context: ListContext,
): Pick<
  StoreLists,
  | "listAccountNotes"
  | "listAccounts"
  | "listBidEvents"
  | "listBids"
  | "listGrants"
  | "listHouseAds"
  | "listOpenSettlements"
  | "listPaymentMethods"
  | "listSessions"
  | "listSpotlights"
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
