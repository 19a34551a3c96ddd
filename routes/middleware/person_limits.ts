/**
 * What a person who is signed in costs: counted by account, which nobody else at
 * the same address can use up, nor the account's agents. Decision 0032 says why.
 *
 * @module
 */
import type { Gate, RouteContext } from "../route_table.ts";
import {
  type AccountLimits,
  chargeNewcomer,
  readCharged,
} from "./account_costs.ts";
import {
  chargeAddress,
  chargeNetworks,
  chargeQuietly,
  payerOf,
  type RateLimits,
} from "./rate_limit.ts";
import { sessionOf, signedInOf } from "./session.ts";

/** What a person changes: bids, or anything else. */
export type OwnKind = "address" | "own_bid";

/**
 * Shows what may be many rows for a token of the account, beside those that its
 * agents' lists cost, and when it is its turn: free accounts that each ask for as
 * many pages as they may would keep all others from the store.
 *
 * @param takesTurns not where it waits for others than the store
 * @throws {Refused} with `rate_limited` when the bucket is empty
 * @throws {StoreUnavailable} when the store does not answer, or its turn does not
 * come in time
 */
export function chargeOwnList<T>(
  context: RouteContext,
  { limiter }: Pick<RateLimits, "limiter">,
  read: () => T | Promise<T>,
  takesTurns: boolean,
): Promise<T> {
  const { id } = signedInOf(context).account;
  const inTurn = () => limiter.inTurn("page", id, async () => await read());
  const charged = limiter.take("own_list", payerOf(context, id));
  return readCharged(charged, takesTurns ? inTurn : read);
}

/**
 * A gate: every request costs a token of the account of who is signed in, and of
 * the client's address where nobody is.
 */
export function limitPerson(limits: RateLimits): Gate {
  return async function limitPerson(context) {
    if (sessionOf(context) === null) await chargeAddress(context, limits);
    else await chargePerson(context, limits);
    return null;
  };
}

/**
 * A gate: what changes something costs a token of the account, which nobody else
 * at its address can use up.
 */
export function limitChanges(limits: RateLimits): Gate {
  return async function limitChanges(context) {
    if (context.req.method === "POST") await chargePerson(context, limits);
    return null;
  };
}

/**
 * A gate for pages on which something is kept for good or for days: of a change
 * its network or its card pays as long as no identity was checked of the account,
 * which costs nothing to make.
 */
export function limitNewcomers(limits: AccountLimits): Gate {
  return async function limitNewcomers(context) {
    if (context.req.method === "POST") {
      await chargeNewcomer(context, limits, signedInOf(context).account);
    }
    return null;
  };
}

/**
 * A gate for a page whose other addresses may each ask the processor: they cost
 * a token of the account, and what a browser can be led to one of the client's
 * address too. Of an account without a checked identity the networks pay as well:
 * it costs nothing to make, and the processor takes so many calls of us in all,
 * those of a settlement among them. The page itself costs none.
 */
export function limitCallsBeside(limits: RateLimits, page: string): Gate {
  return async function limitCallsBeside(context) {
    const { method, path } = context.req;
    if (path === page) return null;
    if (method === "GET") await chargeAddress(context, limits);
    await chargePerson(context, limits);
    if (signedInOf(context).account.identityStatus !== "verified") {
      await chargeNetworks(context, limits, "processor_call");
    }
    return null;
  };
}

/**
 * A gate for a page that takes long enough to make others wait: every request
 * costs a token of the account, from however many networks it is asked for.
 */
export function limitAccount(
  limits: RateLimits,
  ofChanges: OwnKind = "address",
): Gate {
  return async function limitAccount(context) {
    await chargePerson(context, limits, ofChanges);
    return null;
  };
}

/** Takes a token of the account of who is signed in. */
function chargePerson(
  context: RouteContext,
  limits: RateLimits,
  ofChanges: OwnKind = "address",
): Promise<void> {
  const { account } = signedInOf(context);
  const kind = context.req.method === "GET" ? "page" : ofChanges;
  return chargeQuietly(context, limits, kind, account.id);
}
