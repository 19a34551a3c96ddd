import { assert, assertEquals } from "@std/assert";
import type Stripe from "stripe";
import {
  type Bench,
  chargeToken,
  grantToken,
  isReplay,
  refusal,
  revokeToken,
  seeToken,
  withSimulator,
} from "./support.ts";

/** Cents captured with a token, and why it is out of use. */
async function usedOf(
  stripe: Stripe,
  id: string,
): Promise<[captured: number, reason: string | null]> {
  const { usage_details, deactivated_reason } = await seeToken(stripe, id);
  return [usage_details.amount_captured?.value ?? 0, deactivated_reason];
}

/** Why a token takes no further payment. */
async function reasonOf(stripe: Stripe, id: string): Promise<string> {
  const { message } = await refusal(chargeToken(stripe, id));
  return message.split("cannot be used: ")[1] ?? message;
}

/** A payment with a token of EUR 1 that waits. */
async function waitingPayment(
  { stripe, sim }: Bench,
  kind: "processing" | "requires_action",
): Promise<{ token: string; intent: Stripe.PaymentIntent }> {
  const { id } = await grantToken(stripe);
  sim.control.addFault({ kind });
  const intent = await chargeToken(stripe, id);
  assertEquals(intent.status, kind);
  return { token: id, intent };
}

for (
  const card of [
    "pm_card_authenticationRequired",
    "pm_card_threeDSecureRequired",
  ]
) {
  Deno.test(`A payment with ${card} behind its token waits for the buyer`, () =>
    withSimulator(async ({ stripe }) => {
      const { id } = await grantToken(stripe, { card });
      const intent = await chargeToken(stripe, id);
      assertEquals(intent.status, "requires_action");
      assertEquals(intent.next_action?.type, "use_stripe_sdk");
      assertEquals([intent.amount_received, intent.latest_charge], [0, null]);
      assertEquals(await usedOf(stripe, id), [0, null]);
    }));
}

for (const kind of ["processing", "requires_action"] as const) {
  Deno.test(`A token is held while its payment is ${kind}, then consumed when that succeeds`, () =>
    withSimulator(async (bench) => {
      const { stripe, sim } = bench;
      const { token, intent } = await waitingPayment(bench, kind);
      assertEquals(
        await reasonOf(stripe, token),
        "another payment is using it.",
      );
      assertEquals(await usedOf(stripe, token), [0, null]);

      sim.control.resolvePayment(intent.id, "succeed");
      assertEquals(await usedOf(stripe, token), [100, "consumed"]);
      assertEquals(await reasonOf(stripe, token), "it has been consumed.");
    }));

  Deno.test(`A token is free again when its payment that was ${kind} fails`, () =>
    withSimulator(async (bench) => {
      const { stripe, sim } = bench;
      const { token, intent } = await waitingPayment(bench, kind);
      sim.control.resolvePayment(intent.id, "fail");
      assertEquals(await usedOf(stripe, token), [0, null]);
      assertEquals((await chargeToken(stripe, token)).status, "succeeded");
    }));

  Deno.test(`Revoking a token does not stop its payment that is ${kind}`, () =>
    withSimulator(async (bench) => {
      const { stripe, sim } = bench;
      const { token, intent } = await waitingPayment(bench, kind);
      await revokeToken(stripe, token);
      sim.control.resolvePayment(intent.id, "succeed");
      assertEquals(await usedOf(stripe, token), [100, "revoked"]);
      assertEquals(await reasonOf(stripe, token), "it has been revoked.");
    }));
}

Deno.test("A payment that waits for the buyer can be cancelled, which frees its token", () =>
  withSimulator(async (bench) => {
    const { stripe } = bench;
    const { token, intent } = await waitingPayment(bench, "requires_action");
    const canceled = await stripe.paymentIntents.cancel(intent.id);
    assertEquals([canceled.status, canceled.amount_received], ["canceled", 0]);
    assertEquals((await chargeToken(stripe, token)).status, "succeeded");
  }));

Deno.test("A payment that is processing can not be cancelled", () =>
  withSimulator(async (bench) => {
    const { intent } = await waitingPayment(bench, "processing");
    const error = await refusal(bench.stripe.paymentIntents.cancel(intent.id));
    assertEquals([error.statusCode, error.code], [
      400,
      "payment_intent_unexpected_state",
    ]);
    assertEquals(error.payment_intent?.status, "processing");
  }));

Deno.test("Twenty charges side by side under one key are one charge", () =>
  withSimulator(async ({ stripe, sim }) => {
    const { id } = await grantToken(stripe, { maxAmount: 5_000 });
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        () => chargeToken(stripe, id, {}, { idempotencyKey: "one" }),
      ),
    );
    assertEquals(new Set(answers.map((answer) => answer.id)).size, 1);
    assertEquals(answers.filter(isReplay).length, 19);
    assertEquals(sim.control.objects("charge").length, 1);
    assertEquals(await usedOf(stripe, id), [100, null]);
  }));

Deno.test("Twenty charges side by side under twenty keys take a token's amount once", () =>
  withSimulator(async ({ stripe, sim }) => {
    const { id } = await grantToken(stripe);
    const outcomes = await Promise.allSettled(
      Array.from(
        { length: 20 },
        (_, at) => chargeToken(stripe, id, {}, { idempotencyKey: `key-${at}` }),
      ),
    );
    const paid = outcomes.filter(({ status }) => status === "fulfilled");
    assertEquals(paid.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") continue;
      assert(outcome.reason.message.endsWith("it has been consumed."));
    }
    assertEquals(sim.control.objects("charge").length, 1);
  }));

Deno.test("Tokens, what was captured and what is held outlive a restart", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await withSimulator(async (bench) => {
      const spent = await grantToken(bench.stripe);
      await chargeToken(bench.stripe, spent.id, {}, { idempotencyKey: "k" });
      const part = await grantToken(bench.stripe, { maxAmount: 250 });
      await chargeToken(bench.stripe, part.id);
      const { token, intent } = await waitingPayment(bench, "processing");
      const before = bench.sim.control.state();
      await bench.restart();

      const { stripe, sim } = bench;
      assertEquals(sim.control.state(), before);
      assertEquals(await usedOf(stripe, spent.id), [100, "consumed"]);
      assertEquals(await usedOf(stripe, part.id), [100, null]);
      assertEquals(
        await reasonOf(stripe, token),
        "another payment is using it.",
      );
      const again = await chargeToken(stripe, spent.id, {}, {
        idempotencyKey: "k",
      });
      assertEquals([isReplay(again), again.status], [true, "succeeded"]);
      sim.control.resolvePayment(intent.id, "succeed");
      assertEquals(await usedOf(stripe, token), [100, "consumed"]);
    }, { booksPath: `${dir}/books.ndjson` });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
