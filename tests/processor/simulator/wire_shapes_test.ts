import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import type {
  Charge,
  Customer,
  EventObject,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  Refund,
  TaxId,
  TaxRate,
} from "../../../processor/simulator/mod.ts";

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
