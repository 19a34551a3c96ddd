import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import type Stripe from "stripe";
import {
  draftOver,
  openOver,
  payer,
  refusal,
  withSimulator,
} from "./support.ts";

Deno.test("POST /v1/invoices makes a draft without number, PDF or charge", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 12_345);

    assertEquals([draft.status, draft.number], ["draft", null]);
    assertEquals(draft.invoice_pdf, null);
    assertEquals([draft.total, draft.amount_due], [12_345, 12_345]);
    assertEquals(
      draft.lines.data.map(({ amount, description }) => [
        amount,
        description,
      ]),
      [[12_345, "Spotlight of 2026-11-20"]],
    );
    assertEquals((await stripe.charges.list()).data, []);
  }));

Deno.test("POST …/finalize opens the invoice with the next number and a PDF", () =>
  withSimulator(async ({ stripe, sim }) => {
    const { customer } = await payer(stripe);
    const numbers = [];
    for (const amount of [100, 200, 300]) {
      const open = await openOver(stripe, customer, amount);
      assertEquals([open.status, open.amount_due], ["open", amount]);
      assert(open.invoice_pdf?.startsWith(`${sim.url}/invoice/`));
      assertExists(open.status_transitions.finalized_at);
      numbers.push(open.number);
    }
    assertEquals(numbers, ["SIM-0001", "SIM-0002", "SIM-0003"]);
  }));

Deno.test("POST …/finalize in parallel gives distinct numbers without a gap", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const drafts = [];
    for (let at = 0; at < 12; at++) {
      drafts.push(await draftOver(stripe, customer, 100));
    }
    const open = await Promise.all(
      drafts.map(({ id }) => stripe.invoices.finalizeInvoice(id)),
    );
    assertEquals(
      open.map(({ number }) => number).sort(),
      drafts.map((_, at) => `SIM-${String(at + 1).padStart(4, "0")}`),
    );
  }));

Deno.test("A draft deleted, and a finalization refused, leave no gap in the numbers", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const first = await openOver(stripe, customer, 100);
    const deleted = await draftOver(stripe, customer, 100);
    await stripe.invoices.del(deleted.id);
    await refusal(stripe.invoices.finalizeInvoice(first.id));
    const second = await openOver(stripe, customer, 100);

    assertEquals([first.number, second.number], ["SIM-0001", "SIM-0002"]);
  }));

Deno.test("POST …/finalize refuses a total above 99,999,999 cents and leaves the draft", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 99_999_999);
    await stripe.invoiceItems.create({
      customer,
      invoice: draft.id,
      amount: 1,
      currency: "eur",
    });
    const error = await refusal(stripe.invoices.finalizeInvoice(draft.id));

    assertEquals([error.statusCode, error.code], [400, "amount_too_large"]);
    const left = await stripe.invoices.retrieve(draft.id);
    assertEquals([left.status, left.number], ["draft", null]);
  }));

Deno.test("POST /v1/invoiceitems refuses an amount above 99,999,999 cents", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const error = await refusal(stripe.invoiceItems.create({
      customer,
      amount: 100_000_000,
      currency: "eur",
    }));
    assertEquals(error.code, "amount_too_large");
  }));

Deno.test("POST …/pay charges the named card off-session and marks the invoice paid", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 12_345);
    const paid = await stripe.invoices.pay(open.id, {
      payment_method: card,
      off_session: true,
      expand: ["payments.data.payment.payment_intent"],
    });

    assertEquals([paid.status, paid.amount_paid], ["paid", 12_345]);
    assertEquals([paid.amount_remaining, paid.attempt_count], [0, 1]);
    assertExists(paid.status_transitions.paid_at);
    const [payment] = paid.payments?.data ?? [];
    assertEquals([payment?.status, payment?.amount_paid], ["paid", 12_345]);
    const intent = payment?.payment.payment_intent as Stripe.PaymentIntent;
    assertEquals([intent.status, intent.customer], ["succeeded", customer]);
    const { data } = await stripe.charges.list({ customer });
    assertEquals(data.map((charge) => [charge.id, charge.amount]), [
      [String(intent.latest_charge), 12_345],
    ]);
  }));

Deno.test("POST …/pay takes the customer's default card when none is named", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: card },
    });
    const open = await openOver(stripe, customer, 500);
    assertEquals((await stripe.invoices.pay(open.id)).status, "paid");
  }));

Deno.test("POST …/pay refuses without any card", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const error = await refusal(stripe.invoices.pay(open.id));
    assertEquals([error.statusCode, error.param], [400, "payment_method"]);
  }));

Deno.test("POST …/pay refuses another customer's card", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const other = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const error = await refusal(
      stripe.invoices.pay(open.id, { payment_method: other.card }),
    );
    assertEquals([error.statusCode, error.code], [400, "resource_missing"]);
    assertEquals((await stripe.charges.list()).data, []);
  }));

