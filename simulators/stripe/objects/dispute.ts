/**
 * Disputes, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { BalanceTransaction } from "./balance.ts";

/** Where a dispute stands. */
export type DisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost"
  | "prevented";

/** Evidence as text; files are not simulated. */
export type Evidence = Record<EvidenceText | EvidenceFile, string | null> & {
  enhanced_evidence: Record<string, never>;
};

/** Evidence that is written. */
export type EvidenceText =
  | "access_activity_log"
  | "billing_address"
  | "cancellation_policy_disclosure"
  | "cancellation_rebuttal"
  | "customer_email_address"
  | "customer_name"
  | "customer_purchase_ip"
  | "duplicate_charge_explanation"
  | "duplicate_charge_id"
  | "product_description"
  | "refund_policy_disclosure"
  | "refund_refusal_explanation"
  | "service_date"
  | "shipping_address"
  | "shipping_carrier"
  | "shipping_date"
  | "shipping_tracking_number"
  | "uncategorized_text";

/** Evidence that is uploaded. */
export type EvidenceFile =
  | "cancellation_policy"
  | "customer_communication"
  | "customer_signature"
  | "duplicate_charge_documentation"
  | "receipt"
  | "refund_policy"
  | "service_documentation"
  | "shipping_documentation"
  | "uncategorized_file";

/** A payer's objection to a charge. */
export type Dispute = {
  id: string;
  object: "dispute";
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  created: number;
  currency: "eur";
  enhanced_eligibility_types: never[];
  evidence: Evidence;
  evidence_details: {
    due_by: number | null;
    enhanced_eligibility: Record<string, never>;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
    submission_method: "manual" | "not_submitted";
  };
  intended_submission_method: null;
  is_charge_refundable: boolean;
  livemode: false;
  metadata: Metadata;
  network_reason_code: string;
  payment_intent: string;
  payment_method_details: {
    card: {
      brand: string;
      case_type: "block" | "chargeback" | "inquiry";
      network: string;
      network_reason_code: string;
    };
    type: "card";
  };
  reason: string;
  status: DisputeStatus;
};
