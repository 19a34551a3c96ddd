/**
 * The hand on the simulator: faults, inspection, and what the outside world
 * would do by itself, such as a payer who authenticates.
 *
 * @module
 */

import type { Api } from "./api.ts";
import type { Fees } from "./account.ts";
import type { Books } from "./books.ts";
import { isBehaviour } from "./cards.ts";
import { ControlDisputes } from "./control_disputes.ts";
import { ControlInvoices } from "./control_invoices.ts";
import { ControlPartners } from "./control_partners.ts";
import { ControlPeople } from "./control_people.ts";
import type { Desk } from "./desk.ts";
import type { Fault, FaultOrder, Faults } from "./faults.ts";
import type { PaymentStatus, Refund, TableName, Tables } from "./objects.ts";
import { resolvePayment } from "./payments.ts";
import { failRefund } from "./refund.ts";
import type { LoggedRequest, RequestLog } from "./request_log.ts";
import type { WebhookSender } from "./webhooks.ts";

/** What a customer paid and got back, in cents. */
export interface CustomerSummary {
  /** The customer's id; empty for payments without a customer. */
  customer: string;
  /** Attempts that took money. */
  charges_succeeded: number;
  /** Attempts that did not. */
  charges_failed: number;
  /** Cents taken. */
  charged: number;
  /** Refunds made. */
  refunds: number;
  /** Cents given back. */
  refunded: number;
}

/** The books in short. */
export interface StateSummary {
  /** How many objects there are, by kind. */
  objects: Record<string, number>;
  /** How many invoices there are, by status. */
  invoices: Record<string, number>;
  /** How many invoice numbers were given. */
  invoice_numbers: number;
  /** Money by customer. */
  customers: CustomerSummary[];
  /** Requests that are held. */
  held_requests: number;
  /** Deliveries not made yet. */
  webhooks: WebhookSender["backlog"];
}

/** What the control works with. */
export interface ControlSetting {
  /** The processor's state. */
  books: Books;
  /** What is to go wrong. */
  faults: Faults;
  /** The requests so far. */
  requests: RequestLog;
  /** Sends the events. */
  webhooks: WebhookSender;
  /** Holds requests back. */
  api: Api;
  /** Makes changes that no request asked for. */
  desk: Desk;
}

/** The simulator's control, within the process. */
export class Control {
  /** How much larger PDFs are printed, to fill a store's values, bytes. */
  invoicePaddingBytes = 0;
  /** What payers and their banks object to. */
  readonly disputes: ControlDisputes;
  /** What becomes of invoices behind the API's back. */
  readonly invoices: ControlInvoices;
  /** What becomes of accounts that we pay. */
  readonly partners: ControlPartners;
  /** What people do on hosted pages. */
  readonly people: ControlPeople;
  #setting: ControlSetting;

  /** @internal */
  constructor(setting: ControlSetting) {
    this.#setting = setting;
    this.disputes = new ControlDisputes(setting.desk);
    this.invoices = new ControlInvoices(setting.desk);
    this.partners = new ControlPartners(setting.desk);
    this.people = new ControlPeople(setting.desk);
  }

