/**
 * The hand on accounts of others: what their owners and banks do, and what the
 * processor decides about them.
 *
 * @module
 */

import { moveBalance } from "./balance.ts";
import { type AccountTurn, turnAccount } from "./connect.ts";
import type { Desk } from "./desk.ts";
import type { ConnectedAccount, TransferReversal } from "./objects.ts";
import { availableBalance, reverseTransfer } from "./transfer.ts";

/** Sets accounts up and takes transfers back. */
export class ControlPartners {
  #desk: Desk;

  /** @internal */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Does or decides something about an account.
   *
   * @throws {RangeError} when there is no such account
   */
  turn(accountId: string, turn: AccountTurn): ConnectedAccount {
    return this.#desk.change((call) => {
      const account = call.find("account", accountId);
      if (account === undefined) throw new RangeError("No such account");
      return turnAccount(call, account, turn);
    });
  }

  /**
   * Takes a transfer back, or so much of it; all that is left unless said.
   *
   * @throws {RangeError} when there is no such transfer
   * @throws {ApiError} when that much is not left
   */
  reverse(transferId: string, amount?: number): TransferReversal {
    return this.#desk.change((call) => {
      const transfer = call.find("transfer", transferId);
      if (transfer === undefined) throw new RangeError("No such transfer");
      const left = transfer.amount - transfer.amount_reversed;
      return reverseTransfer(call, transfer, amount ?? left);
    });
  }

  /** What our balance holds, cents. */
  get balance(): number {
    return this.#desk.change(availableBalance);
  }

  /** Moves money between our bank account and our balance, cents. */
  topUp(amount: number): void {
    this.#desk.change((call) => {
      moveBalance(call, {
        amount,
        description: "Top-up",
        reporting_category: "topup",
        source: null,
      });
    });
  }
}
