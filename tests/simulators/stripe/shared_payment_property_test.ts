import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type Stripe from "stripe";
import {
  type Bench,
  chargeToken,
  grantToken,
  PAYMENT_FAULTS,
  revokeToken,
  withSimulator,
} from "./support.ts";

const GRANT = fc.record({
  maxAmount: fc.constantFrom(40, 100, 150, 200, 399, 500),
  /** Seconds from the start; null never. */
  lifetime: fc.option(fc.integer({ min: 1, max: 30 })),
  currency: fc.constantFrom("eur", "eur", "eur", "usd"),
});

const STEP = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("charge" as const),
      token: fc.nat(2),
      amount: fc.constantFrom(50, 51, 100, 150, 200, 300),
      fault: fc.option(fc.constantFrom(...PAYMENT_FAULTS)),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("resolve" as const),
      how: fc.constantFrom("succeed" as const, "fail" as const),
      cancels: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("revoke" as const),
      token: fc.nat(2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      seconds: fc.integer({ min: 1, max: 10 }),
    }),
  },
);

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** What a token stood at before a step. */
interface Before {
  closed: boolean;
  charges: number;
}

async function take(bench: Bench, tokens: string[], step: Step, at: number) {
  const { stripe, sim, clock } = bench;
  const quiet = (call: Promise<unknown>) => call.catch(isExpected);
  switch (step.kind) {
    case "charge": {
      const token = tokens[step.token] ?? "";
      if (step.fault !== null) sim.control.addFault({ kind: step.fault });
      // Side by side under one key: a repeat must never charge again.
      const options = { idempotencyKey: `step-${at}` };
      const params = { amount: step.amount };
      await Promise.all(
        Array.from(
          { length: step.times },
          () => quiet(chargeToken(stripe, token, params, options)),
        ),
      );
      sim.control.clearFaults();
      return;
    }
    case "resolve": {
      const waiting = sim.control.objects("payment_intent").find(({ status }) =>
        status === "requires_action" || status === "processing"
      );
      if (waiting === undefined) return;
      if (step.cancels) await quiet(stripe.paymentIntents.cancel(waiting.id));
      else sim.control.resolvePayment(waiting.id, step.how);
      return;
    }
    case "revoke":
      await quiet(revokeToken(stripe, tokens[step.token] ?? ""));
      return;
    case "wait":
      clock.advance(step.seconds * 1_000);
  }
}

/** Refusals and lost answers are part of the game; nothing else is. */
function isExpected(error: Stripe.errors.StripeError): void {
  assert(/^Stripe\w+Error$/.test(error.type ?? ""), String(error));
}

/** Payments of a token, by how they stand. */
function paymentsOf({ sim }: Bench, token: string) {
  const methods = new Set(
    sim.control.objects("payment_method")
      .filter((method) => method.shared_payment_granted_token === token)
      .map(({ id }) => id),
  );
  const paid = sim.control.objects("charge").filter((charge) =>
    charge.paid && methods.has(charge.payment_method)
  );
  const waiting = sim.control.objects("payment_intent").filter((intent) =>
    ["processing", "requires_action"].includes(intent.status) &&
    methods.has(intent.payment_method ?? "")
  );
  return { paid, waiting };
}

/** What must hold of a token after every step. */
function checkToken(bench: Bench, id: string, before: Before, step: Step) {
  const { sim, clock } = bench;
  const token = sim.control.objects("granted_token").find((each) =>
    each.id === id
  );
  assert(token !== undefined);
  const { paid, waiting } = paymentsOf(bench, id);
  const sum = (of: readonly { amount: number }[]) =>
    of.reduce((total, { amount }) => total + amount, 0);
  const { currency, max_amount, expires_at } = token.usage_limits;
  const captured = token.usage_details.amount_captured?.value ?? 0;
  assertEquals(captured, sum(paid), "what it shows is what was charged");
  assert(captured + sum(waiting) <= max_amount, "never more than its limit");
  if (currency !== "eur") assertEquals(captured, 0, "never another currency");
  if (captured === max_amount) assert(token.deactivated_at !== null);
  if (token.deactivated_reason === "consumed") {
    assertEquals([captured, waiting], [max_amount, []]);
  }
  if (before.closed && step.kind === "charge") {
    assertEquals(paid.length, before.charges, "never charged once out of use");
  }
  assert(paid.length <= before.charges + 1, "one charge a key at most");
  const isOver = expires_at !== null && expires_at * 1_000 <= clock.nowMs;
  return {
    closed: token.deactivated_at !== null || isOver,
    charges: paid.length,
  };
}

type Grants = typeof GRANT extends fc.Arbitrary<infer T> ? T[] : never;

/** Runs one sequence against books of its own; adds what came of it. */
async function runSequence(
  grants: Grants,
  steps: Step[],
  seen: Set<string>,
): Promise<void> {
  await withSimulator(async (bench) => {
    const { stripe, sim, clock } = bench;
    const tokens: [id: string, before: Before][] = [];
    for (const { lifetime, ...grant } of grants) {
      const end = clock.nowMs / 1_000 + (lifetime ?? 0);
      const expires = lifetime === null ? {} : { expiresAt: end };
      const { id } = await grantToken(stripe, { ...grant, ...expires });
      tokens.push([id, { closed: false, charges: 0 }]);
    }
    for (const [at, step] of steps.entries()) {
      await take(bench, tokens.map(([id]) => id), step, at);
      for (const token of tokens) {
        token[1] = checkToken(bench, token[0], token[1], step);
      }
      for (
        const { deactivated_reason } of sim.control.objects("granted_token")
      ) {
        seen.add(deactivated_reason ?? "active");
      }
      for (const { status } of sim.control.objects("payment_intent")) {
        seen.add(status);
      }
    }
  });
}

Deno.test("Whatever happens in whatever order, a token gives no more than its limit and nothing once out of use", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(GRANT, { minLength: 3, maxLength: 3 }),
      fc.array(STEP, { minLength: 10, maxLength: 40, size: "max" }),
      (grants, steps) => runSequence(grants, steps, seen),
    ),
    { numRuns: 60 },
  );
  assertEquals(
    [...seen].sort(),
    [
      "active",
      "canceled",
      "consumed",
      "expired",
      "processing",
      "requires_action",
      "requires_payment_method",
      "revoked",
      "succeeded",
    ],
    "the sequences reached every outcome",
  );
});
