/**
 * The cost of a request. A refusal is thrown as `rate_limited`; whoever renders
 * an answer, that one included, adds the context's `rateHeaders` to it through
 * the response constructor.
 *
 * @module
 */
import { isKnown } from "../../domain/accounts/is_known.ts";
import { TooManyPayments } from "../../domain/failure.ts";
import { FetchBusy } from "../../domain/fetching/fetcher.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import {
  type Charge,
  networkCharges,
  type NetworkPurpose,
} from "../../domain/rate_limit/charge.ts";
import type { Verdict } from "../../domain/rate_limit/limiter.ts";
import {
  type Network,
  networksOf,
  widestOf,
} from "../../domain/rate_limit/network.ts";
import {
  ALL_CLIENT_FETCHES,
  type BucketKind,
} from "../../domain/rate_limit/policy.ts";
import { refuse } from "../../domain/refusal.ts";
import type { RouteServices } from "../context.ts";
import {
  publicRateHeaders,
  RATE_LIMIT_POLICY,
  retryHeaders,
} from "../http/rate_headers.ts";
import { onceAdmitted } from "../admission.ts";
import type { Gate, RouteContext } from "../route_table.ts";
import { clientAddress } from "./client_address.ts";
import { signedInOf } from "./session.ts";

/** What charging a request needs. */
export type RateLimits = Pick<RouteServices, "limiter" | "trustedProxyHops">;

/** What all fetches of clients' documents together draw on. */
const ALL_FETCHES: Charge = {
  id: "client_fetches:all",
  policy: ALL_CLIENT_FETCHES,
};

/**
 * Takes a token of the client's public bucket.
 *
 * @throws {Refused} with `rate_limited` when the bucket is empty
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function chargePublic(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  // The policy holds even for the 503 of a store that does not answer.
  context.set("rateHeaders", { "ratelimit-policy": RATE_LIMIT_POLICY });
  const verdict = await limits.limiter.take(
    "public",
    clientOf(context, limits),
  );
  context.set("rateHeaders", publicRateHeaders(verdict));
  if (!verdict.admitted) {
    refuse({ code: "rate_limited", retryAfterS: verdict.retryAfterS });
  }
}

/**
 * Takes a token of the client's address bucket, which has no headers but
 * Retry-After.
 *
 * @throws as {@linkcode chargePublic} does
 */
export function chargeAddress(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  return chargeQuietly(context, limits, "address", clientOf(context, limits));
}

/**
 * Takes a token for this purpose of every network the client lies in, or of
 * none.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeNetworks(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose,
  networks: readonly Network[] = networksOf(clientOf(context, limits)),
): Promise<void> {
  const charges = networkCharges(purpose, networks);
  const verdict = await limits.limiter.takeAll(charges, widestOf(networks));
  refuseUnlessAdmitted(context, verdict);
}

/**
 * The same beside what the request costs of the public bucket, whose headers
 * the answer keeps.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeNetworksToo(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose,
  networks?: readonly Network[],
): Promise<void> {
  const ofPublic = context.get("rateHeaders");
  try {
    await chargeNetworks(context, limits, purpose, networks);
  } finally {
    context.set("rateHeaders", { ...ofPublic, ...context.get("rateHeaders") });
  }
}

/**
 * Takes a token for a payment over HTTP 402 of the client's networks, and one of
 * all such payments together, which the processor is asked for.
 *
 * @throws {TooManyPayments} when all networks together present too many
 * @throws as {@linkcode chargePublic} does
 */
export async function chargePayment(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  await chargeNetworksToo(context, limits, "payment");
  const verdict = await limits.limiter.take("all_payments", "all");
  if (!verdict.admitted) throw new TooManyPayments("Too many payments");
}

const ADMITTED: Verdict = { admitted: true, remaining: Infinity };

/** What agents of an account ask for that changes something. */
export type ChangeKind = "bid" | "change" | "checkout";

