/**
 * What is counted by account: what its agents change and read, whichever of them
 * asks, and of an account that nobody knows yet by the network of who asks.
 * Decision 0195 says why.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { isKnown } from "../../domain/accounts/is_known.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Charge } from "../../domain/rate_limit/charge.ts";
import type { RateLimiter, Verdict } from "../../domain/rate_limit/limiter.ts";
import { COPIES } from "../../domain/rate_limit/policy.ts";
import { refuse } from "../../domain/refusal.ts";
import type { RouteContext } from "../route_table.ts";
import { type RateLimits, widestNetworkOf } from "./rate_limit.ts";

const ADMITTED: Verdict = { admitted: true, remaining: Infinity };

/** What agents of an account ask for that changes something. */
export type ChangeKind = "bid" | "change" | "checkout";

/** For whom something is changed. */
export interface Payer {
  grant: Pick<BearerGrant, "id" | "accountId">;
  /** Reads the account. */
  account: () => Promise<Account | null>;
  /** The widest network of who asks. */
  network: string;
}

/**
 * Takes a token for this of an account, which has many agents with a bucket
 * each: of its bids, or of what it does at once and what is kept of that in a
 * day. Where the others have used that up, a grant has a share of its own. Of
 * what is kept for an account that nobody knows its network pays as well; a bid
 * needs an account that is known.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeAccount(
  { limiter }: Pick<RateLimits, "limiter">,
  kind: ChangeKind,
  payer: Payer,
): Promise<void> {
  const { id, accountId } = payer.grant;
  const atOnce = kind === "bid" ? ADMITTED : limiter.take(kind, accountId);
  refuseAccount(atOnce);
  const inTime = kind === "bid" ? "bid" : "kept_change";
  const [now, kept, ofNetwork] = await Promise.all([
    atOnce,
    limiter.take(inTime, accountId),
    kind === "bid" ? ADMITTED : takeOfNewcomer(limiter, payer),
  ]);
  refuseAccount(now);
  refuseAs("network", ofNetwork);
  if (kept.admitted || (await limiter.take("share", id)).admitted) return;
  refuseAccount(kept);
}

/**
 * Takes a token of the network for an account that nobody knows yet: it costs
 * nothing to make, and many of them would keep more than the disk holds.
 */
async function takeOfNewcomer(
  limiter: RateLimiter,
  { account, network }: Pick<Payer, "account" | "network">,
): Promise<Verdict> {
  const found = await account();
  if (found !== null && isKnown(found)) return ADMITTED;
  return await limiter.take("newcomer_kept", network);
}

/**
 * The same for an account whose owner asks in a browser.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeNewcomer(
  context: RouteContext,
  limits: RateLimits,
  account: Account,
): Promise<void> {
  const network = widestNetworkOf(context, limits);
  const payer = { account: () => Promise.resolve(account), network };
  refuseAs("network", await takeOfNewcomer(limits.limiter, payer));
}

/**
 * Reads what may be many rows for a token of the account: side by side, unless
 * its bucket is known to be empty.
 *
 * @throws as `chargePublic()` does
 */
export function chargeList<T>(
  { limiter }: Pick<RateLimits, "limiter">,
  accountId: string,
  read: () => T | Promise<T>,
): Promise<T> {
  return readCharged(limiter.take("list", accountId), read);
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
