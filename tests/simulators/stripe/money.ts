/**
 * Money that has moved, for the tests of what follows from it.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import { openOver, payer } from "./support.ts";

/** A paid invoice with the charge that paid it. */
export async function paidInvoice(
  stripe: Stripe,
  amount = 12_100,
  card = "pm_card_visa",
): Promise<{ invoice: Stripe.Invoice; payment: string; charge: string }> {
  const payers = await payer(stripe, card);
  const { id } = await openOver(stripe, payers.customer, amount);
  const invoice = await stripe.invoices.pay(id, {
    payment_method: payers.card,
    off_session: true,
    expand: ["payments"],
  });
  const payment = String(invoice.payments?.data[0]?.payment.payment_intent);
  const { latest_charge } = await stripe.paymentIntents.retrieve(payment);
  return { invoice, payment, charge: String(latest_charge) };
}

/** The types of all events so far that begin so, oldest first. */
export async function eventsOf(
  stripe: Stripe,
  ...groups: string[]
): Promise<string[]> {
  const { data, has_more } = await stripe.events.list({ limit: 100 });
  assertEquals(has_more, false, "more events than one page");
  const types = data.map(({ type }) => String(type)).reverse();
  return types.filter((type) => groups.some((group) => type.startsWith(group)));
}

/** What the balance came to, gross and by category. */
export async function movements(
  stripe: Stripe,
): Promise<[category: string, amount: number, fee: number][]> {
  const { data } = await stripe.balanceTransactions.list({ limit: 100 });
  return data.reverse().map((moved) => [
    moved.reporting_category,
    moved.amount,
    moved.fee,
  ]);
}
