import { assertEquals } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import {
  readUnderSeal,
  sealedEntries,
} from "../../../domain/settlement/under_seal.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { openTestStore } from "../../support/store.ts";
import { candidateOf, saveTried } from "../../support/tried_day.ts";

Deno.test("what is under seal is looked for on 400 days, and in a thousand entries of a payment", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const paymentId = "pi_sealed";
  const invoice = invoiceOf("acc_ada", "S-1", { paymentId });
  await store.transact((tx) => {
    tx.invoices.save(invoice);
    return Promise.resolve();
  });
  for (let nth = 0; nth < 401; nth += 1) {
    await store.transact((tx) => {
      saveTried(tx, {
        day: addDays(AUCTION_DAY, nth),
        state: "running",
        candidates: nth === 0 ? [candidateOf(invoice)] : [],
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
