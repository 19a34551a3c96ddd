import { assertEquals } from "@std/assert";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import { compareDay } from "../../../domain/reconciliation/compare_day.ts";
import {
  READ_BOUNDS,
  type ReadBounds,
} from "../../../domain/reconciliation/read_books.ts";
import type { ComparedPart } from "../../../domain/reconciliation/reconciliation.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";

async function compare(
  day: PaidDay,
  bounds: Partial<ReadBounds>,
): Promise<(ComparedPart | string)[]> {
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  const { differences } = await compareDay(services, AUCTION_DAY, {
    ...READ_BOUNDS,
    ...bounds,
  });
  return differences.map((one) =>
    one.kind === "not_fully_compared" ? one.what : one.kind
  );
}

/** Books what no movement is behind, and moves what is not booked. */
async function spoil(day: PaidDay): Promise<void> {
  const { services, stripe, clock } = day.world;
  await services.store.transact((tx) =>
    bookEntry(tx, {
      id: "made:up",
      atMs: clock.now(),
      kind: "sale",
      paymentId: "pi_unknown",
      movement: { processor_clearing: 5, spotlight_revenue: -5 },
    })
  );
  const { paymentId } = await day.invoice();
  await stripe.refunds.create({ payment_intent: paymentId ?? "", amount: 50 });
}

Deno.test("a day with more entries than are read says so", async () => {
  await using day = await openPaidDay();
  assertEquals(await compare(day, { entries: 1 }), ["entries"]);
  assertEquals(await compare(day, { entries: 2 }), []);
});

Deno.test("a payment with more entries than are read says so", async () => {
  await using day = await openPaidDay();
  assertEquals(await compare(day, { entriesOfPayment: 1 }), [
    "entries_of_payment",
  ]);
});

Deno.test("a processor with more movements than are read is compared as far as it goes", async () => {
  await using day = await openPaidDay();
  const { stripe } = day.world;
  await spoil(day);
  // Pages hold a hundred: a movement more makes a second one.
  const { paymentId } = await day.invoice();
  for (let nth = 0; nth < 100; nth++) {
    await stripe.refunds.create({ payment_intent: paymentId ?? "", amount: 1 });
  }
  const { log } = day.world;
  const isMissed = () => log.lines.some((line) => line.includes("not_moved"));
  const found = await compare(day, { movements: 100 });
  // What was booked may have moved on a page that was not read.
  assertEquals(new Set(found), new Set(["movements", "not_booked"]));
  assertEquals(isMissed(), false);
  assertEquals(new Set(await compare(day, {})), new Set(["not_booked"]));
  assertEquals(isMissed(), true);
});
