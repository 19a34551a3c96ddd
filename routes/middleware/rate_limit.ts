/**
 * The cost of a request. A refusal is thrown as `rate_limited`; whoever renders
 * an answer, that one included, adds the context's `rateHeaders` to it through
 * the response constructor.
 *
 * @module
 */
import {
  type Charge,
  networkCharges,
  type NetworkPurpose,
  visitCharges,
} from "../../domain/rate_limit/charge.ts";
import type { Verdict } from "../../domain/rate_limit/limiter.ts";
import {
  type Network,
  networksOf,
  widestOf,
} from "../../domain/rate_limit/network.ts";
import type { BucketKind } from "../../domain/rate_limit/policy.ts";
import { refuse } from "../../domain/refusal.ts";
import type { SignedIn } from "../../domain/sessions/read_session.ts";
import type { RouteServices } from "../context.ts";
import { isOfOtherPage } from "../http/other_pages.ts";
import {
  publicRateHeaders,
  RATE_LIMIT_POLICY,
  retryHeaders,
} from "../http/rate_headers.ts";
import { onceAdmitted } from "../admission.ts";
import type { Gate, Route, RouteContext } from "../route_table.ts";
import { clientAddress } from "./client_address.ts";

/** What charging a request needs. */
export type RateLimits = Pick<RouteServices, "limiter" | "trustedProxyHops">;

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
 * Takes a token of the client's address, of what it is shown or of what it
 * changes. There are no headers but Retry-After.
 *
 * @throws as {@linkcode chargePublic} does
 */
export function chargeAddress(
  context: RouteContext,
  limits: RateLimits,
): Promise<void> {
  // What is shown has a bucket of its own. HEAD arrives here as GET.
  const kind = context.req.method === "GET" ? "page" : "address";
  return chargeQuietly(context, limits, kind, clientOf(context, limits));
}

/**
 * Who pays for a request. What pages of other sites have a browser ask for is
 * counted apart, so that they spend nothing that its user needs.
 *
 * @returns ends with the id, whose network takes turns
 */
export function payerOf({ req }: RouteContext, id: string): string {
  return isOfOtherPage(req.raw) ? `others' pages ${id}` : id;
}

/** The same of each network. */
export function payersOf(
  context: RouteContext,
  networks: readonly Network[],
): Network[] {
  return networks.map(({ id, factor }) => ({
    id: payerOf(context, id),
    factor,
  }));
}

/**
 * Takes a token for this purpose of every network the client lies in, or of
 * none.
 *
 * @param others what is charged with them, such as one budget for everybody
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeNetworks(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose,
  networks: readonly Network[] = networksOf(clientOf(context, limits)),
  others: readonly Charge[] = [],
): Promise<void> {
  const ofNetworks = networkCharges(purpose, payersOf(context, networks));
  const charges = [...ofNetworks, ...others];
  const verdict = await limits.limiter.takeAll(charges, widestOf(networks));
  refuseUnlessAdmitted(context, verdict);
}

/**
 * Takes what networks pay beside what the request costs of the public bucket,
 * whose headers the answer keeps.
 *
 * @throws as {@linkcode chargePublic} does
 */
export function chargeNetworksToo(
  context: RouteContext,
  limits: RateLimits,
  purpose: NetworkPurpose,
  networks?: readonly Network[],
  others?: readonly Charge[],
): Promise<void> {
  return besidePublic(
    context,
    () => chargeNetworks(context, limits, purpose, networks, others),
  );
}

/** Charges something, and keeps the headers of the public bucket for the answer. */
export async function besidePublic(
  context: RouteContext,
  charge: () => Promise<void>,
): Promise<void> {
  const ofPublic = context.get("rateHeaders");
  try {
    await charge();
  } finally {
    context.set("rateHeaders", { ...ofPublic, ...context.get("rateHeaders") });
  }
}

/**
 * A gate: every request for what anybody may see costs a token of the client's
 * networks, and of the account that is signed in where that was read before.
 * This process counts by itself, so that it answers while the store is silent.
 *
 * @param routes of these, what is read from a text that is always there is free
 */
export function countVisits(
  limits: RateLimits,
  routes: readonly Route[],
): Gate {
  const free = new Set(
    routes.filter(({ isFixed }) => isFixed).map(({ path }) => path),
  );
  return function countVisits(context) {
    if (free.has(context.env.trace.route)) return null;
    const networks = networksOf(clientOf(context, limits));
    const charges = visitCharges(payersOf(context, networks));
    refuseUnlessAdmitted(context, limits.limiter.takeHere(charges));
    return null;
  };
}

/**
 * A gate behind the one that reads who is signed in: the same for the account,
 * which is shown pages of its own from wherever it asks.
 */
export function countVisitor({ limiter }: RateLimits): Gate {
  return function countVisitor(context) {
    const signedIn: SignedIn | null | undefined = context.get("signedIn");
    if (!signedIn) return null;
    const account = { id: `account ${signedIn.account.id}`, factor: 1 };
    const charges = visitCharges([account]);
    refuseUnlessAdmitted(context, limiter.takeHere(charges));
    return null;
  };
}

/** A gate: every request costs a token of the client's address. */
export function limitAddress(limits: RateLimits): Gate {
  return async function limitAddress(context) {
    await chargeAddress(context, limits);
    return null;
  };
}

/**
 * Takes a token of the client's address for a request to the token endpoint, or,
 * where it has none left, of the grant whose code or token is shown: whatever is
 * made up at an address keeps no good one from being taken.
 *
 * @param findGrant the grant's id; null where none is shown
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeExchange(
  context: RouteContext,
  limits: RateLimits,
  findGrant: () => Promise<string | null>,
): Promise<void> {
  const { limiter } = limits;
  const payer = payerOf(context, clientOf(context, limits));
  const ofAddress = await limiter.take("exchange", payer);
  const grantId = ofAddress.admitted ? null : await findGrant();
  const verdict = grantId === null
    ? ofAddress
    : await limiter.take("exchange", grantId);
  refuseUnlessAdmitted(context, verdict);
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

/**
 * Takes a token; there are no headers but Retry-After.
 *
 * @throws as {@linkcode chargePublic} does
 */
export async function chargeQuietly(
  context: RouteContext,
  limits: RateLimits,
  kind: BucketKind,
  id: string,
): Promise<void> {
  const payer = payerOf(context, id);
  refuseUnlessAdmitted(context, await limits.limiter.take(kind, payer));
}

/**
 * Refuses what found a bucket empty; there are no headers but Retry-After.
 *
 * @throws {Refused} with `rate_limited`
 */
export function refuseUnlessAdmitted(
  context: RouteContext,
  verdict: Verdict,
): void {
  context.set("rateHeaders", {});
  if (verdict.admitted) return;
  const { retryAfterS } = verdict;
  context.set("rateHeaders", retryHeaders(retryAfterS));
  refuse({ code: "rate_limited", retryAfterS });
}

/** Names the widest network in which the client lies. */
export function widestNetworkOf(
  context: RouteContext,
  limits: Pick<RateLimits, "trustedProxyHops">,
): string {
  return widestOf(networksOf(clientOf(context, limits)));
}

/** Names the client by its network address, as its buckets do. */
export function clientOf(
  context: RouteContext,
  limits: Pick<RateLimits, "trustedProxyHops">,
): string {
  const { trustedProxyHops } = limits;
  return clientAddress({
    remoteAddress: context.env.remoteAddress,
    forwardedFor: trustedProxyHops > 0
      ? context.req.raw.headers.get("x-forwarded-for")
      : null,
    trustedProxyHops,
  });
}
