import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { type Desk, valueOf, withProcessor } from "./desk.ts";
import { movements, paidInvoice } from "../../simulators/stripe/money.ts";
import { linesOf } from "../../simulators/stripe/pdf_text.ts";

const METADATA = { removal: "2026-11-20" };

function correct(
  { processor }: Pick<Desk, "processor">,
  invoiceId: string,
  { amountCents = 12_100, refund = true, key = "note:1" } = {},
) {
  return processor.createCreditNote({
    invoiceId,
    amountCents,
    reason: "order_change",
    refundCents: refund ? amountCents : 0,
    refunds: [],
    metadata: METADATA,
  }, key);
}

Deno.test("createCreditNote() corrects an invoice and gives the money back", () =>
  withProcessor(async (desk) => {
    const { processor, stripe, clock } = desk;
    const { invoice } = await paidInvoice(stripe, 12_100);
    const note = valueOf(await correct(desk, invoice.id));
    const [refund] = (await stripe.refunds.list()).data;
    assertEquals(note, {
      id: note.id,
      number: `${invoice.number}-CN-01`,
      totalCents: 12_100,
      taxCents: 0,
      refunds: [{ id: String(refund?.id), amountCents: 12_100 }],
      createdAtMs: Math.floor(clock.nowMs / 1_000) * 1_000,
    });
    const kept = await stripe.creditNotes.retrieve(note.id);
    assertEquals(kept.invoice, invoice.id);
    assertEquals([kept.metadata, kept.reason], [METADATA, "order_change"]);
    const listed = valueOf(await processor.listCreditNotes(invoice.id));
    assertEquals(listed, [note]);
  }));

Deno.test("createCreditNote() without a refund only writes down what went back by another way", () =>
  withProcessor(async (desk) => {
    const { stripe, sim } = desk;
    const { invoice, charge } = await paidInvoice(stripe, 12_100);
    const { id } = sim.control.disputes.open(charge);
    sim.control.disputes.turn(id, "lost");
    const before = await movements(stripe);
    const note = await correct(desk, invoice.id, { refund: false });
    assertEquals(valueOf(note).refunds, []);
    assertEquals(await movements(stripe), before);
    const refused = await correct(desk, invoice.id, { key: "note:2" });
    assertEquals(refused.ok, false);
  }));

for (
  const kind of [
    "error_after_effect",
    "reset_after_effect",
    "reset_before_effect",
    "rate_limit",
  ] as const
) {
  Deno.test(`createCreditNote() gives the money back once in spite of ${kind}`, () =>
    withProcessor(async (desk) => {
      const { stripe, sim, processor } = desk;
      const { invoice } = await paidInvoice(stripe, 12_100);
      sim.control.addFault({ kind, path: "/v1/credit_notes" });
      await assertRejects(() => correct(desk, invoice.id), ProcessorUncertain);
      // A 500 is saved under the key: what is there has to be looked for.
      const found = valueOf(await processor.listCreditNotes(invoice.id));
      if (found.length === 0) valueOf(await correct(desk, invoice.id));
      const notes = valueOf(await processor.listCreditNotes(invoice.id));
      assertEquals(notes.map(({ totalCents }) => totalCents), [12_100]);
      assertEquals((await stripe.refunds.list()).data.length, 1);
    }));
}

Deno.test("createCreditNote() refuses more than was paid", () =>
  withProcessor(async (desk) => {
    const { invoice } = await paidInvoice(desk.stripe, 500);
    const refused = await correct(desk, invoice.id, { amountCents: 501 });
    assertEquals(refused.ok, false);
  }));

Deno.test("downloadCreditNotePdf() gives the printed note, up to a size", () =>
  withProcessor(async (desk) => {
    const { processor, stripe } = desk;
    const { invoice } = await paidInvoice(stripe, 12_100);
    const { id, number } = valueOf(await correct(desk, invoice.id));
    const bytes = valueOf(await processor.downloadCreditNotePdf(id, 100_000));
    const lines = await linesOf(bytes);
    assert(lines.includes(`Credit note ${number}`));
    assert(lines.includes(`Corrects invoice ${invoice.number} of 2026-11-20`));
    const exact = await processor.downloadCreditNotePdf(id, bytes.length);
    assertEquals(valueOf(exact).length, bytes.length);
    const small = await processor.downloadCreditNotePdf(id, bytes.length - 1);
    assertEquals(small.ok || small.code, "file_too_large");
    const none = await processor.downloadCreditNotePdf("cn_none", 100_000);
    assertEquals(none.ok || none.code, "resource_missing");
  }));
