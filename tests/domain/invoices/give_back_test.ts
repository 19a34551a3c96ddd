import { assertEquals } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { refundInvoiceRest } from "../../../domain/invoices/refund_invoice_rest.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { ProcessorRefund } from "../../../domain/payments/processor_credit_notes.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { openPaidDay, PAID_CENTS } from "../../support/paid_day.ts";

/** What a bank holds, cents. */
const PART = 300;

/** A late payment that a bank holds a part of, with what differs of it. */
async function attempt(changes: Partial<Invoice>) {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const { control } = simulator;
  const { id } = await day.voided();
  const payment = control.invoices.payLate(id);
  const dispute = control.disputes.open(payment.id, { amount: PART });
  await syncDispute(services, dispute.id);
  const invoice = await day.voided();
  assertEquals([invoice.money, invoice.disputedCents], ["refunding", PART]);
  control.clearRequests();
  const { trouble } = await refundInvoiceRest(services, {
    ...invoice,
    ...changes,
  });
  const asked = control.requests()
    .filter(({ method }) => method === "POST")
    .map(({ path }) => path);
  return { trouble, asked };
}

Deno.test("refundInvoiceRest() asks the processor for nothing while a bank holds a part, a cent even", async () => {
  for (const disputedCents of [PART, 1]) {
    const waiting = { trouble: "dispute_open", asked: [] };
    assertEquals(await attempt({ disputedCents }), waiting);
  }
});

Deno.test("refundInvoiceRest() only looks once giving back has failed for good", async () => {
  const failed = await attempt({
    money: "refund_failed",
    disputedCents: 0,
    refundTrouble: "expired_or_canceled_card",
  });
  const told = { trouble: "expired_or_canceled_card", asked: [] };
  assertEquals(failed, told);
});

Deno.test("refundInvoiceRest() asks for no refund of nothing", async () => {
  const gone = await attempt({ disputedCents: 0, lostCents: 1_000_000 });
  assertEquals(gone, { trouble: null, asked: [] });
});

Deno.test("refundInvoiceRest() asks for the rest once no bank holds any", async () => {
  const { asked } = await attempt({ disputedCents: 0 });
  assertEquals(asked, ["/v1/refunds"]);
});

const RE_1 = { id: "re_1", amountCents: PAID_CENTS };

/** What the processor has of a paid invoice, as cents by the refund's id. */
interface Had {
  refunds?: Readonly<Record<string, number>>;
  notes?: readonly {
    totalCents: number;
    refunds: readonly ProcessorRefund[];
  }[];
  refusesNotes?: boolean;
}

/** What is asked for then, and what an operator is told. */
async function creditAttempt({ refunds = {}, notes = [], refusesNotes }: Had) {
  await using day = await openPaidDay();
  const { services, log } = day.world;
  const listed = Object.entries(refunds)
    .map(([id, amountCents]) => ({ id, amountCents }));
  const made = notes.map((note, nth) => ({
    ...note,
    id: `cn_${nth}`,
    number: `CN-${nth}`,
    taxCents: 0,
    createdAtMs: 0,
  }));
  const asked: unknown[] = [];
  const processor: Pick<
    Processor,
    "listRefunds" | "listCreditNotes" | "createCreditNote"
  > = {
    listRefunds: () => Promise.resolve({ ok: true, value: listed }),
    listCreditNotes: () => Promise.resolve({ ok: true, value: made }),
    createCreditNote({ amountCents, refundCents, refunds }) {
      asked.push([amountCents, refundCents, refunds.map(({ id }) => id)]);
      const [value] = made;
      return Promise.resolve(
        refusesNotes || value === undefined
          ? { ok: false, code: "no_note", message: "" }
          : { ok: true, value },
      );
    },
  };
  const { trouble } = await refundInvoiceRest(
    { ...services, processor: { ...services.processor, ...processor } },
    { ...await day.invoice(), money: "refunding" },
  );
  const told = log.lines.filter((line) => line.includes("note_refused")).length;
  return { asked, trouble, told };
}

Deno.test("refundInvoiceRest() makes no credit note where all went back and is noted", async () => {
  const had = {
    refunds: { re_1: PAID_CENTS },
    notes: [{ totalCents: PAID_CENTS, refunds: [RE_1] }],
  };
  const nothing = { asked: [], trouble: null, told: 0 };
  assertEquals(await creditAttempt(had), nothing);
});

Deno.test("refundInvoiceRest() gives back a last cent", async () => {
  const had = {
    refunds: { re_1: PAID_CENTS - 1 },
    notes: [{
      totalCents: PAID_CENTS - 1,
      refunds: [{ ...RE_1, amountCents: PAID_CENTS - 1 }],
    }],
  };
  const { asked, trouble } = await creditAttempt(had);
  assertEquals([asked, trouble], [[[1, 1, []]], null]);
});

Deno.test("refundInvoiceRest() leaves to an operator what a note by hand corrected without giving it back", async () => {
  const had = { notes: [{ totalCents: 1, refunds: [] }] };
  const left = { asked: [], trouble: "credited_by_hand", told: 0 };
  assertEquals(await creditAttempt(had), left);
  // All of the money is back, only no note names its refund.
  const back = {
    refunds: { re_1: PAID_CENTS },
    notes: [{ totalCents: PAID_CENTS, refunds: [] }],
  };
  const nothing = { asked: [], trouble: null, told: 0 };
  assertEquals(await creditAttempt(back), nothing);
});

Deno.test("refundInvoiceRest() says why the processor makes no credit note for money that it holds", async () => {
  const refused = {
    asked: [[PAID_CENTS, PAID_CENTS, []]],
    trouble: "no_note",
    told: 0,
  };
  assertEquals(await creditAttempt({ refusesNotes: true }), refused);
});

Deno.test("refundInvoiceRest() tells the log where only the note of what went back is refused", async () => {
  const had = { refunds: { re_1: PAID_CENTS }, refusesNotes: true };
  const told = { asked: [[PAID_CENTS, 0, ["re_1"]]], trouble: null, told: 1 };
  assertEquals(await creditAttempt(had), told);
});
