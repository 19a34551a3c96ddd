import { assertEquals } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import { newCandidate } from "../../../domain/settlement/settlement.ts";
import {
  readUnderSeal,
  sealedEntries,
} from "../../../domain/settlement/under_seal.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("what is under seal is looked for on 400 days, and in a thousand entries of a payment", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const paymentId = "pi_sealed";
  const invoice = invoiceOf("acc_ada", "S-1", { paymentId });
  const bid = {
    id: invoice.bidId,
    accountId: invoice.accountId,
    day: AUCTION_DAY,
    adId: "ad_1",
    amountCents: 12_100,
    paymentMethodId: "pm_1",
    status: "active" as const,
    placedAtMs: 0,
    grantId: null,
  };
  const candidate = { ...newCandidate(bid, 0), invoiceId: invoice.id };
  await store.transact((tx) => {
    tx.invoices.save(invoice);
    return Promise.resolve();
  });
  for (let nth = 0; nth < 401; nth += 1) {
    await store.transact((tx) => {
      tx.settlements.save({
        day: addDays(AUCTION_DAY, nth),
        state: "running",
        candidates: nth === 0 ? [candidate] : [],
        createdAtMs: 0,
        dueAtMs: 0,
        attempts: 0,
        leaseOwner: null,
        leaseUntilMs: 0,
      });
      return Promise.resolve();
    });
  }
  for (let nth = 0; nth < 1_001; nth += 77) {
    await store.transact((tx) => {
      for (let id = nth; id < nth + 77; id += 1) {
        bookEntry(tx, {
          id: `e${id}`,
          atMs: id,
          kind: "sale",
          paymentId,
          movement: { processor_clearing: 1, spotlight_revenue: -1 },
        });
      }
      return Promise.resolve();
    });
  }
  const sealed = await readUnderSeal(test);
  assertEquals(sealed.days.size, 400);
  assertEquals([...sealed.paymentIds], [paymentId]);
  assertEquals((await sealedEntries(test)).length, 1_000);
});
