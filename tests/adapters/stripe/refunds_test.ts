import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { charge, valueOf, withProcessor } from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import { grantToken } from "../../simulators/stripe/support.ts";

Deno.test("listRefunds() gives every refund of a payment, whoever made it, oldest first", () =>
  withProcessor(async (desk) => {
    const { processor, stripe, clock } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    await stripe.refunds.create({ payment_intent: paid.id, amount: 30 });
    clock.advance(1_000);
    assert((await processor.refundPayment(paid.id, "r:1", 50)).ok);
    const refunds = valueOf(await processor.listRefunds(paid.id));
    assertEquals(refunds.map(({ amountCents }) => amountCents), [30, 50]);
  }));

Deno.test("refundPayment() of more than is left is a definite no", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    await stripe.refunds.create({ payment_intent: paid.id, amount: 60 });
    const refused = await processor.refundPayment(paid.id, "r:1", 50);
    assertEquals(refused.ok, false);
    assertEquals(sim.control.objects("refund").length, 1);
  }));

Deno.test("refundPayment() gives back what a lost dispute over a part left, and no more", () =>
  withProcessor(async (desk) => {
    const { processor, sim, stripe } = desk;
    const { id } = await grantToken(stripe);
    const paid = valueOf(await charge(desk, id));
    const dispute = sim.control.disputes.open(paid.id, { amount: 30 });
    const early = await processor.refundPayment(paid.id, "r:1", 70);
    assertEquals(early.ok || early.code, "charge_disputed");
    sim.control.disputes.turn(dispute.id, "lost");
    assertEquals((await processor.refundPayment(paid.id, "r:2", 71)).ok, false);
    assert((await processor.refundPayment(paid.id, "r:3", 70)).ok);
  }));

Deno.test("listRefunds() takes a refund that failed for none", async () => {
  const refund = (id: string, status: string) => ({
    id,
    object: "refund",
    amount: 10,
    status,
  });
  await using server = new OneAnswer(200, {
    object: "list",
    data: [
      refund("re_3", "failed"),
      refund("re_2", "pending"),
      refund("re_1", "canceled"),
    ],
    has_more: false,
    url: "/v1/refunds",
  });
  assertEquals(await server.processor.listRefunds("pi_1"), {
    ok: true,
    value: [{ id: "re_2", amountCents: 10 }],
  });
});

Deno.test("listRefunds() does not take a part of them for all", async () => {
  await using server = new OneAnswer(200, {
    object: "list",
    data: [],
    has_more: true,
    url: "/v1/refunds",
  });
  await assertRejects(
    () => server.processor.listRefunds("pi_1"),
    ProcessorUncertain,
  );
});
