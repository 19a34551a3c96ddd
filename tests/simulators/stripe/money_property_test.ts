import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type Stripe from "stripe";
import type { DisputeTurn } from "../../../simulators/stripe/dispute.ts";
import { movements, paidInvoice } from "./money.ts";
import { type Bench, sdk, withSimulator } from "./support.ts";

/** One thing that may happen to the money of a paid invoice. */
type Step =
  | { do: "refund" | "credit" | "note"; part: number }
  | { do: "dispute" | "inquiry"; part: number }
  | { do: "turn"; turn: DisputeTurn };

const part = fc.double({ min: 0.05, max: 1, noNaN: true });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("refund", "credit", "note"), part }),
  fc.record({ do: fc.constantFrom("dispute", "inquiry"), part }),
  fc.record({
    do: fc.constant("turn"),
    turn: fc.constantFrom(
      "won",
      "lost",
      "under_review",
      "warning_closed",
      "escalated",
    ),
  }),
);

const AMOUNT = 10_000;

interface Sale {
  invoice: string;
  charge: string;
}

/** Does one thing, as far as the simulator allows it. */
async function take(bench: Bench, sale: Sale, step: Step): Promise<void> {
  try {
    await run(bench, sale, step);
  } catch (error) {
    const isRefusal = error instanceof RangeError ||
      (error as Stripe.errors.StripeError).statusCode === 400;
    if (!isRefusal) throw error;
  }
}

async function run(
  { sim, stripe }: Bench,
  { invoice, charge }: Sale,
  step: Step,
): Promise<void> {
  const { disputes } = sim.control;
  if (step.do === "turn") {
    const [newest] = (await stripe.disputes.list({ charge })).data;
    if (newest !== undefined) disputes.turn(newest.id, step.turn);
    return;
  }
  const amount = Math.max(1, Math.round(AMOUNT * step.part));
  if (step.do === "refund") await stripe.refunds.create({ charge, amount });
  else if (step.do === "dispute") disputes.open(charge, { amount });
  else if (step.do === "inquiry") {
    disputes.open(charge, { kind: "inquiry", amount });
  } else {
    await stripe.creditNotes.create({
      invoice,
      amount,
      ...(step.do === "credit"
        ? { refund_amount: amount }
        : { out_of_band_amount: amount }),
    });
  }
}

/** What must hold whatever has happened. */
async function check(stripe: Stripe, { invoice, charge }: Sale): Promise<void> {
  const { amount_refunded, refunded, disputed } = await stripe.charges.retrieve(
    charge,
  );
  const { data } = await stripe.disputes.list({ charge });
  const held = data
    .filter(({ status }) =>
      status === "lost" || status === "needs_response" ||
      status === "under_review"
    )
    .reduce((sum, { amount }) => sum + amount, 0);
  assert(amount_refunded + held <= AMOUNT, "more went back than was paid");
  assertEquals(refunded, amount_refunded === AMOUNT);
  assertEquals(disputed, data.length > 0);

  const moved = await movements(stripe);
  const balance = moved.reduce((sum, [, amount]) => sum + amount, 0);
  assertEquals(balance, AMOUNT - amount_refunded - held);

  const paid = await stripe.invoices.retrieve(invoice);
  const notes = await stripe.creditNotes.list({ invoice });
  const credited = notes.data.reduce((sum, { total }) => sum + total, 0);
  assertEquals(paid.post_payment_credit_notes_amount, credited);
  assert(credited <= AMOUNT, "more was corrected than was paid");
  assertEquals(
    new Set(notes.data.map(({ number }) => number)).size,
    notes.data
      .length,
  );
}

Deno.test("Whatever comes back of a payment, no more does than was paid, and the books say all of it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 12 }),
      (steps) =>
        withSimulator(async (bench) => {
          const { invoice, charge } = await paidInvoice(bench.stripe, AMOUNT);
          const sale = { invoice: invoice.id, charge };
          for (const step of steps) {
            await take(bench, sale, step);
            await check(sdk(bench.sim.port), sale);
          }
        }),
    ),
    { numRuns: 40 },
  ));
