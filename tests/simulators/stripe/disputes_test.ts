import { assertEquals, assertThrows } from "@std/assert";
import { eventsOf, movements, paidInvoice } from "./money.ts";
import { payer, refusal, withSimulator } from "./support.ts";

Deno.test("a chargeback takes the money back and says so", () =>
  withSimulator(async ({ sim, stripe, clock }) => {
    const { charge, payment } = await paidInvoice(stripe, 12_100);
    const opened = sim.control.disputes.open(payment);
    const dispute = await stripe.disputes.retrieve(opened.id);
    assertEquals(
      [dispute.status, dispute.amount, dispute.charge, dispute.payment_intent],
      ["needs_response", 12_100, charge, payment],
    );
    assertEquals(dispute.is_charge_refundable, false);
    assertEquals(
      Number(dispute.evidence_details.due_by) > clock.nowMs / 1_000,
      true,
    );
    assertEquals(
      dispute.balance_transactions.map(({ amount, type }) => [type, amount]),
      [["adjustment", -12_100]],
    );
    assertEquals((await stripe.charges.retrieve(charge)).disputed, true);
    assertEquals(await eventsOf(stripe, "charge.dispute"), [
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
    ]);
  }));

Deno.test("a dispute that is won gives the money back", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe, 12_100);
    const { id } = sim.control.disputes.open(charge, { amount: 2_100 });
    sim.control.disputes.turn(id, "won");
    assertEquals((await stripe.disputes.retrieve(id)).status, "won");
    assertEquals(await movements(stripe), [
      ["charge", 12_100, 0],
      ["dispute", -2_100, 0],
      ["dispute_reversal", 2_100, 0],
    ]);
    assertEquals((await eventsOf(stripe, "charge.dispute")).slice(2), [
      "charge.dispute.funds_reinstated",
      "charge.dispute.closed",
    ]);
    const refund = await stripe.refunds.create({ charge });
    assertEquals(refund.amount, 12_100);
  }));

Deno.test("a dispute that is lost keeps the money and bars refunds", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe);
    const { id } = sim.control.disputes.open(charge);
    sim.control.disputes.turn(id, "lost");
    assertEquals((await stripe.disputes.retrieve(id)).status, "lost");
    assertEquals((await eventsOf(stripe, "charge.dispute")).slice(2), [
      "charge.dispute.closed",
    ]);
    const refused = await refusal(stripe.refunds.create({ charge }));
    assertEquals(refused.code, "charge_disputed");
    assertThrows(() => sim.control.disputes.open(charge), RangeError);
  }));

Deno.test("an inquiry moves no money and ends with a full refund", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe, 12_100);
    const { id } = sim.control.disputes.open(charge, { kind: "inquiry" });
    const inquiry = await stripe.disputes.retrieve(id);
    assertEquals(inquiry.status, "warning_needs_response");
    assertEquals(inquiry.is_charge_refundable, true);
    await stripe.refunds.create({ charge, amount: 100 });
    assertEquals(
      (await stripe.disputes.retrieve(id)).status,
      "warning_needs_response",
    );
    await stripe.refunds.create({ charge });
    assertEquals((await stripe.disputes.retrieve(id)).status, "warning_closed");
    assertEquals(await movements(stripe), [
      ["charge", 12_100, 0],
      ["refund", -100, 0],
      ["refund", -12_000, 0],
    ]);
    assertEquals(await eventsOf(stripe, "charge.dispute"), [
      "charge.dispute.created",
      "charge.dispute.closed",
    ]);
  }));

Deno.test("an inquiry that escalates takes the money then", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe, 500);
    const { id } = sim.control.disputes.open(charge, { kind: "inquiry" });
    sim.control.disputes.turn(id, "escalated");
    const dispute = await stripe.disputes.retrieve(id);
    assertEquals(dispute.status, "needs_response");
    assertEquals(dispute.payment_method_details?.card?.case_type, "chargeback");
    assertEquals((await movements(stripe)).at(-1), ["dispute", -500, 0]);
  }));

Deno.test("a prevented dispute is over when it is told of", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe);
    const { id } = sim.control.disputes.open(charge, { kind: "prevented" });
    const dispute = await stripe.disputes.retrieve(id);
    assertEquals([dispute.status, dispute.balance_transactions], [
      "prevented",
      [],
    ]);
    assertThrows(() => sim.control.disputes.turn(id, "lost"), RangeError);
  }));

Deno.test("what was given back already can't be disputed", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe, 1_000);
    await stripe.refunds.create({ charge, amount: 400 });
    const open = (amount?: number) => () =>
      sim.control.disputes.open(charge, { amount });
    assertThrows(open(601), RangeError);
    assertEquals(open()().amount, 600);
    assertThrows(open(), RangeError);
    const other = await paidInvoice(stripe, 1_000);
    await stripe.refunds.create({ charge: other.charge });
    assertThrows(() => sim.control.disputes.open(other.charge), RangeError);
    assertThrows(() => sim.control.disputes.open("ch_none"), RangeError);
  }));

for (
  const [card, status, reason] of [
    ["pm_card_createDispute", "needs_response", "fraudulent"],
    ["pm_card_createDisputeInquiry", "warning_needs_response", "fraudulent"],
    [
      "pm_card_createDisputeProductNotReceived",
      "needs_response",
      "product_not_received",
    ],
  ] as const
) {
  Deno.test(`${card} is charged and disputed by itself`, () =>
    withSimulator(async ({ stripe }) => {
      const { payment, invoice } = await paidInvoice(stripe, 700, card);
      assertEquals(invoice.status, "paid");
      const { data } = await stripe.disputes.list({ payment_intent: payment });
      assertEquals(
        data.map((dispute) => [dispute.status, dispute.reason, dispute.amount]),
        [[status, reason, 700]],
      );
    }));
}

Deno.test("GET /v1/disputes pages by time and by charge", () =>
  withSimulator(async ({ sim, stripe, clock }) => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { charge } = await paidInvoice(stripe);
      ids.unshift(sim.control.disputes.open(charge).id);
      clock.advance(60_000);
    }
    const first = await stripe.disputes.list({ limit: 2 });
    assertEquals(first.data.map(({ id }) => id), ids.slice(0, 2));
    const rest = await stripe.disputes.list({
      starting_after: String(ids[1]),
    });
    assertEquals(rest.data.map(({ id }) => id), ids.slice(2));
    const lately = Math.floor(clock.nowMs / 1_000) - 60;
    const late = await stripe.disputes.list({ created: { gte: lately } });
    assertEquals(late.data.map(({ id }) => id), ids.slice(0, 1));
    const one = await stripe.disputes.list({
      charge: String(first.data[1]?.charge),
    });
    assertEquals(one.data.map(({ id }) => id), ids.slice(1, 2));
  }));

Deno.test("a payment declined takes nothing and moves nothing", () =>
  withSimulator(async ({ stripe, sim }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    await refusal(stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      confirm: true,
      off_session: true,
    }));
    assertEquals(await movements(stripe), []);
    const [charge] = sim.control.objects("charge");
    assertThrows(() => sim.control.disputes.open(charge?.id ?? ""), RangeError);
  }));
