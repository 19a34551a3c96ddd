import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import type {
  BalanceTransaction,
  Charge,
  CheckoutSession,
  ConnectedAccount,
  CreditNote,
  CreditNoteLine,
  Customer,
  Dispute,
  EventObject,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  PortalSession,
  Refund,
  SetupIntent,
  TaxId,
  TaxRate,
  Transfer,
  TransferReversal,
  VerificationSession,
} from "../../../simulators/stripe/mod.ts";

/** Members of an SDK type that are always there. */
type Always<T> = {
  [K in keyof T]-?: undefined extends T[K] ? never : K;
}[keyof T];

/** `true` when nothing the SDK promises is missing, else what is. */
type Complete<Ours, Theirs> = Exclude<Always<Theirs>, keyof Ours> extends never
  ? true
  : Exclude<Always<Theirs>, keyof Ours>;

/** `true` when we send nothing the SDK does not know, else what. */
type Known<Ours, Theirs> = Exclude<keyof Ours, keyof Theirs> extends never
  ? true
  : Exclude<keyof Ours, keyof Theirs>;

type Both<Ours, Theirs> = [Complete<Ours, Theirs>, Known<Ours, Theirs>];

/** The types of the pinned SDK leave out what previews of the API add. */
type ReleasedMethod = Omit<PaymentMethod, "shared_payment_granted_token">;

Deno.test("Every object has exactly the members the SDK's type promises", () => {
  // Checked by the compiler: a member too few or too many does not compile.
  const shapes: Record<string, [true, true]> = {
    account: [true, true] satisfies Both<ConnectedAccount, Stripe.Account>,
    transfer: [true, true] satisfies Both<
      Transfer & Pick<Stripe.Transfer, "reversals">,
      Stripe.Transfer
    >,
    reversal: [true, true] satisfies Both<
      TransferReversal,
      Stripe.TransferReversal
    >,
    balance: [true, true] satisfies Both<
      BalanceTransaction,
      Stripe.BalanceTransaction
    >,
    checkout: [true, true] satisfies Both<
      CheckoutSession,
      Stripe.Checkout.Session
    >,
    creditNote: [true, true] satisfies Both<CreditNote, Stripe.CreditNote>,
    creditLine: [true, true] satisfies Both<
      CreditNoteLine,
      Stripe.CreditNoteLineItem
    >,
    dispute: [true, true] satisfies Both<Dispute, Stripe.Dispute>,
    evidence: [true, true] satisfies Both<
      Dispute["evidence"],
      Stripe.Dispute.Evidence
    >,
    portal: [true, true] satisfies Both<
      PortalSession,
      Stripe.BillingPortal.Session
    >,
    setup: [true, true] satisfies Both<SetupIntent, Stripe.SetupIntent>,
    identity: [true, true] satisfies Both<
      VerificationSession,
      Stripe.Identity.VerificationSession
    >,
    charge: [true, true] satisfies Both<Charge, Stripe.Charge>,
    customer: [true, true] satisfies Both<Customer, Stripe.Customer>,
    event: [true, true] satisfies Both<EventObject, Stripe.EventBase>,
    invoice: [true, true] satisfies Both<Invoice, Stripe.Invoice>,
    item: [true, true] satisfies Both<InvoiceItem, Stripe.InvoiceItem>,
    line: [true, true] satisfies Both<InvoiceLine, Stripe.InvoiceLineItem>,
    intent: [true, true] satisfies Both<PaymentIntent, Stripe.PaymentIntent>,
    method: [true, true] satisfies Both<ReleasedMethod, Stripe.PaymentMethod>,
    payment: [true, true] satisfies Both<InvoicePayment, Stripe.InvoicePayment>,
    refund: [true, true] satisfies Both<Refund, Stripe.Refund>,
    taxId: [true, true] satisfies Both<TaxId, Stripe.TaxId>,
    taxRate: [true, true] satisfies Both<TaxRate, Stripe.TaxRate>,
  };
  assertEquals(Object.values(shapes).flat().every(Boolean), true);
});

/**
 * `true` when every value is of the SDK's type, else the names of those that
 * are not. Decimals are text on the wire and objects in the SDK alone.
 */
type Fits<Ours, Theirs, Decimals extends keyof Ours = never> =
  Misfits<Omit<Ours, Decimals>, Theirs> extends never ? true
    : Misfits<Omit<Ours, Decimals>, Theirs>;

type Misfits<Ours, Theirs> = {
  [K in keyof Ours & keyof Theirs]: Ours[K] extends Theirs[K] ? never : K;
}[keyof Ours & keyof Theirs];

Deno.test("Every value is of the type the SDK promises", () => {
  const values: Record<string, true> = {
    balance: true satisfies Fits<BalanceTransaction, Stripe.BalanceTransaction>,
    checkout: true satisfies Fits<CheckoutSession, Stripe.Checkout.Session>,
    creditNote: true satisfies Fits<CreditNote, Stripe.CreditNote, "lines">,
    creditLine: true satisfies Fits<
      CreditNoteLine,
      Stripe.CreditNoteLineItem,
      "unit_amount_decimal"
    >,
    dispute: true satisfies Fits<Dispute, Stripe.Dispute>,
    portal: true satisfies Fits<PortalSession, Stripe.BillingPortal.Session>,
    refund: true satisfies Fits<Refund, Stripe.Refund>,
    setup: true satisfies Fits<SetupIntent, Stripe.SetupIntent>,
    identity: true satisfies Fits<
      VerificationSession,
      Stripe.Identity.VerificationSession
    >,
    invoice: true satisfies Fits<Invoice, Stripe.Invoice, "lines">,
  };
  assertEquals(Object.values(values).every(Boolean), true);
});
