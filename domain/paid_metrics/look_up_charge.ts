/**
 * Finding out at the processor how far a payment got. Nothing here takes money.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { vatContainedCents } from "../tax/vat.ts";
import { METRICS_CLOCK_SKEW_MS } from "./limits.ts";
import {
  METRICS_PRICE_CENTS,
  type MetricsPayment,
  type MetricsPaymentRefusal,
} from "./metrics_payment.ts";

/** What is known of a charge, by the processor's answer. */
export type ChargeAnswer =
  | {
    kind: "succeeded";
    payment: ProcessorPayment;
    /** The VAT contained in the price, by the country of the card. */
    vatCents: number;
  }
  | {
    kind: "refused";
    refusal: MetricsPaymentRefusal;
    /** The processor does not know the token, so it made no payment at all. */
    isMadeUp?: boolean;
  }
  /** Nobody knows yet. */
  | { kind: "open"; intentId: string | null };

/** What a lookup needs. */
export type LookupServices = Pick<Services, "processor" | "settings">;

/**
 * Retrieves a payment whose id at the processor is known. If the processor says
 * that it does not exist, our set-up is wrong, so the payment stays open.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function lookUpCharge(
  services: LookupServices,
  payment: MetricsPayment,
): Promise<ChargeAnswer> {
  const { intentId } = payment;
  invariant(intentId !== null, "only a payment that was seen is looked at");
  const found = await services.processor.retrievePayment(intentId);
  if (!found.ok) return { kind: "open", intentId };
  return await resolveCharge(services, payment, found.value);
}

/**
 * Looks for a payment by its own id, among all that were made while somebody
 * may have charged it. Null: the processor has none.
 *
 * @throws {ProcessorUncertain} also when there are too many to read
 */
export async function searchCharge(
  services: LookupServices,
  payment: MetricsPayment,
): Promise<ChargeAnswer | null> {
  const found = await services.processor.findPayment(
    { name: "payment_id", value: payment.id },
    {
      from: payment.createdAtMs - METRICS_CLOCK_SKEW_MS,
      until: payment.askedUntilMs + METRICS_CLOCK_SKEW_MS,
    },
  );
  if (!found.ok) return { kind: "open", intentId: null };
  if (found.value === null) return null;
  return await resolveCharge(services, payment, found.value);
}

/**
 * What a payment's state at the processor means for ours. One that waits for the
 * buyer is cancelled: nobody is there to act.
 */
export async function resolveCharge(
  { processor, settings }: LookupServices,
  payment: MetricsPayment,
  found: ProcessorPayment,
): Promise<ChargeAnswer> {
  switch (found.status) {
    case "succeeded":
      return succeededAnswer(settings, found);
    case "refused":
      return { kind: "refused", refusal: "declined" };
    case "canceled":
      // Only what waits for the buyer is ever cancelled, perhaps by an attempt
      // that did not live to say so.
      return { kind: "refused", refusal: "action_required" };
    case "processing":
      return { kind: "open", intentId: found.id };
    case "requires_action": {
      const nth = `${payment.attempts}:${payment.sweeps}`;
      const gone = await processor.cancelPayment(
        found.id,
        `metrics:${payment.id}:cancel:${nth}`,
      );
      // It was decided meanwhile, perhaps paid: the next lookup sees.
      return gone.ok && gone.value.status === "canceled"
        ? { kind: "refused", refusal: "action_required" }
        : { kind: "open", intentId: found.id };
    }
  }
}

/** The answer for a payment that took the money, with the VAT that it contains. */
export function succeededAnswer(
  { seller }: LookupServices["settings"],
  payment: ProcessorPayment,
): ChargeAnswer & { kind: "succeeded" } {
  const vatCents = vatContainedCents(
    METRICS_PRICE_CENTS,
    payment.cardCountry,
    seller.country,
  );
  return { kind: "succeeded", payment, vatCents };
}

/** By what the processor's payment can be found again, and told apart. */
export function metadataOf(
  { id, channel, day }: MetricsPayment,
): Record<string, string> {
  const common = { purpose: "metrics", day, payment_id: id };
  if (channel === "http_payment") return { ...common, challenge_id: id };
  return { ...common, checkout_session_id: id.split(".")[0] ?? id };
}
