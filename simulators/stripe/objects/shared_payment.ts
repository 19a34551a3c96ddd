/**
 * Shared payment tokens, in their wire shape (API 2026-04-22.preview).
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { BillingDetails, Card } from "./payment.ts";

/**
 * Why a token can no longer be used. `consumed` is defined as having hit its
 * limit of amount; nothing a seller can do here makes a token `resolved`.
 */
export type Deactivation = "consumed" | "expired" | "resolved" | "revoked";

/** What a token tells of the card it stands for. */
export type SharedCard = Pick<
  Card,
  | "brand"
  | "checks"
  | "country"
  | "display_brand"
  | "exp_month"
  | "exp_year"
  | "fingerprint"
  | "funding"
  | "last4"
  | "networks"
  | "wallet"
>;

/** A buyer's card, lent to the seller by the buyer's agent within limits. */
export type GrantedToken = {
  id: string;
  object: "shared_payment.granted_token";
  agent_details: null;
  created: number;
  deactivated_at: number | null;
  deactivated_reason: Deactivation | null;
  livemode: false;
  payment_method_details: {
    type: "card";
    billing_details: BillingDetails;
    card: SharedCard;
  };
  risk_details: null;
  shared_metadata: Metadata;
  usage_details: {
    amount_captured: { currency: string; value: number } | null;
  };
  usage_limits: {
    currency: string;
    expires_at: number | null;
    max_amount: number;
  };
};

/** What the seller does not see of a token; kept beside it. */
export type GrantedTokenUse = {
  /** The token's id. */
  id: string;
  /** The card it stands for. */
  payment_method: string;
  /** Whom it was granted to, as told when it was made. */
  seller_details: {
    network_business_profile?: string | undefined;
    network_id?: string | undefined;
    external_id?: string | undefined;
  };
  /** Cents that payments under way may still take, by payment intent. */
  holds: Record<string, number>;
};
