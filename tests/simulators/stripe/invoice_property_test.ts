import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Simulator } from "../../../simulators/stripe/mod.ts";
import { PAYMENT_FAULTS, raw, withSimulator } from "./support.ts";

const OPERATIONS = [
  "create",
  "item",
  "finalize",
  "pay",
  "void",
  "delete",
  "resolve",
] as const;

const CARDS = ["pm_card_visa", "pm_card_chargeCustomerFail"];

const STEP = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  which: fc.nat(2),
  card: fc.nat(1),
  amount: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 50, max: 2_000 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
  fault: fc.oneof(
    { weight: 2, arbitrary: fc.constant("none" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...PAYMENT_FAULTS) },
  ),
  again: fc.boolean(),
});

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** Sends a request, and again under its key when told or when it got lost. */
async function send(
  sim: Simulator,
  method: string,
  path: string,
  body: string,
  key: string,
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    try {
      const headers = { "idempotency-key": key };
      const response = method === "POST"
        ? await raw(sim, method, path, body, headers)
        : await raw(sim, method, path);
      await response.text();
    } catch (error) {
      assert(error instanceof TypeError, "only a lost connection may throw");
    }
  }
}

function itemOf(
  sim: Simulator,
  { operation, which, amount }: Step,
): [method: string, path: string, body: string] {
  const at = operation === "create" ? 0 : which;
  const invoice = sim.control.objects("invoice").at(-1 - at)?.id;
  const body = `invoice=${invoice}&amount=${amount}&currency=eur`;
  return ["POST", "/v1/invoiceitems", body];
}

function requestOf(
  sim: Simulator,
  customer: string,
  cards: string[],
  step: Step,
): [method: string, path: string, body: string] | null {
  const invoices = sim.control.objects("invoice");
  const invoice = invoices.at(-1 - step.which);
  if (step.operation === "create" || invoice === undefined) {
    return ["POST", "/v1/invoices", `customer=${customer}`];
  }
  const path = `/v1/invoices/${invoice.id}`;
  const card = `payment_method=${cards[step.card]}`;
  switch (step.operation) {
    case "item":
      return itemOf(sim, step);
    case "pay":
      return ["POST", `${path}/pay`, card];
    case "delete":
      return ["DELETE", path, ""];
    case "resolve": {
      const waiting = sim.control.objects("payment_intent").find(
        ({ status }) => status === "requires_action" || status === "processing",
      );
      if (waiting === undefined) return null;
      sim.control.resolvePayment(waiting.id, step.again ? "succeed" : "fail");
      return null;
    }
    default:
      return ["POST", `${path}/${step.operation}`, ""];
  }
}

/** What must hold after every step. */
function checkBooks(sim: Simulator): void {
  const invoices = sim.control.objects("invoice");
  const numbers = invoices.flatMap(({ number }) => number ?? []).sort();
  assertEquals(
    numbers,
    numbers.map((_, at) => `SIM-${String(at + 1).padStart(4, "0")}`),
    "numbers are sequential without a gap",
  );

  const invoiceOf = new Map(
    sim.control.objects("invoice_payment").map((payment) => [
      payment.payment.payment_intent,
      payment.invoice,
    ]),
  );
  const paidBy = new Map<string, number[]>();
  for (const charge of sim.control.objects("charge")) {
    if (!charge.paid) continue;
    const invoice = invoiceOf.get(charge.payment_intent) ?? "none";
    paidBy.set(invoice, [...paidBy.get(invoice) ?? [], charge.amount]);
  }
  for (const invoice of invoices) {
    const charges = paidBy.get(invoice.id) ?? [];
    const due = invoice.status === "paid" && invoice.total > 0
      ? [invoice.total]
      : [];
    assertEquals(charges, due, "one successful charge a paid invoice");
  }
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0);
  assertEquals(
    sum([...paidBy.values()].flat()),
    sum(invoices.map(({ amount_paid }) => amount_paid)),
    "charges sum up to the paid invoices",
  );
}

/** Runs one sequence against books of its own; tells what became of them. */
async function runSequence(steps: Step[]): Promise<string[]> {
  const outcomes: string[] = [];
  await withSimulator(async ({ sim, stripe }) => {
    const { id: customer } = await stripe.customers.create();
    const cards: string[] = [];
    for (const card of CARDS) {
      cards.push((await stripe.paymentMethods.attach(card, { customer })).id);
    }
    for (const [at, step] of steps.entries()) {
      const request = requestOf(sim, customer, cards, step);
      if (request === null) continue;
      if (step.fault !== "none") sim.control.addFault({ kind: step.fault });
      await send(sim, ...request, `step-${at}`, step.again ? 2 : 1);
      sim.control.clearFaults();
      if (step.operation === "create") {
        await send(sim, ...itemOf(sim, step), `item-${at}`, 1);
      }
      checkBooks(sim);
    }
    outcomes.push(
      ...sim.control.objects("invoice").map(({ status }) => status),
      ...sim.control.objects("charge").map(({ status }) => status),
    );
  });
  return outcomes;
}

Deno.test("Any sequence of invoice operations keeps numbers gapless and charges equal to paid invoices", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 20, maxLength: 60, size: "max" }),
      async (steps) => {
        for (const outcome of await runSequence(steps)) seen.add(outcome);
      },
    ),
    { numRuns: 50 },
  );
  assertEquals(
    [...seen].sort(),
    ["draft", "failed", "open", "paid", "succeeded", "void"],
    "the sequences reached every outcome",
  );
});
