import { createHmac } from "node:crypto";
import Stripe from "stripe";
import type {
  RejectionReason,
  Verification,
  VerifiedEvent,
  WebhookVerifier,
} from "../../domain/webhooks/verifier.ts";

/** What signatures are checked with. */
export interface WebhookVerifierOptions {
  /** The endpoint's secrets, `whsec_…`: two while they are being changed. */
  secrets: readonly string[];
  /** Epoch milliseconds. */
  nowMs: () => number;
}

/** How old a signature may be: a repeat of the processor's is signed afresh. */
const AGE_MAX_S = 300;
/** The SDK takes any moment to come; we allow what clocks may differ by. */
const AHEAD_MAX_S = 300;

/** Ids and names are short; what is longer is nothing the processor sends. */
const TEXT_MAX = 255;

/** Invalid UTF-8 would be read as if it were other bytes than were signed. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * What the SDK computes with. The one it takes by itself on Deno has another
 * thread do each signature, which costs more than all the rest of a delivery.
 */
class OwnCrypto extends Stripe.CryptoProvider {
  override computeHMACSignatureAsync(
    payload: string,
    secret: string,
  ): Promise<string> {
    const mac = createHmac("sha256", secret).update(payload);
    return Promise.resolve(mac.digest("hex"));
  }
}

const ownCrypto = new OwnCrypto();

/** Stripe's signatures, checked by the `stripe` package over the raw bytes. */
export function createWebhookVerifier(
  { secrets, nowMs }: WebhookVerifierOptions,
): WebhookVerifier {
  return {
    async verify(body, signature) {
      const signedAtS = signature === null ? null : signedAt(signature);
      if (signature === null || signedAtS === null) {
        return rejected("signature_missing");
      }
      const now = nowMs();
      const ageS = Math.floor(now / 1_000) - signedAtS;
      if (ageS > AGE_MAX_S) return rejected("too_old");
      if (ageS < -AHEAD_MAX_S) return rejected("too_new");
      const text = textOf(body);
      if (text === null) return rejected("signature_wrong");
      for (const secret of secrets) {
        const event = await construct(text, signature, secret, now);
        if (event === "signature_wrong") continue;
        return event === "unreadable" ? rejected(event) : { ok: true, event };
      }
      return rejected("signature_wrong");
    },
  };
}

function rejected(reason: RejectionReason): Verification {
  return { ok: false, reason };
}

/** The one moment that the header names, epoch seconds; null for none or two. */
function signedAt(header: string): number | null {
  const named = [...header.matchAll(/(?:^|,)t=([^,]*)/g)];
  const [seconds = "", ...others] = named.map(([, text]) => text ?? "");
  if (others.length > 0 || !/^\d{1,12}$/.test(seconds)) return null;
  return Number(seconds);
}

function textOf(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** The SDK says of a thin event, and JSON of what is none, by other errors. */
async function construct(
  text: string,
  header: string,
  secret: string,
  nowMs: number,
): Promise<VerifiedEvent | "signature_wrong" | "unreadable"> {
  try {
    const event = await Stripe.webhooks.constructEventAsync(
      text,
      header,
      secret,
      AGE_MAX_S,
      ownCrypto,
      nowMs,
    );
    return eventOf(event) ?? "unreadable";
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError
      ? "signature_wrong"
      : "unreadable";
  }
}

/** The SDK promises an event and gives whatever JSON was signed. */
function eventOf(given: unknown): VerifiedEvent | null {
  const event = membersOf(given);
  const object = membersOf(membersOf(event.data).object);
  const { id, type, created, livemode, account } = event;
  const isEvent = event.object === "event" && isName(id) && isName(type) &&
    Number.isSafeInteger(created) && typeof livemode === "boolean";
  if (!isEvent) return null;
  return {
    id,
    type,
    objectId: isName(object.id) ? object.id : null,
    objectType: isName(object.object) ? object.object : null,
    createdAtMs: Number(created) * 1_000,
    livemode,
    ofConnectedAccount: account !== undefined && account !== null,
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null;
  return isObject ? value as Record<string, unknown> : {};
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" &&
    value.length <= TEXT_MAX && /^[\x21-\x7e]*$/.test(value);
}
