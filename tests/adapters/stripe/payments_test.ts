import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  BY_ID,
  charge,
  chargedCents,
  METADATA,
  now,
  valueOf,
  withProcessor,
} from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import {
  type Bench,
  chargeToken,
  grantToken,
  openOver,
  payer,
  revokeToken,
} from "../../simulators/stripe/support.ts";

for (
  const [card, country] of [
    ["pm_card_at", "AT"],
    ["pm_card_de", "DE"],
    ["pm_card_fr", "FR"],
    ["pm_card_gb", "GB"],
    ["pm_card_us", "US"],
  ] as const
) {
  Deno.test(`chargeSharedToken() takes the money and tells that ${card} was issued in ${country}`, () =>
    withProcessor(async (desk) => {
      const { id } = await grantToken(desk.stripe, { card });
      const { id: paymentId, ...paid } = valueOf(await charge(desk, id));
      assertEquals(paid, {
        status: "succeeded",
        amountReceivedCents: 100,
        metadata: METADATA,
        cardCountry: country,
      });
      const read = await desk.processor.retrievePayment(paymentId);
      assertEquals(valueOf(read), { id: paymentId, ...paid });
    }));
}

Deno.test("chargeSharedToken() sends the token as payment data of a preview version, under its key", async () => {
  await using server = new OneAnswer(200, {
    id: "pi_1",
    object: "payment_intent",
    status: "succeeded",
    amount_received: 100,
    latest_charge: null,
  });
  const paid = await charge(server, "spt_1", "metrics:p1:abc");
  assertEquals(valueOf(paid).cardCountry, null);
  assertEquals(server.asked, [{
    method: "POST",
    path: "/v1/payment_intents",
    key: "metrics:p1:abc",
    form: {
      amount: "100",
      currency: "eur",
      confirm: "true",
      "automatic_payment_methods[enabled]": "true",
      "automatic_payment_methods[allow_redirects]": "never",
      "payment_method_data[shared_payment_granted_token]": "spt_1",
      "metadata[purpose]": "metrics",
      "metadata[payment_id]": "p1",
      "expand[0]": "latest_charge",
    },
  }]);
  assertEquals(server.versions, ["2026-04-22.preview"]);
});

/** Tokens that give nothing, and what the port calls each. */
const USELESS: [
  what: string,
  code: string,
  make: (bench: Bench) => Promise<string>,
][] = [
  ["an unknown token", "resource_missing", () => Promise.resolve("spt_none")],
  ["a token of another currency", "invalid_request_error", async (bench) => {
    return (await grantToken(bench.stripe, { currency: "usd" })).id;
  }],
  ["a token that is too small", "invalid_request_error", async (bench) => {
    return (await grantToken(bench.stripe, { maxAmount: 99 })).id;
  }],
  ["a revoked token", "invalid_request_error", async ({ stripe }) => {
    const { id } = await grantToken(stripe);
    return (await revokeToken(stripe, id)).id;
  }],
  ["an expired token", "invalid_request_error", async ({ stripe, clock }) => {
    const expiresAt = clock.nowMs / 1_000 + 1;
    const { id } = await grantToken(stripe, { expiresAt });
    clock.advance(1_000);
    return id;
  }],
  ["a consumed token", "invalid_request_error", async ({ stripe }) => {
    const { id } = await grantToken(stripe);
    await chargeToken(stripe, id);
    return id;
  }],
  ["a declined card", "insufficient_funds", async ({ stripe }) => {
    const card = "pm_card_chargeDeclinedInsufficientFunds";
    return (await grantToken(stripe, { card })).id;
  }],
  ["an expired card", "expired_card", async ({ stripe }) => {
    const card = "pm_card_chargeDeclinedExpiredCard";
    return (await grantToken(stripe, { card })).id;
  }],
];

for (const [what, code, make] of USELESS) {
  Deno.test(`chargeSharedToken() takes ${what} for a definite no, as does its repeat`, () =>
    withProcessor(async (desk) => {
      const token = await make(desk);
      const before = chargedCents(desk);
      const first = await charge(desk, token);
      assertEquals(first.ok ? null : first.code, code);
      assertEquals(await charge(desk, token), first);
      assertEquals(chargedCents(desk), before);
    }));
}

Deno.test("chargeSharedToken() answers what waits for the buyer or the bank as it stands", () =>
  withProcessor(async (desk) => {
    const card = "pm_card_authenticationRequired";
    const threeD = await grantToken(desk.stripe, { card });
    const waiting = valueOf(await charge(desk, threeD.id, "k1"));
    assertEquals(waiting.status, "requires_action");
    desk.sim.control.addFault({ kind: "processing" });
    const slow = await grantToken(desk.stripe);
    const underWay = valueOf(await charge(desk, slow.id, "k2"));
    assertEquals(underWay.status, "processing");
    for (const { amountReceivedCents, cardCountry } of [waiting, underWay]) {
      assertEquals([amountReceivedCents, cardCountry], [0, null]);
    }
  }));

