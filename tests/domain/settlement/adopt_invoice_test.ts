import { assert, assertEquals } from "@std/assert";
import type { Bid } from "../../../domain/bids/bid.ts";
import { addDays } from "../../../domain/day.ts";
import type { ListedInvoice } from "../../../domain/payments/processor.ts";
import { adoptInvoice } from "../../../domain/settlement/adopt_invoice.ts";
import { newSaga } from "../../../domain/settlement/saga.ts";
import { takeLease } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

/** A closed day of one bid, of which an invoice is found at the processor. */
async function oneBid() {
  const world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  const bid = await world.bid(ada, 500);
  await closeDay(world.services);
  const saga = newSaga(world.services, day);
  await takeLease(saga, true);
  const adopt = async (changes: Partial<ListedInvoice>) => {
    const found: ListedInvoice = {
      id: "in_found",
      status: "open",
      customerId: "cus_ada",
      metadata: { purpose: "spotlight", day, bid_id: bid.id },
      totalCents: 500,
      taxCents: 0,
      amountPaidCents: 0,
      number: "1",
      finalizedAtMs: 0,
      paidAtMs: null,
      paymentIds: [],
      ...changes,
    };
    return await adoptInvoice(saga, found, { isNoted: false });
  };
  const { store } = world.services;
  return {
    ...world,
    ada,
    first: bid,
    adopt,
    save: (changed: Bid) =>
      store.transact((tx) => {
        tx.bids.save(changed);
      }),
    kinds: async () =>
      (await store.listBidEvents(bid.id, { limit: 9 }))
        .map(({ kind, amountCents }) => `${kind} ${amountCents}`),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("adoptInvoice() puts the bid where only its payment decides, and may have been asked for", async () => {
  await using world = await oneBid();
  const adopted = await world.adopt({});
  assert(typeof adopted !== "string", String(adopted));
  const [{ step, mayBePaid, invoiceId } = {}] = adopted.candidates;
  assertEquals([step, mayBePaid, invoiceId], ["paying", true, "in_found"]);
  assertEquals([adopted.attempts, adopted.candidates.length], [0, 1]);
  assertEquals(await world.kinds(), [], "nothing was raised");
});

Deno.test("adoptInvoice() writes down the raise that is known by the invoice alone", async () => {
  await using world = await oneBid();
  await world.adopt({ totalCents: 900 });
  assertEquals(await world.kinds(), ["raised 900"]);
  const bid = await world.services.store.bids.find(day, "acc_ada");
  assertEquals(bid?.amountCents, 900);
});

Deno.test("adoptInvoice() adopts for no bid but the one that the invoice names", async () => {
  await using world = await oneBid();
  const { id: other } = await world.bid(world.ada, 700, addDays(day, 1));
  for (const bid_id of ["bid_of_nobody", other]) {
    const adopted = await world.adopt({ metadata: { day, bid_id } });
    assertEquals(adopted, "its bid is not known");
  }
  // Bid for anew, after an erasure for instance.
  await world.save({ ...world.first, id: "bid_new" });
  assertEquals(await world.adopt({}), "its bid is not known");
});
