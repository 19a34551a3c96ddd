import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import {
  balanceOf,
  bookEntry,
  linesOf,
  reversed,
} from "../../../domain/ledger/book_entry.ts";
import type { Movement } from "../../../domain/ledger/entry.ts";
import { saleMovement } from "../../../domain/ledger/sale.ts";
import { openTestStore } from "../../support/store.ts";

const ENTRY = { id: "made:up", atMs: 5, kind: "sale" } as const;

const WRONG: [what: string, movement: Movement, paymentId: string | null][] = [
  ["that does not sum to zero", { vat_payable: 5 }, "pi_1"],
  ["that moves nothing", { vat_payable: 0 }, "pi_1"],
  [
    "of parts of a cent",
    { vat_payable: 0.5, spotlight_revenue: -0.5 },
    "pi_1",
  ],
  [
    "of the processor's money without its payment",
    { processor_clearing: 5, spotlight_revenue: -5 },
    null,
  ],
];

for (const [what, movement, paymentId] of WRONG) {
  Deno.test(`bookEntry() takes no entry ${what}, and nothing of its commit stands`, async () => {
    await using world = await openTestStore();
    const booking = world.store.transact((tx) =>
      bookEntry(tx, { ...ENTRY, paymentId, movement })
    );
    await assertRejects(() => booking, Error, "Invariant broken");
    assertEquals(await world.store.listLedger({ limit: 9 }), []);
  });
}

Deno.test("bookEntry() is found by its payment, and by when it was booked, both ends included", async () => {
  await using world = await openTestStore();
  const { store } = world;
  const movement = saleMovement("spotlight_revenue", {
    grossCents: 121,
    vatCents: 21,
  });
  await store.transact((tx) =>
    bookEntry(tx, { ...ENTRY, paymentId: "pi_1", movement })
  );
  const limit = 9;
  const found = await store.listLedgerOfPayment("pi_1", { limit });
  assertEquals(balanceOf(found, "vat_payable"), -21);
  for (
    const [from, until, count] of [[5, 5, 1], [0, 4, 0], [6, 9, 0]] as const
  ) {
    const between = await store.listLedgerBetween(from, until, { limit });
    assertEquals(between.length, count, `${from} to ${until}`);
  }
});

Deno.test("a sale sums to zero, whatever VAT is contained in it", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 99_999_999 }),
    fc.double({ min: 0, max: 0.99, noNaN: true }),
    (grossCents, part) => {
      const vatCents = Math.floor(grossCents * part);
      const movement = saleMovement("metrics_revenue", {
        grossCents,
        vatCents,
      });
      const lines = linesOf(movement);
      const sum = lines.reduce((total, line) => total + line.amountCents, 0);
      assertEquals(sum, 0);
      assertEquals(balanceOf([{ lines }], "processor_clearing"), grossCents);
    },
  ));
});

Deno.test("reversed() takes a movement back to the cent, and nothing is never minus nothing", () => {
  const movement = { vat_payable: -21, processor_clearing: 1, refunds_due: 0 };
  assertEquals(reversed(movement), {
    vat_payable: 21,
    processor_clearing: -1,
    refunds_due: 0,
  });
});
