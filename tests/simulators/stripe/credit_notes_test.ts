import { assert, assertEquals } from "@std/assert";
import type Stripe from "stripe";
import fc from "fast-check";
import { eventsOf, movements, paidInvoice } from "./money.ts";
import { printedAt } from "./pdf_text.ts";
import {
  draftOver,
  isReplay,
  openOver,
  payer,
  refusal,
  withSimulator,
} from "./support.ts";

/** A paid invoice with 21 % VAT contained in its amount. */
async function taxedInvoice(
  stripe: Stripe,
  amount: number,
): Promise<Stripe.Invoice> {
  const rate = await stripe.taxRates.create({
    display_name: "VAT",
    inclusive: true,
    percentage: 21,
    country: "LV",
  });
  const { customer, card } = await payer(stripe);
  const { id } = await stripe.invoices.create({
    customer,
    auto_advance: false,
  });
  await stripe.invoiceItems.create({
    customer,
    invoice: id,
    amount,
    currency: "eur",
    description: "Spotlight of 2026-11-20",
    tax_rates: [rate.id],
  });
  await stripe.invoices.finalizeInvoice(id);
  return await stripe.invoices.pay(id, { payment_method: card });
}

Deno.test("a credit note gives the money back and has a number that names the invoice", () =>
  withSimulator(async ({ stripe }) => {
    const { invoice, charge } = await paidInvoice(stripe, 12_100);
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 12_100,
      refund_amount: 12_100,
      reason: "order_change",
      metadata: { why: "removed" },
    });
    assertEquals(
      [note.number, note.status, note.type, note.total, note.reason],
      ["SIM-0001-CN-01", "issued", "post_payment", 12_100, "order_change"],
    );
    assertEquals(note.metadata, { why: "removed" });
    const { data: [refund] } = await stripe.refunds.list({ charge });
    assertEquals([refund?.amount, refund?.id], [
      12_100,
      note.refunds[0]?.refund,
    ]);
    const after = await stripe.invoices.retrieve(invoice.id);
    assertEquals(
      [after.status, after.post_payment_credit_notes_amount, after.total],
      ["paid", 12_100, 12_100],
    );
    assertEquals(await movements(stripe), [
      ["charge", 12_100, 0],
      ["refund", -12_100, 0],
    ]);
    assertEquals(
      await eventsOf(stripe, "credit_note", "refund", "charge.refunded"),
      ["refund.created", "charge.refunded", "credit_note.created"],
    );
  }));

Deno.test("credit notes of an invoice are numbered in a row, those of another anew", () =>
  withSimulator(async ({ stripe }) => {
    const first = await paidInvoice(stripe, 1_000);
    const second = await paidInvoice(stripe, 1_000);
    const numbers: string[] = [];
    for (const { invoice } of [first, second, first, first]) {
      const { number } = await stripe.creditNotes.create({
        invoice: invoice.id,
        amount: 100,
        out_of_band_amount: 100,
      });
      numbers.push(number);
    }
    assertEquals(numbers, [
      "SIM-0001-CN-01",
      "SIM-0002-CN-01",
      "SIM-0001-CN-02",
      "SIM-0001-CN-03",
    ]);
    const { data } = await stripe.creditNotes.list({
      invoice: first.invoice.id,
    });
    assertEquals(data.map(({ number }) => number), [
      "SIM-0001-CN-03",
      "SIM-0001-CN-02",
      "SIM-0001-CN-01",
    ]);
  }));

Deno.test("what the bank took back already is credited out of band, without a refund", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { invoice, charge } = await paidInvoice(stripe, 1_000);
    const { id } = sim.control.disputes.open(charge);
    sim.control.disputes.turn(id, "lost");
    const refused = await refusal(stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 1_000,
      refund_amount: 1_000,
    }));
    assertEquals(refused.code, "charge_disputed");
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 1_000,
      out_of_band_amount: 1_000,
      reason: "fraudulent",
    });
    assertEquals([note.out_of_band_amount, note.refunds], [1_000, []]);
    assertEquals((await movements(stripe)).length, 2);
  }));

Deno.test("a refund made before is named by one credit note", () =>
  withSimulator(async ({ stripe }) => {
    const { invoice, charge } = await paidInvoice(stripe, 1_000);
    const refund = await stripe.refunds.create({ charge });
    const params: Stripe.CreditNoteCreateParams = {
      invoice: invoice.id,
      amount: 1_000,
      refunds: [{ refund: refund.id }],
    };
    const note = await stripe.creditNotes.create(params);
    assertEquals(note.refunds, [{
      amount_refunded: 1_000,
      payment_record_refund: null,
      refund: refund.id,
      type: "refund",
    }]);
    assertEquals((await stripe.refunds.list()).data.length, 1);
    const twice = await refusal(stripe.creditNotes.create(params));
    assertEquals(twice.param, "refunds");
  }));

