/** How a review names what moved of payments, and of whom it is. */
import { assertEquals } from "@std/assert";
import type { BalanceTransaction } from "../../../domain/payments/processor_books.ts";
import { certainValue } from "../../../domain/payments/outcome.ts";
import {
  type Moved,
  reviewMovements,
} from "../../../domain/release/read_movements.ts";
import { openPaidDay } from "../../support/paid_day.ts";
import { openPaidWorld, payAgain, sold } from "../../support/paid_world.ts";

const NOTHING: Moved = { movements: [], disputes: [], invoices: [] };

function movementOf(
  type: BalanceTransaction["type"],
  paymentId: string,
): BalanceTransaction {
  const ids = { id: "txn_1", paymentId, sourceId: "source_1" };
  return { ...ids, type, amountCents: 7, createdAtMs: 0 };
}

Deno.test("a review names a movement of another kind as unknown, though its payment is known", async () => {
  await using day = await openPaidDay();
  const { paymentId } = await day.invoice();
  const movements = [movementOf("other", paymentId ?? "")];
  const moved = { ...NOTHING, movements };
  assertEquals(await reviewMovements(day.world.services, moved), [
    { kind: "movement_unknown", movementId: "txn_1", paymentId },
  ]);
});

Deno.test("a review names a second payment of figures as one to book, and a bank's dispute of either", async () => {
  await using shop = await openPaidWorld();
  const paymentId = await payAgain(shop, await sold(shop));
  const movements = [movementOf("charge", paymentId)];
  const { services, world: { simulator: { control } } } = shop;
  const beside = await payAgain(shop, "not here");
  const known = control.disputes.open(paymentId).id;
  const other = control.disputes.open(beside).id;
  const disputes = [];
  for (const id of [known, other]) {
    disputes.push(certainValue(await services.processor.retrieveDispute(id)));
  }
  const moved = { ...NOTHING, movements, disputes };
  assertEquals(await reviewMovements(services, moved), [
    { kind: "figures_to_book", paymentId },
    { kind: "dispute_to_book", disputeId: known },
    { kind: "dispute_unknown", disputeId: other },
  ]);
});
