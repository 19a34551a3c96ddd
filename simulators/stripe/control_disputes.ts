/**
 * The hand on disputes: payers and banks act by themselves.
 *
 * @module
 */

import type { Desk } from "./desk.ts";
import {
  type DisputeOrder,
  type DisputeTurn,
  openDispute,
  turnDispute,
} from "./dispute.ts";
import type { Dispute } from "./objects.ts";

/** Opens and decides disputes. */
export class ControlDisputes {
  #desk: Desk;

  /** @internal */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Lets the payer object to a charge.
   *
   * @param chargeId the charge, or the payment intent it was made for
   * @throws {RangeError} when there is nothing to object to
   */
  open(chargeId: string, order: DisputeOrder = {}): Dispute {
    return this.#desk.change((call) => {
      const intent = call.find("payment_intent", chargeId);
      const id = intent?.latest_charge ?? chargeId;
      const charge = call.find("charge", id);
      if (charge === undefined) throw new RangeError(`No charge "${id}"`);
      return openDispute(call, charge, order);
    });
  }

  /**
   * Takes a dispute on.
   *
   * @throws {RangeError} when it is at a point that allows no such turn
   */
  turn(disputeId: string, turn: DisputeTurn): Dispute {
    return this.#desk.change((call) => {
      const dispute = call.find("dispute", disputeId);
      if (dispute === undefined) throw new RangeError("No such dispute");
      return turnDispute(call, dispute, turn);
    });
  }
}
