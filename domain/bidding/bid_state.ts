import type { Account, PaymentMethod } from "../accounts/account.ts";
import { isUsable } from "../cards/card.ts";
import type { Day } from "../day.ts";
import { dayOf } from "../day.ts";
import type { Binding } from "../idempotency/replay.ts";
import { AD_ID_SHAPE } from "../limits.ts";
import type { BearerGrant } from "../oauth/grant.ts";
import { hasLine } from "../oauth/lines.ts";
import type { Services, Transaction } from "../ports.ts";
import type { BidSnapshot } from "../readiness/snapshot.ts";
import { refuse } from "../refusal.ts";
import { requireAuthority } from "../sessions/authority.ts";
import type { Session } from "../sessions/session.ts";
import type { Ref } from "../tables.ts";

/** Who bids: an agent under a grant, or the advertiser in the browser. */
export type Bidder =
  | { grant: Pick<BearerGrant, "id" | "accountId" | "lineId"> }
  | {
    account: Account;
    session: Pick<Session, "hash" | "accountId" | "generation">;
  };

/** A bid or a raise, as every surface asks for it. */
export interface PlaceBid {
  by: Bidder;
  day: Day;
  adId: string;
  /** Within the least and the greatest bid (contract §7.7). */
  amountCents: number;
  /** An owned saved card for a new bid; null for the default one. */
  paymentMethodId: string | null;
  /** The card that a person was told is charged; absent where nobody was. */
  reviewedCardId?: string;
  /** What a repeat is known by; null only in the browser. */
  binding: Binding | null;
}

/** All that a bid depends on, each record a check of its commit. */
export interface BidState {
  snapshot: BidSnapshot;
  /** Read without a check, so that bidders do not race on it. */
  bidCount: number;
}

/** The account that is bound by the bid. */
function accountIdOf(by: Bidder): string {
  return "grant" in by ? by.grant.accountId : by.account.id;
}

/**
 * Reads all of it in one round trip. The clock is read inside the attempt, and
 * after what the bid follows: the moment it is judged at is the moment it is
 * placed at, and no raise is older than the bid it raises.
 *
 * @throws {Refused} `token_invalid` when the grant or line ended meanwhile,
 * `session_missing` when the browser was signed out, `account_not_found` when
 * the account is gone
 */
export async function readBidState(
  services: Services,
  tx: Transaction,
  input: PlaceBid,
): Promise<BidState> {
  const { by, day, adId, paymentMethodId, binding } = input;
  const accountId = accountIdOf(by);
  const bearer = "grant" in by ? by.grant : null;
  const grantId = bearer?.id ?? null;
  const today = dayOf(services.clock.now());
  const tracked: Ref<unknown>[] = [
    tx.auctions.ref(day),
    tx.bids.ref(day, accountId),
    tx.accounts.ref(accountId),
  ];
  // No other text is an id of ours, or is to become part of a key.
  const known = AD_ID_SHAPE.test(adId);
  if (known) tracked.push(tx.creatives.ref(accountId, adId));
  if (grantId !== null) {
    tracked.push(tx.grants.ref(grantId), tx.mandateUses.ref(grantId, today));
  }
  if (paymentMethodId !== null) {
    tracked.push(tx.paymentMethods.ref(accountId, paymentMethodId));
  }
  if ("session" in by) {
    const { hash, accountId: owner } = by.session;
    tracked.push(tx.sessions.ref(hash), tx.credentials.ref(owner));
  }
  if (binding !== null) {
    const { owner, operation, key } = binding;
    tracked.push(tx.idempotency.ref(owner, operation, key));
  }
  const [bidCount] = await tx.getMany([tx.bidCounts.ref(day), ...tracked]);

  // From here on every find is answered from what was just read; only a bid
  // at midnight has to read the use of the day that has just begun.
  const nowMs = services.clock.now();
  if ("session" in by) await requireAuthority(tx, { session: by.session });
  const account = await tx.accounts.find(accountId);
  const grant = grantId === null ? null : await tx.grants.find(grantId);
  const isBearing = bearer === null ||
    grant !== null && hasLine(grant, bearer.lineId) && account !== null;
  if (!isBearing) refuse({ code: "token_invalid" });
  if (account === null) refuse({ code: "account_not_found" });
  const use = grantId === null
    ? null
    : await tx.mandateUses.find(grantId, dayOf(nowMs));
  return {
    snapshot: {
      nowMs,
      settings: services.settings,
      account,
      // A remedy's matter: what a bid is refused for stays the same.
      identityPending: false,
      grant,
      usedCents: use?.usedCents ?? 0,
      wanted: { day, adId, amountCents: input.amountCents, paymentMethodId },
      auction: await tx.auctions.find(day),
      liveBid: await tx.bids.find(day, accountId),
      creative: known ? await tx.creatives.find(accountId, adId) : null,
      // A remedy's matter, too.
      newestVersion: null,
      nearest: null,
      card: paymentMethodId === null
        ? null
        : await usableCard(tx, accountId, paymentMethodId),
    },
    bidCount: bidCount ?? 0,
  };
}

/**
 * The named card, among what was just read. One that is being taken away is as
 * good as gone: whoever takes it away relies on no bid naming it any more.
 */
async function usableCard(
  tx: Transaction,
  accountId: string,
  paymentMethodId: string,
): Promise<PaymentMethod | null> {
  const card = await tx.paymentMethods.find(accountId, paymentMethodId);
  return card !== null && isUsable(card) ? card : null;
}
