/**
 * The hand on people: what they would do on hosted pages, without a browser.
 *
 * @module
 */

import { isBehaviour } from "./cards.ts";
import { currentCheckout, expireCheckout, payWithCard } from "./checkout.ts";
import type { Desk } from "./desk.ts";
import {
  currentVerification,
  decideVerification,
  type IdentityOutcome,
  submitVerification,
} from "./identity.ts";
import type {
  CheckoutSession,
  SetupIntent,
  VerificationSession,
} from "./objects.ts";
import { newPaymentMethod } from "./payment_method.ts";
import { resolveSetup } from "./setup_intent.ts";

/** Saves cards and shows documents. */
export class ControlPeople {
  #desk: Desk;

  /** @internal */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Gives a card on the page of an open session.
   *
   * @param card a test card's name, such as `visa`
   * @returns the intent: succeeded, or waiting for the payer, or with the
   * reason it was refused
   * @throws {RangeError} when the session is not open or the card unknown
   */
  saveCard(sessionId: string, card = "visa"): SetupIntent {
    if (!isBehaviour(card)) throw new RangeError(`Unknown card "${card}"`);
    return this.#desk.change((call) => {
      const session = currentCheckout(call, sessionId);
      if (session.status !== "open") {
        throw new RangeError(`"${sessionId}" is ${session.status}`);
      }
      return payWithCard(call, session, newPaymentMethod(call, card));
    });
  }

  /**
   * Lets the time of an open session run out.
   *
   * @throws {RangeError} when it is not open
   */
  expireCheckout(sessionId: string): CheckoutSession {
    return this.#desk.change((call) => {
      const session = currentCheckout(call, sessionId);
      if (session.status === "open") return expireCheckout(call, session);
      throw new RangeError(`"${sessionId}" is ${session.status}`);
    });
  }

  /**
   * Ends a set-up that waits for the payer or is processing.
   *
   * @throws {RangeError} when it waits for nothing
   */
  resolveSetup(
    setupIntentId: string,
    how: "succeed" | "fail",
  ): SetupIntent {
    return this.#desk.change((call) => {
      const intent = call.find("setup_intent", setupIntentId);
      const waits = intent?.status === "requires_action" ||
        intent?.status === "processing";
      if (intent !== undefined && waits) return resolveSetup(call, intent, how);
      throw new RangeError(`Nothing waits in "${setupIntentId}"`);
    });
  }

  /**
   * Hands a document in, or decides about one that was handed in.
   *
   * @param outcome what comes of it; `processing` leaves it undecided
   * @throws {RangeError} when the check is over
   */
  checkIdentity(
    sessionId: string,
    outcome: IdentityOutcome | "processing",
  ): VerificationSession {
    return this.#desk.change((call) => {
      const session = currentVerification(call, sessionId);
      const { status } = session;
      if (status !== "requires_input" && status !== "processing") {
        throw new RangeError(`"${sessionId}" is ${status}`);
      }
      const submitted = status === "processing"
        ? session
        : submitVerification(call, session);
      if (outcome === "processing") return submitted;
      return decideVerification(call, submitted, outcome);
    });
  }
}
