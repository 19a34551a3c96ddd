/**
 * What a seller may say in its defence. Files can't be uploaded here.
 *
 * @module
 */

import type { Evidence, EvidenceFile, EvidenceText } from "./objects.ts";

/** Evidence that is written. */
const EVIDENCE_TEXTS = [
  "access_activity_log",
  "billing_address",
  "cancellation_policy_disclosure",
  "cancellation_rebuttal",
  "customer_email_address",
  "customer_name",
  "customer_purchase_ip",
  "duplicate_charge_explanation",
  "duplicate_charge_id",
  "product_description",
  "refund_policy_disclosure",
  "refund_refusal_explanation",
  "service_date",
  "shipping_address",
  "shipping_carrier",
  "shipping_date",
  "shipping_tracking_number",
  "uncategorized_text",
] as const satisfies EvidenceText[];

const EVIDENCE_FILES = [
  "cancellation_policy",
  "customer_communication",
  "customer_signature",
  "duplicate_charge_documentation",
  "receipt",
  "refund_policy",
  "service_documentation",
  "shipping_documentation",
  "uncategorized_file",
] as const satisfies EvidenceFile[];

/** Nothing was said yet. */
export function newEvidence(): Evidence {
  const unsaid = Object.fromEntries(
    [...EVIDENCE_TEXTS, ...EVIDENCE_FILES].map((name) => [name, null]),
  ) as Record<EvidenceText | EvidenceFile, null>;
  return { ...unsaid, enhanced_evidence: {} };
}
