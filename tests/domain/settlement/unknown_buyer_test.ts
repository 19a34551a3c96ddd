import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { certainValue } from "../../../domain/payments/outcome.ts";
import { recordUnknownBuyer } from "../../../domain/settlement/unknown_buyer.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { invoiceByHand } from "../../support/invoice_by_hand.ts";
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
      paidAtMs: null,
      paymentIds: [],
    });
    const written = await services.store.invoices.find(id);
    assertEquals(written !== null, isOurs, id);
  }
});

for (const isNoted of [true, false]) {
  Deno.test(`recordUnknownBuyer() books what was paid for a day that nobody else has bought as ${isNoted ? "the sale that an operator noted" : "money to be given back, where no operator noted a sale"}`, async () => {
    await using world = await openAuctionWorld();
    const { services, clock } = world;
    const stranger = await world.advertiser("stranger");
    const bidId = "bid_lost";
    const id = await invoiceByHand(world, stranger, { bidId });
    const nowMs = clock.now();
    await putOnHold(services, {
      backupAtMs: nowMs,
      restoredAtMs: nowMs,
      releasedAtMs: nowMs,
      acknowledged: isNoted ? [`day_sold_to_unknown:${id}`] : [],
    });
    const found = await services.processor.retrieveInvoice(id);
    await recordUnknownBuyer(services, certainValue(found));
    const invoice = await services.store.invoices.find(id);
    assertEquals(
      [invoice?.money, invoice?.wasSold, invoice?.refundTrouble ?? null],
      isNoted ? ["sold", true, null] : ["refund_failed", false, "bid_unknown"],
    );
  });
}
