/**
 * Saved cards at the processor: set up on its hosted page, kept there.
 *
 * @module
 */
import type { Outcome } from "./outcome.ts";

/** A card kept at the processor. */
export interface ProcessorCard {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** The same for the same card number, whoever saved it; null if untold. */
  fingerprint: string | null;
}

/** A hosted page on which a card is set up. */
export interface CardSetup {
  id: string;
  status: "open" | "complete" | "expired";
  /** What the page leads to; null before the payer began. */
  setupIntentId: string | null;
}

/** A card's set-up as the processor sees it. */
export interface SetupIntent {
  id: string;
  status:
    | "requires_payment_method"
    | "requires_confirmation"
    | "requires_action"
    | "processing"
    | "canceled"
    | "succeeded";
  /** Whose it is, from our own metadata; null for a foreign one. */
  accountId: string | null;
  customerId: string | null;
  card: ProcessorCard | null;
}

/** The part of the port that keeps cards. */
export interface CardProcessor {
  /** A page of the processor's on which the customer saves a card. */
  createCardSetup(
    input: {
      customerId: string;
      accountId: string;
      /** Where the payer returns to, https outside development. */
      successUrl: string;
      cancelUrl: string;
    },
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string; url: string; expiresAtMs: number }>>;
  retrieveCardSetup(id: string): Promise<Outcome<CardSetup>>;
  retrieveSetupIntent(id: string): Promise<Outcome<SetupIntent>>;
  /**
   * All cards of a customer, newest first.
   *
   * @throws {ProcessorUncertain} also when there are more than 1,000
   */
  listCards(customerId: string): Promise<Outcome<ProcessorCard[]>>;
  /** Detaching a card that is detached already is done, not refused. */
  detachCard(
    paymentMethodId: string,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /** A link to the processor's billing portal, for a few minutes. */
  createBillingPortal(
    input: { customerId: string; returnUrl: string },
    idempotencyKey: string,
  ): Promise<Outcome<{ url: string }>>;
}
