import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import {
  draftOver,
  openOver,
  payer,
  refusal,
  withSimulator,
} from "./support.ts";

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
    const again = await stripe.invoices.create({
      customer,
      pending_invoice_items_behavior: "include",
    });
    assertEquals(again.total, 0);
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