/**
 * Takes a token for this of an account, which has many agents with a bucket
 * each: of its bids, or of what it does at once and what is kept of that in a
 * day. Where the others have used that up, a grant has a share of its own.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeAccount(
  { limiter }: Pick<RateLimits, "limiter">,
  kind: ChangeKind,
  { id, accountId }: Pick<BearerGrant, "id" | "accountId">,
): Promise<void> {
  const atOnce = kind === "bid" ? ADMITTED : limiter.take(kind, accountId);
  refuseAccount(atOnce);
  const inTime = kind === "bid" ? "bid" : "kept_change";
  const [now, kept] = await Promise.all([
    atOnce,
    limiter.take(inTime, accountId),
  ]);
  refuseAccount(now);
  if (kept.admitted || (await limiter.take("share", id)).admitted) return;
  refuseAccount(kept);
}

/**
 * Takes what a POST of the checkout costs: a token of the account, and for one
 * that nobody knows yet, since it costs nothing to make, one of its network.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeCheckout(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  // It was read beside the grant.
  const buyer = await context.get("buyer");
  const charged = chargeAccount(
    limits,
    "checkout",
    context.get("bearer").grant,
  );
  if (buyer !== null && isKnown(buyer)) return await charged;
  const network = widestOf(networksOf(clientOf(context, limits)));
  const [ofNetwork] = await Promise.all([
    limits.limiter.take("newcomer_checkout", network),
    charged,
  ]);
  refuseAs("network", ofNetwork);
}

/**
 * Reads what may be many rows for a token of the account: side by side, unless
 * its bucket is known to be empty.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeList<T>(
  { limiter }: Pick<RateLimits, "limiter">,
  accountId: string,
  read: () => T | Promise<T>,
): Promise<T> {
  const charged = limiter.take("list", accountId);
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

/**
 * Takes a token for a document that is fetched at the wish of this client, and
 * one of all that the service fetches, so that it is no amplifier.
 *
 * @throws {FetchBusy} when the service fetches too much already
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeClientFetch(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  const networks = networksOf(clientOf(context, limits));
  const charges = [...networkCharges("client_fetch", networks), ALL_FETCHES];
  const verdict = await limits.limiter.takeAll(charges, widestOf(networks));
  if (!verdict.admitted && verdict.emptied === ALL_FETCHES.id) {
    throw new FetchBusy(verdict.retryAfterS);
  }
  refuseUnlessAdmitted(context, verdict);
}

/** A gate: every request costs a token of the client's address bucket. */
export function limitAddress(limits: RateLimits): Gate {
  return async function limitAddress(context) {
    await chargeAddress(context, limits);
    return null;
  };
}

/** A gate: what changes something costs a token of the address bucket. */
export function limitChanges(limits: RateLimits): Gate {
  return async function limitChanges(context) {
    if (context.req.method === "POST") await chargeAddress(context, limits);
    return null;
  };
}

/**
 * A gate for a page whose other addresses may each ask the processor: they cost
 * a token of the client's address bucket, and one of the same size of the
 * account, which may be asked for from many networks. The page itself costs none.
 */
export function limitCallsBeside(limits: RateLimits, page: string): Gate {
  const chargeAccount = limitAccount(limits);
  return async function limitCallsBeside(context) {
    if (context.req.path === page) return null;
    await chargeAddress(context, limits);
    return await chargeAccount(context);
  };
}

/**
 * A gate for a page that takes long enough to make others wait: every request
 * costs a token of the account, from however many networks it is asked for.
 */
export function limitAccount(limits: RateLimits): Gate {
  return async function limitAccount(context) {
    const { account } = signedInOf(context);
    await chargeQuietly(context, limits, "address", account.id);
    return null;
  };
}

/** Asks the bucket of a grant, on nobody's time yet. */
export type BeginDraw = (context: RouteContext, grantId: string) => void;

/** Asks the bucket of a grant ahead of {@linkcode drawGrant}, which waits for it. */
export function drawAhead({ limiter }: RateLimits): BeginDraw {
  return function drawAhead(context, grantId) {
    const draw = limiter.take("grant", grantId);
    // Nobody waits for it where the token is refused.
    if (draw instanceof Promise) draw.catch(() => {});
    context.set("grantDraw", draw);
  };
}

/**
 * A gate after the bearer check: every request costs a token of its grant,
 * whatever becomes of it. What finds the bucket empty is refused by
 * {@linkcode refuseEmptyGrant}, which stands at once behind it, or where a 405
 * comes before the 429.
 */
export function drawGrant(limits: RateLimits): Gate {
  return onceAdmitted(async function drawGrant(context) {
    const draw = context.get("grantDraw") ??
      limits.limiter.take("grant", context.get("bearer").grant.id);
    context.set("grantVerdict", await draw);
    return null;
  });
}

/** A gate: what found its grant's bucket empty goes no further. */
export const refuseEmptyGrant: Gate = function refuseEmptyGrant(context): null {
  refuseUnlessAdmitted(context, context.get("grantVerdict"));
  return null;
};

async function chargeQuietly(
  context: RouteContext,
  limits: RateLimits,
  kind: BucketKind,
  id: string,
): Promise<void> {
  refuseUnlessAdmitted(context, await limits.limiter.take(kind, id));
}

/** No headers but Retry-After. */
function refuseUnlessAdmitted(
  context: RouteContext,
  verdict: Verdict,
): void {
  context.set("rateHeaders", {});
  if (verdict.admitted) return;
  const { retryAfterS } = verdict;
  context.set("rateHeaders", retryHeaders(retryAfterS));
  refuse({ code: "rate_limited", retryAfterS });
}

/** Names the client by its network address, as its buckets do. */
export function clientOf(context: RouteContext, limits: RateLimits): string {
  const { trustedProxyHops } = limits;
  return clientAddress({
    remoteAddress: context.env.remoteAddress,
    forwardedFor: trustedProxyHops > 0
      ? context.req.raw.headers.get("x-forwarded-for")
      : null,
    trustedProxyHops,
  });
}
