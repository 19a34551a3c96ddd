/**
 * The payment processor as the domain sees it. Amounts are integer cents.
 *
 * Every call that changes something carries an idempotency key and has a time
 * limit. A definite no is a value; anything uncertain (time-out, 5xx, lost
 * connection, rate limit) throws `ProcessorUncertain`, never a guess.
 *
 * @module
 */
import type { Outcome, Page, TimeSpan } from "./outcome.ts";
import type { BooksProcessor } from "./processor_books.ts";
import type { CardProcessor, ProcessorCard } from "./processor_cards.ts";
import type {
  CreditNoteProcessor,
  ProcessorRefund,
  RefundStanding,
} from "./processor_credit_notes.ts";
import type { DisputeProcessor } from "./processor_disputes.ts";
import type { IdentityProcessor } from "./processor_identity.ts";
import type { PartnerProcessor } from "./processor_partners.ts";

/** The state of a processor invoice. */
export type InvoiceStatus =
  | "draft"
  | "open"
  | "paid"
  | "uncollectible"
  | "void";

/** An invoice at the processor, as lists show it. */
export interface ListedInvoice {
  id: string;
  status: InvoiceStatus;
  customerId: string;
  /** Our own, such as what the invoice is for. */
  metadata: Record<string, string>;
  totalCents: number;
  /** VAT contained in the total. */
  taxCents: number;
  amountPaidCents: number;
  number: string | null;
  /** When it got its number; null for a draft. */
  finalizedAtMs: number | null;
  /** When its last cent came; null while it is not paid. */
  paidAtMs: number | null;
  /**
   * The payments that were to pay it, those that did first. An invoice by itself
   * names all of them, 10 at most; a list names the last 10 of each.
   */
  paymentIds: string[];
}

/** An invoice at the processor. */
export interface ProcessorInvoice extends ListedInvoice {
  /** A payment is under way and not decided; it has to be waited for. */
  paymentProcessing: boolean;
}

/** The code of a no to a download that is larger than asked for. */
export const FILE_TOO_LARGE = "file_too_large";

/** A customer to be billed. */
export interface CustomerDetails {
  accountId: string;
  email: string;
  name: string;
  country: string;
  line1: string;
  city: string;
  postalCode: string;
  vatId: string | null;
  /** The recipient owes the VAT (EU business outside the seller's country). */
  reverseCharge: boolean;
}

/** VAT that is contained in an amount. */
export interface ContainedVat {
  /** Whose VAT it is, ISO 3166-1 alpha-2. */
  country: string;
  /** Hundredths of a percent. */
  rate: number;
}

/**
 * How far a payment without an invoice is. `refused`: the attempt failed and
 * nothing will be taken.
 */
export type ProcessorPaymentStatus =
  | "succeeded"
  | "processing"
  | "requires_action"
  | "refused"
  | "canceled";

/** A payment without an invoice at the processor. */
export interface ProcessorPayment {
  id: string;
  status: ProcessorPaymentStatus;
  amountReceivedCents: number;
  /** Our own, such as what it is for; empty for a payment of an invoice. */
  metadata: Record<string, string>;
  /** Where the card was issued, ISO 3166-1 alpha-2, when the charge says it. */
  cardCountry: string | null;
}

/** The part of the port that tells the time. */
export interface ClockProcessor {
  /** What the processor's clock says, epoch ms; null where it does not answer. */
  retrieveClock(): Promise<number | null>;
}

