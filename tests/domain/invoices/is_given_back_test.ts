import { assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { isFullyRefunded } from "../../../domain/invoices/is_fully_refunded.ts";
import type { Outcome } from "../../../domain/payments/outcome.ts";
import type {
  ListedInvoice,
  Processor,
} from "../../../domain/payments/processor.ts";
import type { ProcessorDispute } from "../../../domain/payments/processor_disputes.ts";
import type { ProcessorRefund } from "../../../domain/payments/processor_credit_notes.ts";

const INVOICE: ListedInvoice = {
  id: "in_1",
  status: "paid",
  customerId: "cus_1",
  metadata: {},
  totalCents: 500,
  taxCents: 0,
  amountPaidCents: 500,
  number: "SIM-0001",
  finalizedAtMs: 0,
  paidAtMs: null,
  paymentIds: ["pi_1", "pi_2"],
};

/** A processor that gave back so much of each payment. */
function processorThat(
  refunded: Record<string, number>,
  disputes: Record<string, ProcessorDispute[]> = {},
): Processor {
  return {
    listRefunds: (paymentId: string): Promise<Outcome<ProcessorRefund[]>> => {
      const amountCents = refunded[paymentId] ?? 0;
      const refund = { id: `re_${paymentId}`, amountCents };
      return Promise.resolve({
        ok: true,
        value: [refund as ProcessorRefund],
      });
    },
    listDisputesOf: (paymentId: string) =>
      Promise.resolve({ ok: true, value: disputes[paymentId] ?? [] }),
  } as Processor;
}

function given(
  refunded: Record<string, number>,
  changes: Partial<ListedInvoice> = {},
): Promise<boolean> {
  const services = { processor: processorThat(refunded) };
  return isFullyRefunded(services, { ...INVOICE, ...changes });
}

Deno.test("isFullyRefunded() adds up what went back of all payments, to the cent", async () => {
  assertEquals(await given({ pi_1: 499 }), false);
  assertEquals(await given({ pi_1: 500 }), true);
  assertEquals(await given({ pi_1: 200, pi_2: 299 }), false);
  assertEquals(await given({ pi_1: 200, pi_2: 300 }), true);
});

Deno.test("isFullyRefunded() takes an invoice for one with money when a cent came for it, whatever it is called", async () => {
  const all = { pi_1: 500 };
  const paid = { status: "paid", amountPaidCents: 0 } as const;
  assertEquals(await given(all, paid), false);
  const late = { status: "void", amountPaidCents: 1 } as const;
  assertEquals(await given(all, late), true);
  const nothing = { status: "void", amountPaidCents: 0 } as const;
  assertEquals(await given(all, nothing), false);
});

Deno.test("isFullyRefunded() takes nothing for given back without a payment that it was", async () => {
  assertEquals(await given({}, { paymentIds: [], totalCents: 0 }), false);
});

Deno.test("isFullyRefunded() takes nothing for given back while the processor does not say so", async () => {
  const answering = (listRefunds: Processor["listRefunds"]) =>
    isFullyRefunded({ processor: { listRefunds } as Processor }, INVOICE);
  const refusal = { ok: false, code: "no_such_payment" } as const;
  assertEquals(await answering(() => Promise.resolve(refusal as never)), false);
  const silence = new ProcessorUncertain("no answer");
  assertEquals(await answering(() => Promise.reject(silence)), false);
  await assertRejects(
    () => answering(() => Promise.reject(new TypeError("a bug"))),
    TypeError,
  );
});

/** A dispute over a payment, in which a bank took so much and brought some back. */
function dispute(
  standing: ProcessorDispute["standing"],
  ...movedCents: number[]
): ProcessorDispute {
  const movements = movedCents.map((amountCents, nth) => ({
    id: `txn_${nth}`,
    amountCents,
  }));
  return { id: "du_1", standing, movements } as unknown as ProcessorDispute;
}

Deno.test("isFullyRefunded() counts what a bank took for good, and nothing that it only holds or brought back", async () => {
  const isGone = (of: ProcessorDispute, refunded = 0) =>
    isFullyRefunded({
      processor: processorThat({ pi_1: refunded }, { pi_2: [of] }),
    }, INVOICE);
  assertEquals(await isGone(dispute("lost", -500)), true);
  assertEquals(await isGone(dispute("lost", -300), 200), true);
  assertEquals(await isGone(dispute("lost", -300), 199), false);
  assertEquals(await isGone(dispute("lost", -500, 1)), false);
  assertEquals(await isGone(dispute("open", -500)), false);
  assertEquals(await isGone(dispute("won", -500, 500)), false);
  // The bank gave it back by itself, and calls that no dispute.
  assertEquals(await isGone(dispute("prevented", -500)), true);
  assertEquals(await isGone(dispute("prevented")), false);
});

Deno.test("isFullyRefunded() takes nothing for gone while the processor does not say what banks took", async () => {
  const processor = {
    ...processorThat({}),
    listDisputesOf: () => Promise.reject(new ProcessorUncertain("silent")),
  };
  assertEquals(await isFullyRefunded({ processor }, INVOICE), false);
});
