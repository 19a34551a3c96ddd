/**
 * What a request costs of what everybody shares: a part of each such bucket is for
 * firsts, so that nobody uses it up from a few networks. Decision 0032 says why.
 *
 * @module
 */
import { TooManyPayments } from "../../domain/failure.ts";
import { FetchBusy } from "../../domain/fetching/fetcher.ts";
import {
  type Charge,
  networkCharges,
  type NetworkPurpose,
} from "../../domain/rate_limit/charge.ts";
import {
  type SharedPurpose,
  takeFirst,
} from "../../domain/rate_limit/first_of.ts";
import { networksOf, widestOf } from "../../domain/rate_limit/network.ts";
import {
  ALL_CLIENT_FETCHES,
  type BucketKind,
  REPEATED_CLIENT_FETCHES,
} from "../../domain/rate_limit/policy.ts";
import type { RouteContext } from "../route_table.ts";
import {
  besidePublic,
  clientOf,
  payersOf,
  type RateLimits,
  refuseUnlessAdmitted,
} from "./rate_limit.ts";

/** What is charged with the networks where everybody draws on one bucket. */
export interface SharedCharges {
  /** By what a first is counted; the widest network where it is left out. */
  of?: readonly string[];
  charges(isFirst: boolean): readonly Charge[];
}

/**
 * Takes a token for this purpose of every network the client lies in, and of what
 * everybody shares, or of none.
 *
 * @throws as `chargePublic()` does
 */
export async function chargeShared(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose & SharedPurpose,
  shared: SharedCharges,
): Promise<void> {
  const { verdict } = await takeShared(context, limits, purpose, shared);
  refuseUnlessAdmitted(context, verdict);
}

function takeShared(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose & SharedPurpose,
  { of, charges }: SharedCharges,
): ReturnType<typeof takeFirst> {
  const networks = networksOf(clientOf(context, limits));
  const payers = payersOf(context, networks);
  const drawer = {
    purpose,
    of: of ?? [widestOf(payers)],
    asker: widestOf(networks),
  };
  const ofNetworks = networkCharges(purpose, payers);
  return takeFirst(
    limits.limiter,
    drawer,
    (isFirst) => [...ofNetworks, ...charges(isFirst)],
  );
}

/**
 * Takes a token for a payment over HTTP 402 of the client's networks, and one of
 * all such payments together, which the processor is asked for.
 *
 * @throws {TooManyPayments} when all networks together present too many
 * @throws as `chargePublic()` does
 */
export async function chargePayment(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  const kinds: BucketKind[] = ["all_payments"];
  await besidePublic(context, async () => {
    const own = { charges: () => [] };
    const taken = await takeShared(context, limits, "payment", own);
    if (!taken.isFirst) kinds.unshift("repeated_payments");
    refuseUnlessAdmitted(context, taken.verdict);
  });
  for (const kind of kinds) {
    const { admitted } = await limits.limiter.take(kind, "all");
    if (!admitted) throw new TooManyPayments("Too many payments");
  }
}

/** What all fetches of clients' documents together draw on. */
const ALL_FETCHES: Charge = {
  id: "client_fetches:all",
  policy: ALL_CLIENT_FETCHES,
};
/** The same of networks that have asked for some lately. */
const REPEATED_FETCHES: Charge = {
  id: "client_fetches:repeated",
  policy: REPEATED_CLIENT_FETCHES,
};

/**
 * Takes a token for a document that is fetched at the wish of this client, and
 * one of all that the service fetches, so that it is no amplifier.
 *
 * @throws {FetchBusy} when the service fetches too much already
 * @throws as `chargePublic()` does
 */
export async function chargeClientFetch(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  const ofAll = [REPEATED_FETCHES, ALL_FETCHES];
  const { verdict } = await takeShared(context, limits, "client_fetch", {
    charges: (isFirst) => isFirst ? [ALL_FETCHES] : ofAll,
  });
  if (!verdict.admitted && ofAll.some(({ id }) => id === verdict.emptied)) {
    throw new FetchBusy(verdict.retryAfterS);
  }
  refuseUnlessAdmitted(context, verdict);
}