  /** Changes what the processor keeps of coming movements. */
  setFees(fees: Partial<Fees>): void {
    Object.assign(this.#setting.desk.setting.account.fees, fees);
  }

  /** The webhook sender: hold, release, faults, retries. */
  get webhooks(): WebhookSender {
    return this.#setting.webhooks;
  }

  /** Orders a fault; returns its id. */
  addFault(order: FaultOrder): string {
    return this.#setting.faults.add(order);
  }

  /** Takes a fault back; tells whether it was there. */
  removeFault(id: string): boolean {
    return this.#setting.faults.remove(id);
  }

  /** Takes all faults back. */
  clearFaults(): void {
    this.#setting.faults.clear();
  }

  /** The faults lying in wait. */
  faults(): Fault[] {
    return this.#setting.faults.list();
  }

  /** Lets every held or slow request go on. */
  releaseRequests(): void {
    this.#setting.api.releaseHeld();
  }

  /** How many requests are held or slow at this moment. */
  get heldRequests(): number {
    return this.#setting.api.heldCount;
  }

  /** The last requests, oldest first. */
  requests(): LoggedRequest[] {
    return this.#setting.requests.list();
  }

  /** Forgets the requests so far. */
  clearRequests(): void {
    this.#setting.requests.clear();
  }

  /** Every object of a kind, oldest first; not to be changed. */
  objects<N extends TableName>(table: N): readonly Readonly<Tables[N]>[] {
    return [...this.#setting.books.tables[table].values()];
  }

  /**
   * Makes a card behave otherwise from now on.
   *
   * @param paymentMethodId the card
   * @param behaviour a test card's name such as `visa`, or
   * `decline:insufficient_funds`
   * @throws {RangeError} when there is no such card or behaviour
   */
  setCard(paymentMethodId: string, behaviour: string): void {
    if (!isBehaviour(behaviour)) {
      throw new RangeError(`Cannot set the card: unknown "${behaviour}"`);
    }
    this.#setting.desk.change((call) => {
      const old = call.find("card_behaviour", paymentMethodId);
      if (old === undefined) {
        throw new RangeError(`Cannot find the card "${paymentMethodId}"`);
      }
      call.put("card_behaviour", { ...old, behaviour });
    });
  }

  /**
   * Ends a payment that waits for the payer or is processing.
   *
   * @throws {RangeError} when it waits for nothing
   */
  resolvePayment(
    paymentIntentId: string,
    how: "succeed" | "fail",
  ): PaymentStatus {
    return this.#setting.desk.change((call) => {
      const intent = call.find("payment_intent", paymentIntentId);
      const waits = intent?.status === "requires_action" ||
        intent?.status === "processing";
      if (intent === undefined || !waits) {
        throw new RangeError(`Nothing waits in "${paymentIntentId}"`);
      }
      return resolvePayment(call, intent, how).status;
    });
  }

  /**
   * Has a refund come back from the payer's bank.
   *
   * @throws {RangeError} when there is none, or it has come back already
   */
  failRefund(refundId: string): Refund {
    return this.#setting.desk.change((call) => {
      const refund = call.find("refund", refundId);
      if (refund === undefined) throw new RangeError("No such refund");
      return failRefund(call, refund);
    });
  }

  /** The books in short. */
  state(): StateSummary {
    const { books, webhooks, api } = this.#setting;
    const objects: Record<string, number> = {};
    for (const [name, table] of Object.entries(books.tables)) {
      objects[name] = table.size;
    }
    const invoices: Record<string, number> = {};
    for (const { status } of books.tables.invoice.values()) {
      invoices[status] = (invoices[status] ?? 0) + 1;
    }
    return {
      objects,
      invoices,
      invoice_numbers: books.count("invoice_number"),
      customers: summarize(books),
      held_requests: api.heldCount,
      webhooks: webhooks.backlog,
    };
  }
}

function summarize(books: Books): CustomerSummary[] {
  const byCustomer = new Map<string, CustomerSummary>();
  for (const charge of books.tables.charge.values()) {
    const summary = summaryOf(byCustomer, charge.customer ?? "");
    if (charge.paid) {
      summary.charges_succeeded += 1;
      summary.charged += charge.amount;
    } else summary.charges_failed += 1;
  }
  for (const refund of books.tables.refund.values()) {
    if (refund.status === "failed") continue;
    const summary = summaryOf(byCustomer, refund.customer ?? "");
    summary.refunds += 1;
    summary.refunded += refund.amount;
  }
  return [...byCustomer.values()];
}

function summaryOf(
  byCustomer: Map<string, CustomerSummary>,
  customer: string,
): CustomerSummary {
  const summary = byCustomer.get(customer) ?? {
    customer,
    charges_succeeded: 0,
    charges_failed: 0,
    charged: 0,
    refunds: 0,
    refunded: 0,
  };
  byCustomer.set(customer, summary);
  return summary;
}
