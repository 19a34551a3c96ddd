import { assert, assertEquals } from "@std/assert";
import { movements, paidInvoice } from "./money.ts";
import { withSimulator } from "./support.ts";

Deno.test("every charge, refund and dispute moves the balance once", () =>
  withSimulator(async ({ sim, stripe }) => {
    const first = await paidInvoice(stripe, 12_100);
    await stripe.refunds.create({ charge: first.charge, amount: 100 });
    const second = await paidInvoice(stripe, 500);
    sim.control.disputes.open(second.charge);
    assertEquals(await movements(stripe), [
      ["charge", 12_100, 0],
      ["refund", -100, 0],
      ["charge", 500, 0],
      ["dispute", -500, 0],
    ]);
  }));

Deno.test("the objects that moved the balance and the movements name each other", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { charge } = await paidInvoice(stripe, 12_100);
    const refund = await stripe.refunds.create({ charge, amount: 100 });
    sim.control.disputes.open(charge);
    const { data } = await stripe.balanceTransactions.list({
      expand: ["data.source"],
    });
    const sources = data.map(({ source }) => {
      assert(typeof source === "object" && source !== null);
      return source.object;
    });
    assertEquals(sources, ["dispute", "refund", "charge"]);
    assertEquals(refund.balance_transaction, data[1]?.id);
    const paid = await stripe.charges.retrieve(charge, {
      expand: ["balance_transaction"],
    });
    const moved = paid.balance_transaction;
    assert(typeof moved === "object" && moved !== null);
    assertEquals([moved.type, moved.amount, moved.source], [
      "charge",
      12_100,
      charge,
    ]);
  }));

Deno.test("fees are what the control says, from then on", () =>
  withSimulator(async ({ sim, stripe }) => {
    await paidInvoice(stripe, 10_000);
    sim.control.setFees({ chargeBasisPoints: 150, chargeCents: 25 });
    sim.control.setFees({ disputeCents: 2_000 });
    const { charge } = await paidInvoice(stripe, 10_000);
    const { id } = sim.control.disputes.open(charge);
    sim.control.disputes.turn(id, "won");
    assertEquals(await movements(stripe), [
      ["charge", 10_000, 0],
      ["charge", 10_000, 175],
      ["dispute", -10_000, 2_000],
      ["dispute_reversal", 10_000, 0],
    ]);
    const { data } = await stripe.balanceTransactions.list({ type: "charge" });
    const net = data.map((moved) => moved.net);
    assertEquals(net, [9_825, 10_000]);
    assertEquals(data[0]?.fee_details[0]?.amount, 175);
  }));

Deno.test("GET /v1/balance_transactions lists by time, source and page", () =>
  withSimulator(async ({ stripe, clock }) => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { charge } = await paidInvoice(stripe);
      const { data } = await stripe.balanceTransactions.list({
        source: charge,
      });
      ids.unshift(...data.map(({ id }) => id));
      clock.advance(1_000);
    }
    const seconds = clock.nowMs / 1_000;
    const span = { gte: seconds - 3, lte: seconds - 2 };
    const { data } = await stripe.balanceTransactions.list({ created: span });
    assertEquals(data.map(({ id }) => id), ids.slice(1));
    const page = await stripe.balanceTransactions.list({ limit: 1 });
    assertEquals([page.has_more, page.data[0]?.id], [true, ids[0]]);
  }));

Deno.test("movements, disputes and their order survive a restart", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withSimulator(async (bench) => {
      const { charge } = await paidInvoice(bench.stripe, 900);
      const { id } = bench.sim.control.disputes.open(charge);
      const before = await movements(bench.stripe);
      await bench.restart();
      assertEquals(await movements(bench.stripe), before);
      bench.sim.control.disputes.turn(id, "won");
      assertEquals((await movements(bench.stripe)).length, 3);
    }, { booksPath: `${folder}/books.jsonl` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