/** Orders that are refused on an invoice over 1,000 cents, 300 refunded. */
const REFUSED: [what: string, params: object, param: string][] = [
  ["nothing", { amount: 0 }, "amount"],
  ["no amount", {}, "amount"],
  ["parts that do not add up", { amount: 500, refund_amount: 400 }, "amount"],
  ["no parts at all", { amount: 500 }, "amount"],
  ["more than is left", { amount: 701, out_of_band_amount: 701 }, "amount"],
  ["an unknown reason", { amount: 1, reason: "regret" }, "reason"],
  ["an unknown parameter", { amount: 1, credit_amount: 1 }, "credit_amount"],
];

for (const [what, params, param] of REFUSED) {
  Deno.test(`POST /v1/credit_notes refuses ${what}, and nothing moves`, () =>
    withSimulator(async ({ stripe }) => {
      const { invoice, charge } = await paidInvoice(stripe, 1_000);
      await stripe.refunds.create({ charge, amount: 300 });
      const before = await movements(stripe);
      const refused = await refusal(
        stripe.creditNotes.create({ invoice: invoice.id, ...params }),
      );
      assertEquals([refused.statusCode, refused.param], [400, param]);
      assertEquals(await movements(stripe), before);
      assertEquals((await stripe.creditNotes.list()).data, []);
    }));
}

Deno.test("POST /v1/credit_notes refuses invoices that were not paid", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const open = await openOver(stripe, customer, 500);
    const voided = await openOver(stripe, customer, 500);
    await stripe.invoices.voidInvoice(voided.id);
    for (const id of [draft.id, open.id, voided.id, "in_none"]) {
      const refused = await refusal(
        stripe.creditNotes.create({ invoice: id, amount: 1 }),
      );
      assertEquals(refused.param, "invoice", id);
    }
  }));

Deno.test("a repeat under one key gives no money back twice", () =>
  withSimulator(async ({ stripe }) => {
    const { invoice } = await paidInvoice(stripe, 1_000);
    const params = { invoice: invoice.id, amount: 400, refund_amount: 400 };
    const options = { idempotencyKey: "note:1" };
    const first = await stripe.creditNotes.create(params, options);
    const second = await stripe.creditNotes.create(params, options);
    assertEquals([second.id, isReplay(second)], [first.id, true]);
    assertEquals((await stripe.refunds.list()).data.length, 1);
  }));

Deno.test("the printed note names the invoice, its day and the tax in it", () =>
  withSimulator(async ({ stripe, clock }) => {
    const invoice = await taxedInvoice(stripe, 12_100);
    clock.advance(24 * 60 * 60 * 1_000);
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 12_100,
      refund_amount: 12_100,
      memo: "Removed after a complaint",
    });
    assertEquals(note.total_taxes?.[0]?.amount, 2_100);
    assertEquals(note.total_excluding_tax, 10_000);
    const lines = await printedAt(note.pdf);
    const wanted = [
      "Credit note SIM-0001-CN-01",
      "Date of issue: 2026-11-21",
      "Corrects invoice SIM-0001 of 2026-11-20",
      "For: Spotlight of 2026-11-20",
      "Excluding tax: EUR 100.00",
      "VAT 21% on EUR 100.00 (standard_rated): EUR 21.00",
      "Total credited: EUR 121.00",
      "Removed after a complaint",
    ];
    assertEquals(lines.filter((line) => wanted.includes(line)), wanted);
    const strange = await fetch(note.pdf.replace(/\w{32}/, "x".repeat(32)));
    await strange.body?.cancel();
    assertEquals(strange.status, 404);
  }));

Deno.test("credit notes over all of an invoice contain exactly its tax", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 99_999_999 }),
      fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), {
        maxLength: 4,
      }),
      (amount, parts) =>
        withSimulator(async ({ stripe }) => {
          const invoice = await taxedInvoice(stripe, amount);
          let left = amount;
          const notes: Stripe.CreditNote[] = [];
          for (const part of [...parts, 1]) {
            const credited = Math.min(left, Math.ceil(left * part));
            if (credited === 0) break;
            notes.push(
              await stripe.creditNotes.create({
                invoice: invoice.id,
                amount: credited,
                refund_amount: credited,
              }),
            );
            left -= credited;
          }
          const taxes = notes.map(({ total_taxes }) =>
            total_taxes?.[0]?.amount ?? 0
          );
          const tax = taxes.reduce((sum, each) => sum + each, 0);
          assertEquals([tax, left], [invoice.total_taxes?.[0]?.amount, 0]);
          assert(taxes.every((each) => each >= 0));
        }),
    ),
    { numRuns: 15 },
  ));

Deno.test("credit notes survive a restart, their addresses with them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withSimulator(async (bench) => {
      const { invoice } = await paidInvoice(bench.stripe, 1_000);
      const params = { invoice: invoice.id, amount: 1, out_of_band_amount: 1 };
      const { id, lines } = await bench.stripe.creditNotes.create(params);
      assertEquals(lines.data.length, 1);
      await bench.restart();
      const note = await bench.stripe.creditNotes.retrieve(id);
      const [title] = await printedAt(note.pdf);
      assertEquals(title, "Credit note SIM-0001-CN-01");
      assertEquals(note.lines.data.map(({ amount }) => amount), [1]);
      const next = await bench.stripe.creditNotes.create(params);
      assertEquals(next.number, "SIM-0001-CN-02");
    }, { booksPath: `${folder}/books.jsonl` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
