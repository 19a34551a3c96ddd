import { assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { DisputeTurn } from "../../../simulators/stripe/dispute.ts";
import { valueOf, withProcessor } from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import { paidInvoice } from "../../simulators/stripe/money.ts";

Deno.test("retrieveDispute() tells what is disputed, why, and until when to answer", () =>
  withProcessor(async ({ sim, stripe, processor, clock }) => {
    const { payment, charge } = await paidInvoice(stripe, 12_100);
    const { id } = sim.control.disputes.open(charge, {
      amount: 2_100,
      reason: "duplicate",
    });
    const dispute = valueOf(await processor.retrieveDispute(id));
    const [moved] = (await stripe.disputes.retrieve(id)).balance_transactions;
    const createdAtMs = Math.floor(clock.nowMs / 1_000) * 1_000;
    assertEquals(dispute, {
      id,
      standing: "open",
      amountCents: 2_100,
      movements: [{ id: moved?.id ?? "", amountCents: -2_100 }],
      paymentId: payment,
      reason: "duplicate",
      createdAtMs,
      evidenceDueAtMs: createdAtMs + 9 * 24 * 60 * 60 * 1_000,
    });
  }));

/** Ways a dispute goes, and how each stands in the end. */
const WAYS: [
  kind: "chargeback" | "inquiry" | "prevented",
  turns: DisputeTurn[],
  standing: string,
  rawStatus: string,
][] = [
  ["chargeback", [], "open", "needs_response"],
  ["chargeback", ["under_review"], "open", "under_review"],
  ["chargeback", ["under_review", "won"], "won", "won"],
  ["chargeback", ["lost"], "lost", "lost"],
  ["chargeback", ["partly_won"], "lost", "lost"],
  ["inquiry", [], "warning", "warning_needs_response"],
  ["inquiry", ["under_review"], "warning", "warning_under_review"],
  ["inquiry", ["warning_closed"], "warning", "warning_closed"],
  ["inquiry", ["escalated"], "open", "needs_response"],
  ["inquiry", ["escalated", "lost"], "lost", "lost"],
  ["prevented", [], "prevented", "prevented"],
];

for (const [kind, turns, standing, rawStatus] of WAYS) {
  Deno.test(`a ${[kind, ...turns].join(", ")} stands as ${standing}`, () =>
    withProcessor(async ({ sim, stripe, processor }) => {
      const { charge } = await paidInvoice(stripe);
      const { id } = sim.control.disputes.open(charge, { kind });
      for (const turn of turns) sim.control.disputes.turn(id, turn);
      const dispute = valueOf(await processor.retrieveDispute(id));
      const { status } = await stripe.disputes.retrieve(id);
      assertEquals([dispute.standing, status], [standing, rawStatus]);
      assertEquals(dispute.evidenceDueAtMs === null, kind === "prevented");
    }));
}

Deno.test("retrieveDispute() refuses an unknown one", () =>
  withProcessor(async ({ processor }) => {
    const asked = await processor.retrieveDispute("du_none");
    assertEquals(asked.ok, false);
    assertEquals(asked.ok || asked.code, "resource_missing");
  }));

Deno.test("a status nobody knows leaves open what it means for the money", async () => {
  await using server = new OneAnswer(200, {
    id: "du_1",
    object: "dispute",
    status: "half_won",
    amount: 100,
    balance_transactions: [],
    charge: "ch_1",
    created: 1,
    payment_intent: null,
    reason: "general",
    evidence_details: { due_by: null },
  });
  await assertRejects(
    () => server.processor.retrieveDispute("du_1"),
    ProcessorUncertain,
  );
});

Deno.test("listDisputes() gives every dispute of a span once, newest first", () =>
  withProcessor(async ({ sim, stripe, processor, clock }) => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { charge } = await paidInvoice(stripe);
      ids.unshift(sim.control.disputes.open(charge).id);
      clock.advance(1_000);
    }
    const span = { from: clock.nowMs - 4_000, until: clock.nowMs };
    const first = valueOf(await processor.listDisputes(span, null, 3));
    assertEquals(first.items.map(({ id }) => id), ids.slice(0, 3));
    const { nextCursor } = first;
    const rest = valueOf(await processor.listDisputes(span, nextCursor, 3));
    assertEquals(rest.items.map(({ id }) => id), ids.slice(3, 4));
    assertEquals(rest.nextCursor, null);
  }));
