/**
 * What is counted by account: what its agents change and read, whichever of them
 * asks, and of an account without a checked identity by card or network too.
 * Decision 0195 says why.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { isKnown, isKnownByCard } from "../../domain/accounts/is_known.ts";
import {
  type CardRows,
  countedCard,
} from "../../domain/accounts/counted_card.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Charge } from "../../domain/rate_limit/charge.ts";
import type { RateLimiter, Verdict } from "../../domain/rate_limit/limiter.ts";
import { COPIES } from "../../domain/rate_limit/policy.ts";
import { refuse } from "../../domain/refusal.ts";
import type { RouteContext } from "../route_table.ts";
import { type RateLimits, widestNetworkOf } from "./rate_limit.ts";

const ADMITTED: Verdict = { admitted: true, remaining: Infinity };
const NOBODY_BESIDE = { of: "account", verdict: ADMITTED } as const;

/** What agents of an account ask for that changes something but a bid. */
export type ChangeKind = "change" | "checkout";

/** For whom something is changed. */
export interface Payer {
  grant: Pick<BearerGrant, "id" | "accountId">;
  /** Reads the account. */
  account: () => Promise<Account | null>;
  /** Where its card is found. */
  store: CardRows;
  /** The widest network of who asks. */
  network: string;
}

/** The parts of a page that charges who is signed in by account. */
export type AccountLimits = RateLimits & {
  services: { store: CardRows };
};

/**
 * Takes a token for this of an account, which has many agents with a bucket
 * each: of what it does at once, and of what is kept of that in a day. Where the
 * others have used that up, a grant has a share of its own. Of what is kept for an
 * account without a checked identity its card pays as well, or without a card its
 * network.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeAccount(
  { limiter }: Pick<RateLimits, "limiter">,
  kind: ChangeKind,
  payer: Payer,
): Promise<void> {
  const { grant } = payer;
  const atOnce = limiter.take(kind, grant.accountId);
  refuseAccount(atOnce);
  const [now, kept, beside] = await Promise.all([
    atOnce,
    limiter.take("kept_change", grant.accountId),
    takeBeside(limiter, payer),
  ]);
  refuseAccount(now);
  refuseAs(beside.of, beside.verdict);
  await orShare(limiter, grant, kept);
}

/**
 * Takes a token for a bid of the account, or of the grant's share. An account
 * needs an identity for a bid that is kept, so that nobody pays beside it.
 *
 * @returns whether the account is known to have none left, beside what is charged,
 * which throws as `chargePublic()` does
 */
export function chargeBid(
  { limiter }: Pick<RateLimits, "limiter">,
  grant: Payer["grant"],
): { isEmpty: boolean; charged: Promise<void> } {
  const taken = limiter.take("bid", grant.accountId);
  const isEmpty = !(taken instanceof Promise) && !taken.admitted;
  return { isEmpty, charged: orShare(limiter, grant, taken) };
}

/** Takes a token of the grant's share where the account has none left. */
async function orShare(
  limiter: RateLimiter,
  { id }: Payer["grant"],
  taken: Verdict | Promise<Verdict>,
): Promise<void> {
  const verdict = await taken;
  if (verdict.admitted || (await limiter.take("share", id)).admitted) return;
  refuseAccount(verdict);
}

/**
 * Takes a token of whoever pays beside an account that anybody makes for nothing,
 * many of which would keep more than the disk holds: its network, or its card,
 * which can be given to any number of accounts.
 */
async function takeBeside(
  limiter: RateLimiter,
  { account, network, store }: Pick<Payer, "account" | "network" | "store">,
): Promise<{ of: "account" | "network"; verdict: Verdict }> {
  const found = await account();
  if (found === null || !isKnown(found)) {
    const verdict = await limiter.take("newcomer_kept", network);
    return { of: "network", verdict };
  }
  if (!isKnownByCard(found)) return NOBODY_BESIDE;
  const card = await countedCard(store, found);
  return { of: "account", verdict: await limiter.take("card_kept", card) };
}

/**
 * The same for an account whose owner asks in a browser.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeNewcomer(
  context: RouteContext,
  { services: { store }, ...limits }: AccountLimits,
  found: Account,
): Promise<void> {
  const network = widestNetworkOf(context, limits);
  const account = () => Promise.resolve(found);
  const beside = await takeBeside(limits.limiter, { account, network, store });
  refuseAs(beside.of, beside.verdict);
}

/**
 * Reads what may be many rows for a token of the account: side by side, unless
 * its bucket is known to be empty. Whoever is not let through costs it none, or
 * one agent would use up what the others have.
 *
 * @param admitted settled once the request is let through
 * @param read is given what settles once it is charged as well
 * @throws as `chargePublic()` does
 */
export async function chargeList<T>(
  { limiter }: Pick<RateLimits, "limiter">,
  accountId: string,
  admitted: Promise<unknown>,
  read: (charged: Promise<void>) => Promise<T>,
): Promise<T> {
  const isEmpty = limiter.isEmpty("list", accountId);
  const charge = async () => {
    await admitted;
    refuseAs("account", await limiter.take("list", accountId));
  };
  const charged = charge();
  if (isEmpty) await charged;
  const [list] = await Promise.all([read(charged), charged]);
  return list;
}

/** What reading a copy of the account's data costs it, however that is read. */
export function copyCharge(accountId: string): Charge {
  return { id: `copies:${accountId}`, policy: COPIES };
}

/**
 * Takes a token for a copy of the account's data.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeCopy(
  { limiter }: Pick<RateLimits, "limiter">,
  accountId: string,
): Promise<void> {
  const charges = [copyCharge(accountId)];
  refuseAs("account", await limiter.takeAll(charges, accountId));
}

/** Reads for a token that is being taken, unless it is known to be refused. */
export async function readCharged<T>(
  charged: Promise<Verdict> | Verdict,
  read: () => T | Promise<T>,
): Promise<T> {
  refuseAccount(charged);
  const [verdict, list] = await Promise.all([charged, read()]);
  refuseAccount(verdict);
  return list;
}

/** What waits for the store is not known yet. */
function refuseAccount(verdict: Verdict | Promise<Verdict>): void {
  if (!(verdict instanceof Promise)) refuseAs("account", verdict);
}

function refuseAs(of: "account" | "network", verdict: Verdict): void {
  if (verdict.admitted) return;
  const { retryAfterS } = verdict;
  refuse({ code: "rate_limited", retryAfterS, of });
}
