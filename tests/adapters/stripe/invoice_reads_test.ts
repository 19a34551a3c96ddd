import { assert, assertEquals } from "@std/assert";
import type { ListedInvoice } from "../../../domain/payments/processor.ts";
import { valueOf, withProcessor } from "./desk.ts";
import { paidInvoice } from "../../simulators/stripe/money.ts";
import { draftOver, openOver, payer } from "../../simulators/stripe/support.ts";

Deno.test("retrieveInvoice() tells whose it is, what for, when, and what paid it", () =>
  withProcessor(async ({ processor, stripe, clock }) => {
    const { customer, card } = await payer(stripe, "pm_card_visa");
    const metadata = { purpose: "spotlight", day: "2026-11-20" };
    const createdAtMs = Math.floor(clock.nowMs / 1_000) * 1_000;
    const made = valueOf(
      await processor.createInvoice({ customerId: customer, metadata }, "i:1"),
    );
    const draft: ListedInvoice & { paymentProcessing: boolean } = {
      id: made.id,
      status: "draft",
      customerId: customer,
      metadata,
      totalCents: 0,
      taxCents: 0,
      amountPaidCents: 0,
      number: null,
      finalizedAtMs: null,
      paidAtMs: null,
      paymentIds: [],
      paymentProcessing: false,
    };
    assertEquals(made, draft);
    await processor.addInvoiceLine({
      customerId: customer,
      invoiceId: made.id,
      amountCents: 12_100,
      description: "Spotlight of 2026-11-20",
    }, "i:2");
    clock.advance(60_000);
    const open = valueOf(await processor.finalizeInvoice(made.id, "i:3"));
    const [paymentId = ""] = open.paymentIds;
    assert(paymentId.startsWith("pi_"));
    assertEquals(open, {
      ...draft,
      status: "open",
      totalCents: 12_100,
      number: "SIM-0001",
      finalizedAtMs: createdAtMs + 60_000,
      paymentIds: [paymentId],
    });
    const paid = valueOf(await processor.payInvoice(made.id, card, "i:4"));
    const end = {
      ...open,
      status: "paid",
      amountPaidCents: 12_100,
      paidAtMs: createdAtMs + 60_000,
    } as const;
    assertEquals(paid, end);
    assertEquals(valueOf(await processor.retrieveInvoice(made.id)), end);
  }));

Deno.test("retrieveInvoice() sees a payment that is still processing", () =>
  withProcessor(async ({ processor, stripe, sim }) => {
    const { customer, card } = await payer(stripe);
    const { id } = await openOver(stripe, customer, 500);
    sim.control.addFault({ kind: "processing" });
    await processor.payInvoice(id, card, "pay");
    const found = await processor.retrieveInvoice(id);
    assertEquals(valueOf(found)?.paymentProcessing, true);
  }));

Deno.test("the tax in an invoice is told, none where the recipient owes it", () =>
  withProcessor(async ({ processor, stripe }) => {
    const rate = await stripe.taxRates.create({
      display_name: "VAT",
      inclusive: true,
      percentage: 21,
    });
    const taxes: number[] = [];
    for (const tax_exempt of ["none", "reverse"] as const) {
      const { id: customer } = await stripe.customers.create({ tax_exempt });
      const { id } = await stripe.invoices.create({ customer });
      await stripe.invoiceItems.create({
        customer,
        invoice: id,
        amount: 12_100,
        currency: "eur",
        tax_rates: [rate.id],
      });
      const invoice = valueOf(await processor.finalizeInvoice(id, `f:${id}`));
      assertEquals(invoice.totalCents, 12_100);
      taxes.push(invoice.taxCents);
    }
    assertEquals(taxes, [2_100, 0]);
  }));

Deno.test("listInvoices() gives every invoice of a span once, with its payments", () =>
  withProcessor(async ({ processor, stripe, clock }) => {
    const all: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { invoice } = await paidInvoice(stripe, 500 + i);
      all.unshift(invoice.id);
      clock.advance(1_000);
    }
    const { customer } = await payer(stripe);
    all.unshift((await draftOver(stripe, customer, 500)).id);
    const span = { from: clock.nowMs - 2_000, until: clock.nowMs };
    const first = valueOf(await processor.listInvoices(span, null, 2));
    const { nextCursor } = first;
    const rest = valueOf(await processor.listInvoices(span, nextCursor, 2));
    const items = [...first.items, ...rest.items];
    assertEquals(items.map(({ id }) => id), all.slice(0, 3));
    assertEquals(items.map(({ paymentIds }) => paymentIds.length), [0, 1, 1]);
    assertEquals(rest.nextCursor, null);
    for (const item of items) {
      const { paymentProcessing: _, ...seen } = valueOf(
        await processor.retrieveInvoice(item.id),
      );
      assertEquals(item, seen);
    }
  }));

Deno.test("refundPayment() gives back what came late for a voided invoice", () =>
  withProcessor(async ({ processor, stripe, sim }) => {
    const { customer } = await payer(stripe);
    const { id } = await openOver(stripe, customer, 500);
    valueOf(await processor.voidInvoice(id, "void"));
    const late = sim.control.invoices.payLate(id);
    const invoice = valueOf(await processor.retrieveInvoice(id));
    assertEquals(
      [invoice.status, invoice.amountPaidCents, invoice.paymentIds],
      ["void", 500, [late.id]],
    );
    valueOf(await processor.refundPayment(late.id, "refund"));
    const [refund] = (await stripe.refunds.list()).data;
    assertEquals([refund?.payment_intent, refund?.amount], [late.id, 500]);
  }));
