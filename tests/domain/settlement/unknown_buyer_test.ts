import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { recordUnknownBuyer } from "../../../domain/settlement/unknown_buyer.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { putOnHold } from "../../support/restored_world.ts";

const FROM_MS = Date.parse("2026-11-10T00:00:00.000Z");
const UNTIL_MS = FROM_MS + 3 * DAY_MS;

/** When an invoice got its number, what it is for, and whether it is ours. */
const FOUND: readonly [finalizedAtMs: number, purpose: string, boolean][] = [
  [FROM_MS - DAY_MS - 1, "spotlight", false],
  [FROM_MS - DAY_MS, "spotlight", true],
  [UNTIL_MS + DAY_MS, "spotlight", true],
  [UNTIL_MS + DAY_MS + 1, "spotlight", false],
  [FROM_MS, "consulting", false],
];

Deno.test("recordUnknownBuyer() writes down the Spotlights' invoices of the time that the store lost, and of a day around it", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await putOnHold(services, {
    backupAtMs: FROM_MS,
    restoredAtMs: UNTIL_MS,
    releasedAtMs: UNTIL_MS,
  });
  for (const [nth, [finalizedAtMs, purpose, isOurs]] of FOUND.entries()) {
    const id = `in_${nth}`;
    await recordUnknownBuyer(services, {
      id,
      status: "void",
      customerId: "cus_lost",
      metadata: { purpose, day: AUCTION_DAY, bid_id: "bid_lost" },
      totalCents: 500,
      taxCents: 0,
      amountPaidCents: 0,
      number: `${nth}`,
      finalizedAtMs,
      paymentIds: [],
    });
    const written = await services.store.invoices.find(id);
    assertEquals(written !== null, isOurs, id);
  }
});