Deno.test("retrievePayment() tells how a payment ended that was not decided", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    for (
      const [how, status] of [
        ["succeed", "succeeded"],
        ["fail", "refused"],
      ] as const
    ) {
      sim.control.addFault({ kind: "processing" });
      const { id } = await grantToken(stripe);
      const payment = valueOf(await charge(desk, id, how));
      sim.control.resolvePayment(payment.id, how);
      const ended = valueOf(await processor.retrievePayment(payment.id));
      assertEquals(ended.status, status);
      assertEquals(ended.amountReceivedCents, how === "succeed" ? 100 : 0);
      // The saved first answer stays what it was: only a look tells the end.
      const repeat = valueOf(await charge(desk, id, how));
      assertEquals([repeat.id, repeat.status], [payment.id, "processing"]);
    }
  }));

Deno.test("retrievePayment() of a payment that does not exist is a definite no", () =>
  withProcessor(async ({ processor }) => {
    const outcome = await processor.retrievePayment("pi_unknown");
    assertEquals(outcome.ok ? null : outcome.code, "resource_missing");
  }));

Deno.test("cancelPayment() ends a payment that waits for the buyer, and no other", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    for (
      const [kind, status] of [
        ["requires_action", "canceled"],
        ["processing", null],
      ] as const
    ) {
      sim.control.addFault({ kind });
      const { id } = await grantToken(stripe);
      const payment = valueOf(await charge(desk, id, kind));
      const gone = await processor.cancelPayment(payment.id, `c:${kind}`);
      assertEquals(gone.ok ? gone.value.status : null, status);
      assertEquals(
        await processor.cancelPayment(payment.id, `c:${kind}`),
        gone,
      );
    }
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id, "paid"));
    const gone = await processor.cancelPayment(paid.id, "c:paid");
    assertEquals(gone.ok ? null : gone.code, "payment_intent_unexpected_state");
  }));

Deno.test("refundPayment() gives everything back once, however often and under whatever key it is asked", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    const first = await processor.refundPayment(paid.id, "refund:1");
    for (const key of ["refund:1", "refund:2"]) {
      assertEquals(await processor.refundPayment(paid.id, key), first);
    }
    const [refund, ...others] = sim.control.objects("refund");
    assertEquals([refund?.amount, others.length], [100, 0]);
    assertEquals(valueOf(first).id, refund?.id);
  }));

Deno.test("refundPayment() gives back the rest of what somebody began to give back", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    await stripe.refunds.create({ payment_intent: paid.id, amount: 40 });
    assert((await processor.refundPayment(paid.id, "refund:1")).ok);
    const amounts = sim.control.objects("refund").map(({ amount }) => amount);
    assertEquals(amounts, [40, 60]);
  }));

Deno.test("refundPayment() of a payment that took nothing is a definite no", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    sim.control.addFault({ kind: "requires_action" });
    const { id } = await grantToken(stripe);
    const waiting = valueOf(await charge(desk, id));
    assertEquals((await processor.refundPayment(waiting.id, "r")).ok, false);
    const unknown = await processor.refundPayment("pi_unknown", "r2");
    assertEquals(unknown.ok ? null : unknown.code, "resource_missing");
    assertEquals(sim.control.objects("refund"), []);
  }));

Deno.test("refundPayment() takes the payment of an invoice that was refunded already for refunded, too", () =>
  withProcessor(async ({ processor, sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const { id } = await openOver(stripe, customer, 500);
    await stripe.invoices.pay(id, { payment_method: card });
    const { paymentIds } = valueOf(await processor.retrieveInvoice(id));
    const [paymentId = ""] = paymentIds;
    const first = await processor.refundPayment(paymentId, "refund:1");
    assertEquals(await processor.refundPayment(paymentId, "refund:2"), first);
    const amounts = sim.control.objects("refund").map(({ amount }) => amount);
    assertEquals(amounts, [500]);
  }));

Deno.test("A charge can be repeated for a day; later its token refuses, and the payment is found", () =>
  withProcessor(async (desk) => {
    const { processor, stripe, clock } = desk;
    const { id } = await grantToken(stripe);
    const window = now(desk);
    const paid = valueOf(await charge(desk, id));
    clock.advance(24 * 60 * 60 * 1_000 - 1);
    assertEquals(valueOf(await charge(desk, id)), paid);
    clock.advance(1);
    assertEquals((await charge(desk, id)).ok, false);
    assertEquals(valueOf(await processor.findPayment(BY_ID, window)), paid);
  }));

Deno.test("A key of a charge can not be used for another token, amount or call", () =>
  withProcessor(async (desk) => {
    const { processor, stripe } = desk;
    const first = await grantToken(stripe, { maxAmount: 500 });
    const second = await grantToken(stripe);
    const paid = valueOf(await charge(desk, first.id));
    await assertRejects(() => charge(desk, second.id), ProcessorUncertain);
    await assertRejects(
      () =>
        processor.chargeSharedToken(
          { amountCents: 200, token: first.id, metadata: METADATA },
          "metrics:p1",
        ),
      ProcessorUncertain,
    );
    await assertRejects(
      () => processor.refundPayment(paid.id, "metrics:p1"),
      ProcessorUncertain,
    );
    assertEquals(chargedCents(desk), 100);
  }));
