/**
 * Accounts of others that money is transferred to, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";

/** Whether an account may do something. */
export type CapabilityStatus = "active" | "inactive" | "pending";

/** What an account still owes the processor. */
export type Requirements = {
  alternatives: [];
  current_deadline: null;
  currently_due: string[];
  disabled_reason: string | null;
  errors: [];
  eventually_due: string[];
  past_due: string[];
  pending_verification: string[];
};

/** The account of somebody who is paid by us. */
export type ConnectedAccount = {
  id: string;
  object: "account";
  business_type: null;
  capabilities: { transfers: CapabilityStatus };
  charges_enabled: false;
  country: string;
  created: number;
  default_currency: "eur";
  details_submitted: boolean;
  email: string | null;
  metadata: Metadata;
  payouts_enabled: boolean;
  requirements: Requirements;
  type: "express";
};

/** The way to the page on which its owner sets it up. It has no id. */
export type AccountLink = {
  object: "account_link";
  created: number;
  expires_at: number;
  url: string;
};

/** Money that went from our balance to an account's. */
export type Transfer = {
  id: string;
  object: "transfer";
  amount: number;
  amount_reversed: number;
  balance_transaction: string;
  created: number;
  currency: "eur";
  description: string | null;
  destination: string;
  livemode: false;
  metadata: Metadata;
  reversed: boolean;
  source_transaction: null;
  source_type: "card";
  transfer_group: string | null;
};

/** What of a transfer came back. */
export type TransferReversal = {
  id: string;
  object: "transfer_reversal";
  amount: number;
  balance_transaction: string;
  created: number;
  currency: "eur";
  destination_payment_refund: null;
  metadata: Metadata;
  source_refund: null;
  transfer: string;
};
