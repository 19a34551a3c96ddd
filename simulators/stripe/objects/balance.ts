/**
 * Movements of the account's balance, in their wire shape.
 *
 * @module
 */

/** One movement. */
export type BalanceTransaction = {
  id: string;
  object: "balance_transaction";
  amount: number;
  available_on: number;
  balance_type: "payments";
  created: number;
  currency: "eur";
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: {
    amount: number;
    application: null;
    currency: "eur";
    description: string;
    type: "stripe_fee";
  }[];
  net: number;
  reporting_category:
    | "charge"
    | "refund"
    | "refund_failure"
    | "dispute"
    | "dispute_reversal"
    | "topup"
    | "transfer"
    | "transfer_reversal";
  source: string | null;
  status: "available";
  type:
    | "charge"
    | "refund"
    | "refund_failure"
    | "adjustment"
    | "topup"
    | "transfer"
    | "transfer_refund";
};
