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

Deno.test("Pending items join an invoice only when it includes them", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    await stripe.invoiceItems.create({
      customer,
      amount: 700,
      currency: "eur",
    });
    const without = await stripe.invoices.create({ customer });
    assertEquals(without.total, 0);
    const withIt = await stripe.invoices.create({
      customer,
      pending_invoice_items_behavior: "include",
    });
    assertEquals(withIt.total, 700);
    const { data } = await stripe.invoiceItems.list({
      customer,
      pending: true,
    });
    assertEquals(data, []);
  }));

Deno.test("GET /v1/invoiceitems lists the items of an invoice", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    await draftOver(stripe, customer, 600);
    const { data } = await stripe.invoiceItems.list({ invoice: draft.id });
    assertEquals(data.map(({ amount }) => amount), [500]);
  }));

Deno.test("DELETE /v1/invoiceitems/{id} lowers the draft's total, and is refused later", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const item = await stripe.invoiceItems.create({
      customer,
      invoice: draft.id,
      amount: 200,
      currency: "eur",
    });
    await stripe.invoiceItems.del(item.id);
    const open = await stripe.invoices.finalizeInvoice(draft.id);
    assertEquals(open.total, 500);

    const [left] = (await stripe.invoiceItems.list({ invoice: open.id })).data;
    const error = await refusal(stripe.invoiceItems.del(left?.id ?? ""));
    assertEquals(error.code, "invoice_not_editable");
  }));

Deno.test("POST /v1/invoiceitems refuses a final invoice and another customer's", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const other = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    const item = { amount: 1, currency: "eur" };
    const final = await refusal(
      stripe.invoiceItems.create({ ...item, customer, invoice: open.id }),
    );
    assertEquals(final.code, "invoice_not_editable");

    const draft = await draftOver(stripe, customer, 500);
    const foreign = await refusal(stripe.invoiceItems.create({
      ...item,
      customer: other.customer,
      invoice: draft.id,
    }));
    assertEquals(foreign.param, "customer");
  }));

Deno.test("POST /v1/invoices/{id} changes a draft; of a final one only metadata and card", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const changed = await stripe.invoices.update(draft.id, {
      description: "Spotlight",
      metadata: { day: "2026-11-20" },
    });
    assertEquals(changed.description, "Spotlight");
    await stripe.invoices.finalizeInvoice(draft.id);

    const error = await refusal(
      stripe.invoices.update(draft.id, { description: "Other" }),
    );
    assertEquals(error.code, "invoice_not_editable");
    const noted = await stripe.invoices.update(draft.id, {
      metadata: { seen: "yes" },
    });
    assertEquals(noted.metadata, { day: "2026-11-20", seen: "yes" });
    assertEquals(noted.status, "open");
  }));

Deno.test("DELETE /v1/invoices/{id} removes a draft and refuses a final invoice", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    assertEquals((await stripe.invoices.del(draft.id)).deleted, true);
    const gone = await refusal(stripe.invoices.retrieve(draft.id));
    assertEquals([gone.statusCode, gone.code], [404, "resource_missing"]);

    const open = await openOver(stripe, customer, 500);
    const error = await refusal(stripe.invoices.del(open.id));
    assertEquals(error.statusCode, 400);
  }));

Deno.test("GET /v1/invoices filters by customer, status and time", () =>
  withSimulator(async ({ clock, stripe }) => {
    const { customer, card } = await payer(stripe);
    const other = await payer(stripe);
    await draftOver(stripe, other.customer, 500);
    const paid = await openOver(stripe, customer, 500);
    await stripe.invoices.pay(paid.id, { payment_method: card });
    clock.advance(60_000);
    const open = await openOver(stripe, customer, 600);

    const ids = async (params: Stripe.InvoiceListParams) =>
      (await stripe.invoices.list(params)).data.map(({ id }) => id);
    assertEquals(await ids({ customer }), [open.id, paid.id]);
    assertEquals(await ids({ status: "paid" }), [paid.id]);
    assertEquals(await ids({ customer, status: "void" }), []);
    assertEquals(await ids({ created: { gt: paid.created } }), [open.id]);
    assertEquals(await ids({ customer, created: paid.created }), [paid.id]);
  }));

