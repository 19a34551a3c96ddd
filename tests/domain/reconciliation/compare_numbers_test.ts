import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { compareNumbers } from "../../../domain/reconciliation/compare_numbers.ts";
import { reconcile } from "../../../domain/reconciliation/reconcile.ts";
import type {
  Difference,
  LastNumber,
} from "../../../domain/reconciliation/reconciliation.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const MAX = 50;

function missing(...numbers: string[]): Difference[] {
  return numbers.map((number) => ({ kind: "number_missing", number }));
}

/** Makes an invoice final at the processor and tells us nothing of it. */
async function finalize(
  day: PaidDay,
  metadata: Record<string, string>,
): Promise<string> {
  const { stripe } = day.world;
  const customer = day.winner.account.processorCustomerId ?? "";
  const { id } = await stripe.invoices.create({ customer, metadata });
  await stripe.invoiceItems.create({
    customer,
    invoice: id,
    amount: 100,
    currency: "eur",
  });
  return id;
}

const FOREIGN = { purpose: "spotlight", day: AUCTION_DAY, bid_id: "bid_none" };

Deno.test("numbers of several series, however long, are each looked through", async () => {
  await using world = await openTestStore();
  const numbers = [
    "A-0001",
    "B-0002",
    "A-0003",
    "C-9007199254740992",
    "C-9007199254740999",
  ];
  const found = await compareNumbers(world, numbers, [], MAX);
  assertEquals(found.differences, missing("A-0002"));
});

Deno.test("numbers go on from the last of the days before, also past another digit", async () => {
  await using world = await openTestStore();
  const before = [{ prefix: "A-", value: 9_998, width: 4 }];
  const found = await compareNumbers(world, ["A-10001"], before, MAX);
  assertEquals(found.differences, missing("A-9999", "A-10000"));
  assertEquals(found.lastNumbers, [{ prefix: "A-", value: 10_001, width: 5 }]);
});

Deno.test("a series that rests keeps its last number", async () => {
  await using world = await openTestStore();
  const before = [{ prefix: "A-", value: 7, width: 4 }];
  const rested = await compareNumbers(world, ["B-0001"], before, MAX);
  const found = await compareNumbers(
    world,
    ["A-0009"],
    rested.lastNumbers,
    MAX,
  );
  assertEquals(found.differences, missing("A-0008"));
});

Deno.test("a gap too wide to look through says that it is not fully compared", async () => {
  await using world = await openTestStore();
  const found = await compareNumbers(world, ["A-1", "A-100"], [], 3);
  assertEquals(found.differences, [
    ...missing("A-2", "A-3", "A-4"),
    { kind: "not_fully_compared", what: "numbers" },
  ]);
});

Deno.test("whatever numbers are left out of a row, cut into any days, are told once each", async () => {
  await using world = await openTestStore();
  const cuts = fc.array(fc.tuple(fc.boolean(), fc.boolean()), {
    minLength: 2,
    maxLength: 40,
  });
  await fc.assert(fc.asyncProperty(cuts, async (row) => {
    const days: string[][] = [[]];
    const gone: string[] = [];
    for (const [at, [isGiven, endsDay]] of row.entries()) {
      const number = `A-${String(at).padStart(4, "0")}`;
      if (isGiven) days.at(-1)?.push(number);
      else gone.push(number);
      if (endsDay) days.push([]);
    }
    const given = days.flat();
    let before: LastNumber[] = [];
    const told: Difference[] = [];
    for (const numbers of days) {
      const found = await compareNumbers(world, numbers, before, MAX);
      told.push(...found.differences);
      before = found.lastNumbers;
    }
    const between = gone.filter((number) =>
      number > (given[0] ?? "~") && number < (given.at(-1) ?? "")
    );
    assertEquals(told, missing(...between));
  }));
});

Deno.test("a number left out between two days is a difference of the later", async () => {
  await using day = await openPaidDay();
  const { services, stripe, clock } = day.world;
  await archiveDocuments(services);
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  // Somebody makes an invoice by hand at the processor, and then one of ours.
  for (const metadata of [{ purpose: "consulting" }, FOREIGN]) {
    await stripe.invoices.finalizeInvoice(await finalize(day, metadata));
  }
  clock.set("2026-11-22T02:30:00.000Z");
  await reconcile(services);
  const report = await services.store.reconciliations.find(
    dayText("2026-11-21"),
  );
  const kinds = report?.differences.map(({ kind }) => kind).toSorted();
  assertEquals(kinds, ["invoice_unknown", "number_missing"]);
});

Deno.test("an invoice made final after its day was compared is compared with the day it was made final", async () => {
  await using day = await openPaidDay();
  const { services, stripe, clock } = day.world;
  await archiveDocuments(services);
  clock.set("2026-11-20T23:59:00.000Z");
  const id = await finalize(day, FOREIGN);
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  clock.set("2026-11-21T04:00:00.000Z");
  await stripe.invoices.finalizeInvoice(id);
  clock.set("2026-11-22T02:30:00.000Z");
  await reconcile(services);
  const [later, earlier] = await services.store.listReconciliations({
    limit: 2,
  });
  assertEquals(earlier?.differences, []);
  assertEquals(later?.differences.map(({ kind }) => kind), ["invoice_unknown"]);
});