Deno.test("POST /v1/invoices/{id}/pay answers 402 and leaves the invoice open on a declined card", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    const open = await openOver(stripe, customer, 500);
    const error = await refusal(
      stripe.invoices.pay(open.id, { payment_method: card, off_session: true }),
    );

    assertEquals([error.statusCode, error.code], [402, "card_declined"]);
    assertEquals(error.payment_intent?.status, "requires_payment_method");
    const left = await stripe.invoices.retrieve(open.id);
    assertEquals([left.status, left.attempt_count], ["open", 1]);
    assertEquals([left.amount_paid, left.amount_remaining], [0, 500]);

    const other = await stripe.paymentMethods.attach("pm_card_visa", {
      customer,
    });
    const paid = await stripe.invoices.pay(open.id, {
      payment_method: other.id,
    });
    assertEquals([paid.status, paid.attempt_count], ["paid", 2]);
    const { data } = await stripe.charges.list({ customer });
    assertEquals(data.map(({ status }) => status), ["succeeded", "failed"]);
  }));

Deno.test("POST …/pay is off-session unless said otherwise", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_authenticationRequired",
    );
    const open = await openOver(stripe, customer, 500);
    const away = await refusal(
      stripe.invoices.pay(open.id, { payment_method: card }),
    );
    assertEquals(away.code, "authentication_required");

    const there = await refusal(
      stripe.invoices.pay(open.id, {
        payment_method: card,
        off_session: false,
      }),
    );
    assertEquals(there.statusCode, 402);
    assertEquals(there.code, "invoice_payment_intent_requires_action");
    assertEquals(there.payment_intent?.status, "requires_action");
    assertEquals((await stripe.invoices.retrieve(open.id)).status, "open");
  }));

Deno.test("A payment that is processing keeps its invoice open and unvoidable until it ends", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    sim.control.addFault({ kind: "processing", path: "/v1/invoices/*/pay" });
    const waiting = await stripe.invoices.pay(open.id, {
      payment_method: card,
      expand: ["payments"],
    });
    assertEquals(waiting.status, "open");
    const error = await refusal(stripe.invoices.voidInvoice(open.id));
    assertEquals(error.code, "payment_intent_unexpected_state");
    const again = await refusal(
      stripe.invoices.pay(open.id, { payment_method: card }),
    );
    assertEquals(again.code, "payment_intent_unexpected_state");

    const [payment] = waiting.payments?.data ?? [];
    const intent = String(payment?.payment.payment_intent);
    sim.control.resolvePayment(intent, "succeed");
    assertEquals((await stripe.invoices.retrieve(open.id)).status, "paid");
  }));

Deno.test("POST …/pay finalizes a draft first", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const paid = await stripe.invoices.pay(draft.id, { payment_method: card });
    assertEquals([paid.status, paid.number], ["paid", "SIM-0001"]);
  }));

Deno.test("A declined payment of a draft leaves it open with its number", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    const draft = await draftOver(stripe, customer, 500);
    await refusal(stripe.invoices.pay(draft.id, { payment_method: card }));
    const left = await stripe.invoices.retrieve(draft.id);
    assertEquals([left.status, left.number], ["open", "SIM-0001"]);
  }));

Deno.test("POST …/pay refuses a paid invoice and charges nothing more", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    await stripe.invoices.pay(open.id, { payment_method: card });
    const error = await refusal(
      stripe.invoices.pay(open.id, { payment_method: card }),
    );
    assertEquals(error.statusCode, 400);
    assertEquals(error.message, "Invoice is already paid");
    assertEquals((await stripe.charges.list({ customer })).data.length, 1);
  }));

Deno.test("POST …/void voids an open invoice for good and cancels its intent", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const voided = await stripe.invoices.voidInvoice(open.id, {
      expand: ["payments.data.payment.payment_intent"],
    });
    assertEquals([voided.status, voided.number], ["void", open.number]);
    const [payment] = voided.payments?.data ?? [];
    assertEquals(payment?.status, "canceled");
    const intent = payment?.payment.payment_intent as Stripe.PaymentIntent;
    assertEquals([intent.status, intent.cancellation_reason], [
      "canceled",
      "void_invoice",
    ]);

    const pay = await refusal(
      stripe.invoices.pay(open.id, { payment_method: card }),
    );
    assertEquals(pay.statusCode, 400);
    const again = await refusal(stripe.invoices.voidInvoice(open.id));
    assertEquals(again.statusCode, 400);
    assertEquals((await stripe.charges.list()).data, []);
  }));

Deno.test("POST …/void refuses a paid invoice and a draft", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    await stripe.invoices.pay(open.id, { payment_method: card });
    const paid = await refusal(stripe.invoices.voidInvoice(open.id));
    assertMatch(paid.message, /isn't open/);
    assertEquals((await stripe.invoices.retrieve(open.id)).status, "paid");

    const draft = await draftOver(stripe, customer, 500);
    const error = await refusal(stripe.invoices.voidInvoice(draft.id));
    assertEquals(error.statusCode, 400);
  }));

Deno.test("POST …/finalize refuses an invoice that is final", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const error = await refusal(stripe.invoices.finalizeInvoice(open.id));
    assertEquals([error.statusCode, error.code], [400, "invoice_not_editable"]);
  }));

Deno.test("An invoice over nothing is paid when finalized, without a charge", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const { id } = await stripe.invoices.create({ customer });
    const paid = await stripe.invoices.finalizeInvoice(id);
    assertEquals([paid.status, paid.total], ["paid", 0]);
    assertEquals((await stripe.charges.list()).data, []);
  }));
