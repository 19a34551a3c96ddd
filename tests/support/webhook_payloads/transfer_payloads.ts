import type Stripe from "stripe";
import { ENVELOPE, type Payloads, told } from "./envelope.ts";

/** Every event of a transfer to a partner's account, in full. */
export function transferPayloads(id: string): Payloads<`transfer.${string}`> {
  const url = `/v1/transfers/${id}/reversals`;
  const transfer: Stripe.Transfer = {
    id,
    object: "transfer",
    amount: 12_000,
    amount_reversed: 0,
    balance_transaction: "txn_PaYl0AdTrAnSfEr",
    created: 1_795_176_000,
    currency: "eur",
    description: null,
    destination: "acct_PaYl0AdTrAnSfEr",
    destination_payment: "py_PaYl0AdTrAnSfEr",
    livemode: false,
    metadata: {},
    reversals: { object: "list", data: [], has_more: false, url },
    reversed: false,
    source_transaction: null,
    source_type: "card",
    transfer_group: null,
  };
  const reversal: Stripe.TransferReversal = {
    id: "trr_PaYl0AdTrAnSfEr",
    object: "transfer_reversal",
    amount: 2_000,
    balance_transaction: "txn_PaYl0AdReVeRsAl",
    created: 1_795_176_000,
    currency: "eur",
    destination_payment_refund: "pyr_PaYl0AdReVeRsAl",
    metadata: {},
    source_refund: null,
    transfer: id,
  };
  const reversed: Stripe.Transfer = {
    ...transfer,
    amount_reversed: 2_000,
    reversals: { object: "list", data: [reversal], has_more: false, url },
  };
  return {
    "transfer.created": { ...told(transfer), type: "transfer.created" },
    "transfer.reversed": { ...told(reversed), type: "transfer.reversed" },
    "transfer.updated": {
      ...ENVELOPE,
      type: "transfer.updated",
      data: { object: reversed, previous_attributes: { amount_reversed: 0 } },
    },
  };
}
