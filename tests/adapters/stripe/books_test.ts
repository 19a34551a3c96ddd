import { assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { BalanceTransaction } from "../../../domain/payments/processor_books.ts";
import type { Page } from "../../../domain/payments/outcome.ts";
import { type Desk, valueOf, withProcessor } from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import { paidInvoice } from "../../simulators/stripe/money.ts";

/** All pages of the books, each of `limit`. */
async function read(
  { processor, clock }: Desk,
  limit: number,
): Promise<BalanceTransaction[][]> {
  const pages: BalanceTransaction[][] = [];
  let cursor: string | null = null;
  do {
    const page: Page<BalanceTransaction> = valueOf(
      await processor.listBalanceTransactions(
        { from: 0, until: clock.nowMs },
        cursor,
        limit,
      ),
    );
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

Deno.test("listBalanceTransactions() tells of charges, refunds and disputes, with the payment of each", () =>
  withProcessor(async (desk) => {
    const { sim, stripe, clock } = desk;
    sim.control.setFees({ chargeCents: 25, disputeCents: 2_000 });
    const first = await paidInvoice(stripe, 12_100);
    const refund = await stripe.refunds.create({
      charge: first.charge,
      amount: 100,
    });
    const second = await paidInvoice(stripe, 500);
    const dispute = sim.control.disputes.open(second.charge);
    sim.control.disputes.turn(dispute.id, "won");
    const [items = []] = await read(desk, 100);
    const createdAtMs = Math.floor(clock.nowMs / 1_000) * 1_000;
    const moved = (
      type: BalanceTransaction["type"],
      amountCents: number,
      ids: { paymentId: string; sourceId: string },
    ) => ({ type, amountCents, ...ids, createdAtMs });
    const [one, other] = [first.payment, second.payment];
    assertEquals(items.map(({ id: _, ...item }) => item), [
      moved("dispute_reversal", 500, {
        paymentId: other,
        sourceId: dispute.id,
      }),
      moved("dispute", -500, {
        paymentId: other,
        sourceId: dispute.id,
      }),
      moved("charge", 500, {
        paymentId: other,
        sourceId: second.charge,
      }),
      moved("refund", -100, { paymentId: one, sourceId: refund.id }),
      moved("charge", 12_100, {
        paymentId: one,
        sourceId: first.charge,
      }),
    ]);
  }));

Deno.test("listBalanceTransactions() gives every movement once over all pages", () =>
  withProcessor(async (desk) => {
    for (let i = 0; i < 7; i++) await paidInvoice(desk.stripe, 100 + i);
    const pages = await read(desk, 3);
    assertEquals(pages.map((page) => page.length), [3, 3, 1]);
    assertEquals(
      pages.flat().map(({ amountCents }) => amountCents),
      [106, 105, 104, 103, 102, 101, 100],
    );
  }));

Deno.test("listBalanceTransactions() has spans that meet share nothing and miss nothing", () =>
  withProcessor(async ({ processor, stripe, clock }) => {
    const start = clock.nowMs;
    for (let i = 0; i < 4; i++) {
      await paidInvoice(stripe, 100 + i);
      clock.advance(700);
    }
    const cut = start + 1_500;
    const amounts = async (from: number, until: number) => {
      const asked = processor.listBalanceTransactions(
        { from, until },
        null,
        100,
      );
      return valueOf(await asked).items.map(({ amountCents }) => amountCents);
    };
    const earlier = await amounts(start, cut);
    const later = await amounts(cut + 1, clock.nowMs);
    assertEquals([...later, ...earlier], [103, 102, 101, 100]);
    assertEquals(earlier.length > 0 && later.length > 0, true);
  }));

Deno.test("listBalanceTransactions() asks for no more than a page holds", async () => {
  const empty = { object: "list", data: [], has_more: false, url: "/" };
  await using server = new OneAnswer(200, empty);
  const span = { from: 0, until: 1 };
  const asked = server.processor.listBalanceTransactions(span, null, 5_000);
  assertEquals(valueOf(await asked), { items: [], nextCursor: null });
  assertEquals(server.asked.map(({ method }) => method), ["GET"]);
});

Deno.test("listBalanceTransactions() is uncertain while the processor is away", () =>
  withProcessor(async ({ sim, processor }) => {
    sim.control.addFault({ kind: "error_before_effect" });
    const span = { from: 0, until: 1 };
    await assertRejects(
      () => processor.listBalanceTransactions(span, null, 10),
      ProcessorUncertain,
    );
  }));

Deno.test("a movement without a source, of a kind the books don't know, is other", async () => {
  const advance = {
    id: "txn_1",
    object: "balance_transaction",
    amount: -900,
    fee: 0,
    created: 1_763_640_000,
    reporting_category: "advance",
    source: null,
  };
  const page = { object: "list", data: [advance], has_more: false, url: "/" };
  await using server = new OneAnswer(200, page);
  const asked = await server.processor.listBalanceTransactions(
    { from: 0, until: 1 },
    null,
    10,
  );
  assertEquals(valueOf(asked).items, [{
    id: "txn_1",
    type: "other",
    amountCents: -900,
    paymentId: null,
    sourceId: "txn_1",
    createdAtMs: 1_763_640_000_000,
  }]);
});
