import { assertEquals } from "@std/assert";
import { passOverOthers } from "../../../domain/settlement/pass_over_others.ts";
import { newSaga, nextTurn } from "../../../domain/settlement/saga.ts";
import { takeLease } from "../../../domain/settlement/settle_day.ts";
import { isWait } from "../../../domain/settlement/step_progress.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { invoiceByHand } from "../../support/invoice_by_hand.ts";
import { closeDay } from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

/** How the invoice of a bidder who is half way stands, and whether it is over. */
const STANDINGS: readonly [
  what: string,
  make: (world: AuctionWorld, bob: Advertiser) => Promise<string>,
  isOver: boolean,
][] = [
  ["is a draft", async ({ stripe }, { account }) => {
    const customer = account.processorCustomerId ?? "";
    return (await stripe.invoices.create({ customer })).id ?? "";
  }, true],
  ["is void", async (world, bob) => {
    const id = await invoiceByHand(world, bob, { bidId: "b", isPaid: false });
    await world.stripe.invoices.voidInvoice(id);
    return id;
  }, true],
  [
    "may still be paid",
    (world, bob) => invoiceByHand(world, bob, { bidId: "b", isPaid: false }),
    false,
  ],
  ["is paid", (world, bob) => invoiceByHand(world, bob, { bidId: "b" }), false],
  ["is paid and given back", async (world, bob) => {
    const id = await invoiceByHand(world, bob, { bidId: "b" });
    const charge = world.simulator.control.objects("charge").at(-1)?.id ?? "";
    await world.stripe.refunds.create({ charge });
    return id;
  }, true],
];

for (const [what, make, isOver] of STANDINGS) {
  Deno.test(`passOverOthers() ${isOver ? "passes over" : "waits for"} who is half way with an invoice that ${what}`, async () => {
    await using world = await openAuctionWorld();
    const { services } = world;
    await world.bid(await world.advertiser("ada"), 900);
    const bob = await world.advertiser("bob");
    await world.bid(bob, 500);
    await closeDay(services);
    const invoiceId = await make(world, bob);
    await services.store.transact(async (tx) => {
      const row = await tx.settlements.find(day);
      if (row === null) throw new Error("It is not closed");
      const candidates = row.candidates.map((each) => ({
        ...each,
        step: "paying" as const,
        ...each.accountId === "acc_bob" && { invoiceId },
      }));
      tx.settlements.save({ ...row, candidates });
    });
    const saga = newSaga(services, day);
    const held = await takeLease(saga, true);
    const winner = held && nextTurn(held);
    if (winner === null) throw new Error("It is leased");
    const progress = await passOverOthers(saga, winner);
    assertEquals(isWait(progress), !isOver);
    const row = await services.store.settlements.find(day);
    const steps = row?.candidates.map(({ step }) => step);
    assertEquals(steps, ["paying", isOver ? "passed_over" : "paying"]);
    const isTold = world.log.events.includes("settlement.day_taken");
    assertEquals(isTold, !isOver);
  });
}