/** The part of the port that knows customers. */
export interface CustomerProcessor {
  createCustomer(
    details: CustomerDetails,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /** Tells a customer's details anew; its VAT id replaces any other. */
  updateCustomer(
    customerId: string,
    details: CustomerDetails,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /**
   * One page of an account's customers, whatever address they have: more than one
   * where the answer to its making was lost, or the store since. One of the last
   * minute may not be among them yet.
   */
  listCustomers(
    accountId: string,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<{ id: string }>>>;
  /** Deletes a customer for good, with its cards; its invoices stay. */
  deleteCustomer(
    customerId: string,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /** Attaches a card for later off-session charges. */
  attachCard(
    customerId: string,
    paymentMethodId: string,
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorCard>>;
}

/** The part of the port that makes invoices and has them paid. */
export interface InvoiceProcessor {
  /**
   * An empty draft invoice that nothing else is added to by itself. The footer
   * is printed on it, such as why there is no VAT in it.
   */
  createInvoice(
    input: {
      customerId: string;
      metadata: Record<string, string>;
      footer?: string;
    },
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorInvoice>>;
  /**
   * The invoice's one line. The amount is what is paid in any case: VAT is
   * contained in it, none where no rate is given or the customer owes it.
   */
  addInvoiceLine(
    input: {
      customerId: string;
      invoiceId: string;
      amountCents: number;
      description: string;
      vat?: ContainedVat;
    },
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  finalizeInvoice(
    invoiceId: string,
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorInvoice>>;
  /** Charges a saved card off-session. */
  payInvoice(
    invoiceId: string,
    paymentMethodId: string,
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorInvoice>>;
  voidInvoice(
    invoiceId: string,
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorInvoice>>;
  /** Removes a draft, which can't be voided. */
  deleteDraftInvoice(
    invoiceId: string,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /** @throws {ProcessorUncertain} also when it has more than 10 payments */
  retrieveInvoice(invoiceId: string): Promise<Outcome<ProcessorInvoice>>;
  /** Newest first; the cursor is the last page's `nextCursor`. */
  listInvoices(
    createdMs: TimeSpan,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<ListedInvoice>>>;
  /**
   * The printed invoice, once it is finalised; refused as
   * {@linkcode FILE_TOO_LARGE} when it is larger than `maxBytes`.
   */
  downloadInvoicePdf(
    invoiceId: string,
    maxBytes: number,
  ): Promise<Outcome<Uint8Array<ArrayBuffer>>>;
}

/** The part of the port that knows payments, above all those without an invoice. */
export interface PaymentProcessor {
  /**
   * Charges a shared payment token of a buyer's agent, EUR, at once. No for a
   * declined, expired, revoked, used up or too small token.
   */
  chargeSharedToken(
    input: {
      amountCents: number;
      token: string;
      metadata: Record<string, string>;
    },
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorPayment>>;
  retrievePayment(paymentId: string): Promise<Outcome<ProcessorPayment>>;
  /**
   * Finds a payment by a metadata value among those created in a span of time,
   * both ends included, epoch ms. Null when none of them is it.
   *
   * @throws {ProcessorUncertain} also when there are more than can be read
   */
  findPayment(
    metadata: { name: string; value: string },
    createdMs: { from: number; until: number },
  ): Promise<Outcome<ProcessorPayment | null>>;
  /** The invoice that a payment was to pay; null when it was for none. */
  findInvoiceOfPayment(
    paymentId: string,
  ): Promise<Outcome<{ id: string } | null>>;
  /** Ends a payment that waits for the buyer. */
  cancelPayment(
    paymentId: string,
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorPayment>>;
  /** Gives back so much of a payment; all that was not yet unless said. */
  refundPayment(
    paymentId: string,
    idempotencyKey: string,
    amountCents?: number,
  ): Promise<Outcome<{ id: string }>>;
  /**
   * Every refund of a payment, whoever made it, oldest first; those that failed
   * are none.
   *
   * @throws {ProcessorUncertain} also when there are more than 100
   */
  listRefunds(paymentId: string): Promise<Outcome<ProcessorRefund[]>>;
  /** One refund, also one that failed. */
  retrieveRefund(refundId: string): Promise<Outcome<RefundStanding>>;
}

/** The port to the processor. */
export interface Processor
  extends
    BooksProcessor,
    CardProcessor,
    ClockProcessor,
    CreditNoteProcessor,
    CustomerProcessor,
    DisputeProcessor,
    IdentityProcessor,
    InvoiceProcessor,
    PartnerProcessor,
    PaymentProcessor {}
