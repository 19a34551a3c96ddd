/**
 * Challenges of the HTTP authentication scheme `Payment` (Machine Payments
 * Protocol, draft-httpauth-payment §5.1), whose ids prove without any state
 * that they are ours.
 *
 * @module
 */
import type { Day } from "../../../domain/day.ts";
import { canonicalJson } from "../../../domain/idempotency/canonical_json.ts";
import { METRICS_PRICE_CENTS } from "../../../domain/paid_metrics/metrics_payment.ts";
import { toBase64url } from "../../http/base64url.ts";

/** The method of payment: the processor's (contract §4.2). */
export const METHOD = "stripe";
/** What a challenge asks for (contract §4.2). */
export const INTENT = "charge";
/** How long a challenge may be used for the first time. */
export const CHALLENGE_MS = 5 * 60_000;

/** What an id is made over, as it stands on the wire. */
export interface ChallengeTerms {
  realm: string;
  method: string;
  intent: string;
  /** base64url of the canonical JSON of what is asked for. */
  request: string;
  /** RFC 3339; empty when the credential has none. */
  expires: string;
  digest?: string;
  opaque?: string;
}

/** A challenge as it is sent. */
export interface Challenge extends ChallengeTerms {
  id: string;
  /** For people; the id does not cover it. */
  description: string;
}

/** HMAC-SHA-256 under some key, base64url. */
export type Mac = (text: string) => string;

/** The id of a challenge: an HMAC over its seven slots, absent ones empty. */
export function challengeId(terms: ChallengeTerms, mac: Mac): string {
  const { realm, method, intent, request, expires, digest, opaque } = terms;
  const slots = [realm, method, intent, request, expires, digest, opaque];
  return mac(slots.map((slot) => slot ?? "").join("|"));
}

/** What is asked for one day's figures, as the challenge carries it. */
export function requestFor(day: Day, profileId: string): string {
  return toBase64url(canonicalJson({
    amount: String(METRICS_PRICE_CENTS),
    currency: "eur",
    externalId: externalIdOf(day),
    methodDetails: { networkId: profileId, paymentMethodTypes: ["card"] },
  }));
}

/** What a payment is for, in the words of buyer and seller. */
export function externalIdOf(day: Day): string {
  return `metrics:${day}`;
}

/** For people and for agents that read what they pay for; ASCII. */
export function descriptionFor(day: Day, isFinal: boolean): string {
  const soFar = isFinal ? "" : ", counted so far and not final yet";
  return `Spotlight metrics for ${day}${soFar}; send an Idempotency-Key with ` +
    "the payment, and the same credential with it is answered again for 24 hours";
}

/** The value of `WWW-Authenticate`. */
export function challengeHeader(challenge: Challenge): string {
  const { id, realm, method, intent, request, expires, description } =
    challenge;
  const parameters = {
    id,
    realm,
    method,
    intent,
    request,
    expires,
    description,
  };
  const written = Object.entries(parameters).map(([name, value]) =>
    `${name}="${value.replace(/["\\]/g, "\\$&")}"`
  );
  return `Payment ${written.join(", ")}`;
}
