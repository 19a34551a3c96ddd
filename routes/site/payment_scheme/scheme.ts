/**
 * Makes challenges for the figures of a day and knows its own again.
 *
 * @module
 */
import { type Day, isoTime } from "../../../domain/day.ts";
import { invariant } from "../../../domain/invariant.ts";
import type { PaymentNeed } from "../../../domain/paid_metrics/payment_need.ts";
import { isPaymentToken } from "../../../domain/paid_metrics/payment_token.ts";
import type { MetricsPresentation } from "../../../domain/paid_metrics/presentation.ts";
import type { Keys, Services } from "../../../domain/ports.ts";
import { isSameText } from "../../http/same_text.ts";
import {
  type Challenge,
  CHALLENGE_MS,
  challengeId,
  descriptionFor,
  externalIdOf,
  INTENT,
  type Mac,
  METHOD,
  requestFor,
} from "./challenge.ts";
import { type Credential, readCredential } from "./credential.ts";

/** What challenges are made of. */
export interface SchemeParts {
  services: Pick<Services, "clock" | "keys" | "settings">;
  /** The seller's profile at the processor, `profile_…`. */
  profileId: string;
}

/** A credential that answers one of our challenges, before its key is known. */
export type Presented = Omit<MetricsPresentation, "keyHash">;

/** Makes challenges for figures and reads what answers them. */
export interface PaymentScheme {
  /** A fresh challenge for a day's figures, which may change yet or not. */
  challenge(day: Day, isFinal: boolean): Challenge;
  /**
   * Reads what an Authorization header pays for a day with. Neither the
   * challenge's age nor the payload decide here: its row comes before them.
   */
  read(header: string | null, day: Day): Presented | { need: PaymentNeed };
}

/** The payment scheme of a site. */
export function paymentScheme(
  { services, profileId }: SchemeParts,
): PaymentScheme {
  const { clock, keys, settings } = services;
  const realm = new URL(settings.baseUrl).hostname;
  let count = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  return {
    challenge(day, isFinal) {
      count += 1;
      const terms = {
        realm,
        method: METHOD,
        intent: INTENT,
        request: requestFor(day, profileId),
        expires: expiresAt(clock.now() + CHALLENGE_MS, count),
      };
      const id = challengeId(terms, macOf(keys, keys.currentId));
      return { ...terms, id, description: descriptionFor(day, isFinal) };
    },
    read(header, day) {
      const reading = readCredential(header);
      if (reading.kind === "none") return { need: "no_credential" };
      if (reading.kind === "malformed") return { need: "malformed_credential" };
      const { credential } = reading;
      const { method, intent } = credential.challenge;
      if (method !== METHOD || intent !== INTENT) {
        return { need: "unsupported_method" };
      }
      const isOurs = isSigned(credential, keys) &&
        credential.challenge.realm === realm &&
        credential.challenge.request === requestFor(day, profileId);
      return isOurs ? presented(credential, day) : {
        need: "unknown_challenge",
      };
    },
  };
}

/**
 * A moment to the microsecond, whose last three digits count: two payers who
 * ask in the same millisecond get challenges of their own.
 */
function expiresAt(ms: number, count: number): string {
  const micros = String(count % 1_000).padStart(3, "0");
  return isoTime(ms).replace("Z", `${micros}Z`);
}

function macOf(keys: Keys, keyId: string): Mac {
  return (text) => {
    const mac = keys.mac("payment-challenge", text, keyId);
    invariant(mac !== null, "a key of the list is in use");
    return mac;
  };
}

/** Whether any of our keys made the id; an old one may have. */
function isSigned({ challenge }: Credential, keys: Keys): boolean {
  const { id, realm, method, intent, request, digest, opaque } = challenge;
  const expires = challenge.expires ?? "";
  // Only a text could ever have been signed.
  if (opaque !== undefined && typeof opaque !== "string") return false;
  const optional = {
    ...digest === undefined ? {} : { digest },
    ...opaque === undefined ? {} : { opaque },
  };
  const terms = { realm, method, intent, request, expires, ...optional };
  const matches = keys.ids.map((keyId) =>
    isSameText(id, challengeId(terms, macOf(keys, keyId)))
  );
  return matches.includes(true);
}

function presented({ challenge, payload }: Credential, day: Day): Presented {
  const challengeExpiresAtMs = Date.parse(challenge.expires ?? "");
  invariant(!Number.isNaN(challengeExpiresAtMs), "we signed a moment");
  return {
    day,
    paymentId: challenge.id,
    challengeExpiresAtMs,
    payload: payloadOf(payload, day),
  };
}

function payloadOf(
  { spt, externalId }: Record<string, unknown>,
  day: Day,
): Presented["payload"] {
  if (!isPaymentToken(spt)) return { need: "malformed_credential" };
  const isPlain = externalId === undefined || externalId === null;
  if (isPlain || externalId === externalIdOf(day)) return { token: spt };
  return typeof externalId === "string"
    ? { need: "unknown_challenge" }
    : { need: "malformed_credential" };
}
