/**
 * Telling the bidders of a day that it was closed, or that they have lost, their
 * agents by an event and, of a loss, themselves by a mail. Where
 * it stands is written in the commits that tell, so that each is told once,
 * whoever does it, however often it is begun.
 *
 * @module
 */
import type { Auction, ShownWindow } from "../auction/auction.ts";
import { readShownWindow } from "../auction/read_shown_windows.ts";
import type { Bid } from "../bids/bid.ts";
import { groupsOf } from "../groups.ts";
import type { Services, Transaction } from "../ports.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import { sweep } from "../tasks/sweep.ts";
import { queueOwnerMail } from "../accounts/owner_mails.ts";
import type { Account } from "../accounts/account.ts";
import type { DayNotice } from "../events/day_notice.ts";
import type { EventFact } from "../events/event.ts";
import { noteEvents } from "../events/note_events.ts";
import { nameOfThrown } from "../failure.ts";
import { lostMail } from "./bid_mails.ts";

/** Notices one run works on: two a day, and more after an outage of days. */
const NOTICES_PER_RUN = 100;
/** A run goes on no longer; the next one takes over where it stood. */
const RUN_MS = 45_000;
/** Bids that are read at once. */
const BIDS_READ = 400;
/** Bidders that one commit tells; it checks the notice besides. */
const TOLD_TOGETHER = TRACKED_READS_MAX - 1;

type NotifyServices = Pick<
  Services,
  "store" | "clock" | "log" | "ids" | "keys" | "settings"
>;

/**
 * Tells whoever is still to be told, as far as one run goes; one day's trouble
 * keeps no other waiting.
 */
export async function notifyBidders(
  services: NotifyServices,
  withinMs: number = RUN_MS,
): Promise<void> {
  const { store, clock, log } = services;
  const untilMs = clock.now() + withinMs;
  await sweep(clock, {
    due: (nowMs) => store.listDue("notices", nowMs, { limit: NOTICES_PER_RUN }),
    beginWithinMs: withinMs,
    attempt: ({ id }) => notifyBiddersOf(services, id, untilMs),
    failed: ({ id }, thrown) => {
      const error = nameOfThrown(thrown);
      log.error("event.bidders_untold", { notice: id, error });
    },
  });
}

/** Goes through the bids of the day, from where the notice says. */
async function notifyBiddersOf(
  services: NotifyServices,
  noticeId: string,
  untilMs: number,
): Promise<void> {
  const { store, clock } = services;
  while (clock.now() < untilMs) {
    const notice = await store.dayNotices.find(noticeId);
    if (notice === null) return;
    const { day, afterAccountId: after } = notice;
    const [bids, auction, shown] = await Promise.all([
      store.listBids(day, { limit: BIDS_READ, after }),
      store.auctions.find(day),
      readShownWindow(services, day),
    ]);
    const atMs = momentOf(notice, auction);
    let standing: DayNotice | null = notice;
    for (const some of groupsOf(bids, TOLD_TOGETHER)) {
      const telling = { bids: some, atMs, shown };
      standing = await notifySome(services, standing, telling);
      // Another process is at it: from where it stands by now.
      if (standing === null) break;
    }
    if (standing === null || bids.length === BIDS_READ) continue;
    await endNotice(services, standing);
  }
}

/** Whose bids are told of together, and what of. */
interface Telling {
  bids: readonly Bid[];
  /** When it happened. */
  atMs: number | null;
  /** When the winner of the day is on show. */
  shown: ShownWindow;
}

/** The notice behind these bids; null where it stood elsewhere already. */
async function notifySome(
  services: NotifyServices,
  before: DayNotice,
  { bids, atMs, shown }: Telling,
): Promise<DayNotice | null> {
  const { store, clock } = services;
  const mails = await mailsTo(services, before, bids);
  return await store.transact(async (tx) => {
    await tx.getMany([
      tx.dayNotices.ref(before.id),
      ...bids.map(({ accountId }) => tx.eventLogs.ref(accountId)),
    ]);
    if (!await standsAt(tx, before)) return null;
    for (const bid of bids) {
      const facts = factsOf(before, bid).map((fact) => ({ ...fact, atMs }));
      await noteEvents(tx, bid.accountId, facts, clock.now());
    }
    mails.forEach((mail) => queueLost(services, tx, { ...mail, shown }));
    const { accountId } = bids.at(-1) ?? { accountId: before.afterAccountId };
    const after = { ...before, afterAccountId: accountId };
    tx.dayNotices.save(after);
    return after;
  });
}

/** A mail to who lost, and its id, which attempts share. */
interface LostMail {
  mailId: string;
  bid: Bid;
  account: Account;
}

/**
 * Whom the mails are to. Read before the commit, which checks as many records as
 * it may: an address or a choice that changes meanwhile counts from the next on.
 */
async function mailsTo(
  { store, ids }: NotifyServices,
  notice: DayNotice,
  bids: readonly Bid[],
): Promise<LostMail[]> {
  const lost = bids.filter((bid) => isLost(notice, bid));
  const accounts = await store.getMany(
    lost.map(({ accountId }) => store.accounts.ref(accountId)),
  );
  return lost.flatMap((bid, at) => {
    const account = accounts[at] ?? null;
    return account === null ? [] : [{ mailId: ids.next("mail"), bid, account }];
  });
}

function queueLost(
  services: NotifyServices,
  tx: Transaction,
  { mailId, bid, account, shown }: LostMail & Pick<Telling, "shown">,
): void {
  const { settings, clock } = services;
  const nowMs = clock.now();
  const content = lostMail(settings, { to: account.email, bid, shown }, nowMs);
  queueOwnerMail(services, tx, account, { mailId, content }, nowMs);
}

function endNotice(
  { store }: NotifyServices,
  before: DayNotice,
): Promise<void> {
  return store.transact(async (tx) => {
    if (await standsAt(tx, before)) tx.dayNotices.remove(before);
  });
}

async function standsAt(
  tx: Transaction,
  { id, afterAccountId }: DayNotice,
): Promise<boolean> {
  const present = await tx.dayNotices.find(id);
  return present !== null && present.afterAccountId === afterAccountId;
}

function factsOf(notice: DayNotice, bid: Bid): EventFact[] {
  const { id: bid_id, adId: ad_id, day } = bid;
  if (notice.matter === "closed") {
    return [{ type: "auction.closed", data: { day, bid_id } }];
  }
  return isLost(notice, bid)
    ? [{ type: "bid.lost", data: { day, bid_id, ad_id } }]
    : [];
}

/** When it happened: telling of it comes later, and takes its time. */
function momentOf({ matter }: DayNotice, auction: Auction | null) {
  const { closedAtMs = null, settledAtMs = null } = auction ?? {};
  return matter === "closed" ? closedAtMs : settledAtMs;
}

/** Whose bid has ended otherwise was told in the commit that ended it. */
function isLost({ matter }: DayNotice, { status }: Bid): boolean {
  return matter === "settled" && status === "active";
}
