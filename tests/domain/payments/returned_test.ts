import { assertEquals } from "@std/assert";
import {
  heldOf,
  keptOf,
  NOTHING_RETURNED,
  type Returned,
  unbookedRefunds,
  withWithheld,
} from "../../../domain/payments/returned.ts";

const REFUND = { createdAtMs: 0, state: "succeeded" } as const;

/** 300 given back, 100 lost for good, 200 held by a bank. */
const RETURNED: Returned = {
  refunds: [
    { ...REFUND, id: "re_1", amountCents: 100 },
    { ...REFUND, id: "re_2", amountCents: 200 },
  ],
  disputedCents: 200,
  lostCents: 100,
};

Deno.test("keptOf() is what neither refunds nor lost disputes took, never less than nothing", () => {
  assertEquals(keptOf(1_000, RETURNED), 600);
  assertEquals(keptOf(399, RETURNED), 0);
});

Deno.test("heldOf() leaves out what a bank holds while a dispute is open, and is never less than nothing", () => {
  assertEquals(heldOf(1_000, RETURNED), 400);
  assertEquals(heldOf(500, RETURNED), 0);
});

Deno.test("a payment of which nothing went back is held whole", () => {
  assertEquals(keptOf(1_000, NOTHING_RETURNED), 1_000);
  assertEquals(heldOf(1_000, NOTHING_RETURNED), 1_000);
});

Deno.test("withWithheld() adds what a bank holds and took to what it has already", () => {
  const more = { disputedCents: 50, lostCents: 7 };
  const { disputedCents, lostCents, refunds } = withWithheld(RETURNED, more);
  assertEquals([disputedCents, lostCents], [250, 107]);
  assertEquals(refunds, RETURNED.refunds);
});

Deno.test("unbookedRefunds() are those that neither are booked nor came back", () => {
  const found = ["re_1", "re_3", "re_4"].map((id) => ({
    ...REFUND,
    id,
    amountCents: 1,
  }));
  const known = { ...RETURNED, failedRefunds: ["re_4"] };
  const left = unbookedRefunds(known, found).map(({ id }) => id);
  assertEquals(left, ["re_3"]);
});
