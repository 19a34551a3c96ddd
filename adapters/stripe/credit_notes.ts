import type Stripe from "stripe";
import type {
  CreditNote,
  CreditNoteProcessor,
} from "../../domain/payments/processor_credit_notes.ts";
import { download } from "./download.ts";
import { outcomeOf } from "./outcome.ts";
import { idOf, PAGE_MAX, wholeList } from "./pages.ts";
import type { StripeClient } from "./stripe_client.ts";
import { taxCentsOf } from "./tax.ts";

/** Credit notes behind the domain's port. Amounts are cents. */
export function creditNoteCalls(stripe: StripeClient): CreditNoteProcessor {
  const { creditNotes } = stripe;
  return {
    createCreditNote: (input, idempotencyKey) =>
      outcomeOf(
        () => creditNotes.create(noteParams(input), { idempotencyKey }),
        toNote,
      ),
    listCreditNotes: (invoice) =>
      outcomeOf(async () => {
        const found = await creditNotes.list({ invoice, limit: PAGE_MAX });
        return wholeList(found, "credit notes")
          .filter(({ status }) => status !== "void")
          .map(toNote);
      }),
    downloadCreditNotePdf: async (id, maxBytes) => {
      const asked = await outcomeOf(() => creditNotes.retrieve(id));
      if (!asked.ok) return asked;
      return await download(stripe, asked.value.pdf, maxBytes);
    },
  };
}

/** What is not refunded here went back by another way, such as a dispute. */
function noteParams(
  input: Parameters<CreditNoteProcessor["createCreditNote"]>[0],
): Stripe.CreditNoteCreateParams {
  const { invoiceId, amountCents, reason, refundCents, metadata } = input;
  const refunds = input.refunds.map(({ id, amountCents }) => ({
    refund: id,
    amount_refunded: amountCents,
  }));
  const refunded = refunds.reduce(
    (sum, { amount_refunded }) => sum + amount_refunded,
    refundCents,
  );
  return {
    invoice: invoiceId,
    amount: amountCents,
    reason,
    metadata,
    ...(refundCents > 0 ? { refund_amount: refundCents } : {}),
    ...(refunds.length > 0 ? { refunds } : {}),
    ...(amountCents > refunded
      ? { out_of_band_amount: amountCents - refunded }
      : {}),
  };
}

function toNote(note: Stripe.CreditNote): CreditNote {
  return {
    id: note.id,
    number: note.number,
    totalCents: note.total,
    taxCents: taxCentsOf(note.total_taxes),
    refunds: note.refunds.map(({ refund, amount_refunded: amountCents }) => ({
      id: idOf(refund),
      amountCents,
    })),
    createdAtMs: note.created * 1_000,
  };
}