Deno.test("automatic_tax and auto_advance are refused when switched on", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const tax = await refusal(stripe.invoices.create({
      customer,
      automatic_tax: { enabled: true },
    }));
    assertEquals(tax.param, "automatic_tax[enabled]");
    const advance = await refusal(
      stripe.invoices.create({ customer, auto_advance: true }),
    );
    assertEquals(advance.param, "auto_advance");
  }));

Deno.test("An inclusive tax is contained in the total", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create();
    const rate = await stripe.taxRates.create({
      display_name: "VAT",
      percentage: 20,
      inclusive: true,
      country: "AT",
    });
    const invoice = await stripe.invoices.create({
      customer: id,
      default_tax_rates: [rate.id],
    });
    await stripe.invoiceItems.create({
      customer: id,
      invoice: invoice.id,
      amount: 12_000,
      currency: "eur",
      tax_behavior: "inclusive",
    });
    const open = await stripe.invoices.finalizeInvoice(invoice.id);
    assertEquals([open.total, open.subtotal], [12_000, 12_000]);
    assertEquals(open.total_excluding_tax, 10_000);
    assertEquals(open.total_taxes?.map(({ amount }) => amount), [2_000]);
  }));

Deno.test("Reverse charge leaves an inclusive total as it is, without tax", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({
      tax_exempt: "reverse",
      tax_id_data: [{ type: "eu_vat", value: "DE123456789" }],
    });
    const rate = await stripe.taxRates.create({
      display_name: "VAT",
      percentage: 20,
      inclusive: true,
    });
    const invoice = await stripe.invoices.create({ customer: id });
    await stripe.invoiceItems.create({
      customer: id,
      invoice: invoice.id,
      amount: 12_000,
      currency: "eur",
      tax_behavior: "inclusive",
      tax_rates: [rate.id],
    });
    const open = await stripe.invoices.finalizeInvoice(invoice.id);
    assertEquals([open.total, open.total_excluding_tax], [12_000, 12_000]);
    assertEquals(open.total_taxes?.[0]?.taxability_reason, "reverse_charge");
    assertEquals(open.customer_tax_exempt, "reverse");
    assertEquals(open.customer_tax_ids, [
      { type: "eu_vat", value: "DE123456789" },
    ]);
  }));

Deno.test("An exclusive tax is added to the total", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create();
    const rate = await stripe.taxRates.create({
      display_name: "VAT",
      percentage: 20,
      inclusive: false,
    });
    const invoice = await stripe.invoices.create({ customer: id });
    await stripe.invoiceItems.create({
      customer: id,
      invoice: invoice.id,
      amount: 10_000,
      currency: "eur",
      tax_rates: [rate.id],
    });
    const open = await stripe.invoices.finalizeInvoice(invoice.id);
    assertEquals([open.total, open.subtotal], [12_000, 10_000]);
    assertEquals(open.total_excluding_tax, 10_000);
  }));

Deno.test("GET …/lines pages through the lines beyond the ten that are shown", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 1);
    for (let amount = 2; amount <= 12; amount++) {
      await stripe.invoiceItems.create({
        customer,
        invoice: draft.id,
        amount,
        currency: "eur",
      });
    }
    const shown = await stripe.invoices.retrieve(draft.id);
    assertEquals([shown.lines.data.length, shown.lines.has_more], [10, true]);
    const rest = await stripe.invoices.listLineItems(draft.id, {
      starting_after: shown.lines.data.at(-1)?.id ?? "",
    });
    assertEquals(rest.data.map(({ amount }) => amount), [11, 12]);
    assertEquals([rest.has_more, shown.total], [false, 78]);
  }));
