/**
 * The hand on invoices: what the API does not do by itself, but real life may.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { Desk } from "./desk.ts";
import { markVoid, paymentOf } from "./invoice_settlement.ts";
import type { Invoice, PaymentIntent } from "./objects.ts";
import { resolvePayment } from "./payments.ts";

/** Voids invoices whose payment is under way, and pays voided ones. */
export class ControlInvoices {
  #desk: Desk;

  /** @internal */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Voids an open invoice although its payment may still be processing; the
   * payment goes on.
   *
   * @throws {RangeError} when it is not open
   */
  voidAnyway(invoiceId: string): Invoice {
    return this.#desk.change((call) => {
      const invoice = call.find("invoice", invoiceId);
      if (invoice?.status === "open") return markVoid(call, invoice);
      throw new RangeError(`"${invoiceId}" is not open`);
    });
  }

  /**
   * Takes the money of a voided invoice after all: its payment comes through
   * late, though it was canceled.
   *
   * @param cardId the card; the last one that was tried unless given
   * @throws {RangeError} when it is not void, paid already or has no card
   */
  payLate(invoiceId: string, cardId?: string): PaymentIntent {
    return this.#desk.change((call) => {
      const invoice = call.find("invoice", invoiceId);
      const found = invoice === undefined ? null : paymentOf(call, invoice);
      const isVoid = invoice?.status === "void";
      if (!isVoid || found === null || found.intent.status === "succeeded") {
        throw new RangeError(`No payment of "${invoiceId}" can come late`);
      }
      const card = cardId ?? lastCardOf(call, found.intent);
      return resolvePayment(call, {
        ...found.intent,
        canceled_at: null,
        cancellation_reason: null,
        payment_method: card,
      }, "succeed");
    });
  }
}

function lastCardOf(call: Call, intent: PaymentIntent): string {
  const { customer, last_payment_error, payment_method } = intent;
  const [newest] = customer === null
    ? []
    : call.filed("payment_method", "customer", customer);
  const id = payment_method ?? last_payment_error?.payment_method?.id ??
    newest?.id;
  if (id !== undefined) return id;
  throw new RangeError(`"${intent.id}" has no card`);
}
