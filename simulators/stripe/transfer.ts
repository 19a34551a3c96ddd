/**
 * Money from our balance to the accounts of others, and back.
 *
 * @module
 */

import { moveBalance } from "./balance.ts";
import type { Call } from "./call.ts";
import { invalidRequest } from "./errors.ts";
import type {
  ConnectedAccount,
  Metadata,
  Transfer,
  TransferReversal,
} from "./objects.ts";

/** What a transfer is made with. */
export interface NewTransfer {
  destination: ConnectedAccount;
  amount: number;
  description: string | null;
  metadata: Metadata;
  transfer_group: string | null;
}

/** What our balance holds, cents. */
export function availableBalance(call: Call): number {
  const moved = call.setting.books.tables.balance_transaction.values();
  return [...moved].reduce((sum, { net }) => sum + net, 0);
}

/**
 * Transfers money.
 *
 * @throws {ApiError} 400 `insufficient_capabilities_for_transfer` to an account
 * that is not set up, `balance_insufficient` for more than there is
 */
export function makeTransfer(
  call: Call,
  { destination, amount, ...given }: NewTransfer,
): Transfer {
  if (destination.capabilities.transfers !== "active") {
    throw invalidRequest(
      "Your destination account needs to have at least one of the following " +
        "capabilities enabled: transfers, crypto_transfers, legacy_payments",
      { code: "insufficient_capabilities_for_transfer" },
    );
  }
  if (amount > availableBalance(call)) {
    throw invalidRequest(
      "You have insufficient available funds in your Stripe account.",
      { code: "balance_insufficient" },
    );
  }
  const id = call.newId("tr");
  const moved = moveBalance(call, {
    amount: -amount,
    description: `Transfer to ${destination.id}`,
    reporting_category: "transfer",
    source: id,
  });
  const transfer = call.put("transfer", {
    id,
    object: "transfer",
    amount,
    amount_reversed: 0,
    balance_transaction: moved.id,
    created: call.now,
    currency: "eur",
    destination: destination.id,
    livemode: false,
    reversed: false,
    source_transaction: null,
    source_type: "card",
    ...given,
  });
  call.emit("transfer.created", withReversals(call, transfer));
  return transfer;
}

/**
 * Takes an amount of a transfer back.
 *
 * @throws {ApiError} 400 when that much is not left
 */
export function reverseTransfer(
  call: Call,
  transfer: Transfer,
  amount: number,
): TransferReversal {
  const left = transfer.amount - transfer.amount_reversed;
  if (amount > left) {
    throw invalidRequest(
      `Reversal amount (${amount}) is greater than unreversed amount on ` +
        `transfer (${left})`,
      { param: "amount" },
    );
  }
  const id = call.newId("trr");
  const moved = moveBalance(call, {
    amount,
    description: `Reversal of ${transfer.id}`,
    reporting_category: "transfer_reversal",
    source: id,
  });
  const reversal = call.put("transfer_reversal", {
    id,
    object: "transfer_reversal",
    amount,
    balance_transaction: moved.id,
    created: call.now,
    currency: "eur",
    destination_payment_refund: null,
    metadata: {},
    source_refund: null,
    transfer: transfer.id,
  });
  const amount_reversed = transfer.amount_reversed + amount;
  const reversed = amount_reversed === transfer.amount;
  const after = call.put("transfer", {
    ...transfer,
    amount_reversed,
    reversed,
  });
  call.emit("transfer.reversed", withReversals(call, after));
  return reversal;
}

/** A transfer as it is shown: with the last of its reversals. */
export function withReversals(
  call: Call,
  transfer: Transfer,
): Transfer & { reversals: unknown } {
  const data = call.filed("transfer_reversal", "transfer", transfer.id);
  return {
    ...transfer,
    reversals: {
      object: "list",
      data: data.slice(0, 10),
      has_more: data.length > 10,
      url: `/v1/transfers/${transfer.id}/reversals`,
    },
  };
}
