/**
 * Everything of an account, page after page: what a copy is made of, and what an
 * erasure goes through.
 *
 * @module
 */
import type { PaymentMethod } from "../accounts/account.ts";
import type { Dispute } from "../disputes/dispute.ts";
import type { AccountEvent } from "../events/event.ts";
import type { OutboxMail } from "../mail/outbox_mail.ts";
import { everyRecord } from "../every_record.ts";
import { OPEN_AHEAD_DAYS } from "../auction/open_auction.ts";
import { listPastBids } from "../bids/list_past_bids.ts";
import type { OwnBid } from "../bids/list_my_bids.ts";
import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";

type Reader = Pick<Services, "store">;

/** An account has 20 at most, and those that are being removed. */
const CARDS_MAX = 1_000;
/** Of one account: an invoice has a few at most, and a day one invoice. */
const DISPUTES_MAX = 10_000;

/** The cards of an account, those that are being removed among them. */
export function everyCard(
  { store }: Reader,
  accountId: string,
): Promise<PaymentMethod[]> {
  return store.listPaymentMethods(accountId, { limit: CARDS_MAX });
}

/** The disputes of payments of an account. */
export function everyDispute(
  { store }: Reader,
  accountId: string,
): Promise<Dispute[]> {
  return store.listDisputesOf(accountId, { limit: DISPUTES_MAX });
}

/** The events of an account, oldest first. */
export function everyEvent(
  { store }: Reader,
  accountId: string,
): AsyncGenerator<AccountEvent> {
  return everyRecord((last, limit) =>
    store.listEvents(accountId, { limit, after: last?.position ?? 0 })
  );
}

/** Whose mails are read. */
export interface MailsOf {
  accountId: string;
  /** The address it has; empty for none. */
  email: string;
}

/**
 * The mails of an account, to addresses that it has left as well; then those to
 * its address that were of no account. The outbox has those of a week.
 */
export async function* everyMailOf(
  { store }: Reader,
  { accountId, email }: MailsOf,
): AsyncGenerator<OutboxMail> {
  for (const owner of [accountId, email]) {
    if (owner === "") continue;
    yield* everyRecord<OutboxMail>((after, limit) =>
      store.listMailsOf(owner, { limit, after })
    );
  }
}

/** Every bid of an account, the newest day first, read some days at a time. */
export async function* everyBid(
  services: Pick<Services, "store" | "clock">,
  accountId: string,
): AsyncGenerator<OwnBid> {
  const today = dayOf(services.clock.now());
  let through: Day | null = addDays(today, OPEN_AHEAD_DAYS);
  while (through !== null) {
    const past = await listPastBids(services, { accountId, through });
    yield* past.bids;
    through = past.earlier;
  }
}
