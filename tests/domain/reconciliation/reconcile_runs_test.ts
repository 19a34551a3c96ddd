import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Day, HOUR_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcile } from "../../../domain/reconciliation/reconcile.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";
import { dayText } from "../../support/public_spotlights.ts";

/** The days that were compared, newest first. */
async function compared(day: PaidDay): Promise<Day[]> {
  const { store } = day.world.services;
  const reports = await store.listReconciliations({ limit: 50 });
  return reports.map((report) => report.day);
}

Deno.test("every day missed is made up, oldest first, and none twice", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  assertEquals(await reconcile(services), 1);
  clock.set("2026-11-25T02:30:00.000Z");
  assertEquals(await reconcile(services), 4);
  // As in every hour of a day whose night went well.
  assertEquals(await reconcile(services), 0);
  const reports = await services.store.listReconciliations({ limit: 50 });
  assertEquals(
    reports.map((report) => report.day),
    [
      "2026-11-24",
      "2026-11-23",
      "2026-11-22",
      "2026-11-21",
      "2026-11-20",
    ] as Day[],
  );
});

Deno.test("a day compared out of turn leaves no other out", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  clock.set("2026-11-24T02:30:00.000Z");
  await reconcileDay(services, dayText("2026-11-23"));
  await reconcileDay(services, dayText("2026-01-01"));
  await reconcile(services);
  const reports = await services.store.listReconciliations({ limit: 50 });
  const days = reports.map((report) => report.day);
  assert(days.includes(dayText("2026-11-21")), days.join());
  assert(days.includes(dayText("2026-11-22")), days.join());
});

Deno.test("the first run ever owes its day, though it fails for nights", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/disputes",
    times: null,
  });
  for (const night of ["2026-11-21", "2026-11-22"]) {
    clock.set(`${night}T02:30:00.000Z`);
    await assertRejects(() => reconcile(services), ProcessorUncertain);
  }
  simulator.control.clearFaults();
  clock.set("2026-11-23T02:30:00.000Z");
  await reconcile(services);
  assertEquals(await compared(day), [
    dayText("2026-11-22"),
    dayText("2026-11-21"),
    AUCTION_DAY,
  ]);
});

Deno.test("a run that fails on the way goes on with the day that failed", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  clock.set("2026-11-24T02:30:00.000Z");
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/invoices",
    times: null,
  });
  await assertRejects(() => reconcile(services), ProcessorUncertain);
  assertEquals(await compared(day), [AUCTION_DAY]);
  simulator.control.clearFaults();
  await reconcile(services);
  assertEquals((await compared(day)).length, 4);
});

Deno.test("two isolates that begin together owe the same day", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  await Promise.all([reconcile(services), reconcile(services)]);
  assertEquals(await compared(day), [AUCTION_DAY]);
  const progress = await services.store.reconciliationProgress.find();
  assertEquals(progress?.nextDay, dayText("2026-11-21"));
});

Deno.test("what was compared before the progress was kept leaves no day out", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcileDay(services, AUCTION_DAY);
  clock.set("2026-11-24T02:30:00.000Z");
  await reconcileDay(services, dayText("2026-11-22"));
  await reconcile(services);
  assertEquals((await compared(day)).length, 4);
});

Deno.test("who begins goes on with the day that another isolate wrote meanwhile", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  const { store } = services;
  const nextDay = dayText("2026-11-22");
  await store.transact((tx) => {
    tx.reconciliationProgress.save({ nextDay });
    return Promise.resolve();
  });
  const before = {
    ...store.reconciliationProgress,
    find: () => Promise.resolve(null),
  };
  clock.set("2026-11-24T02:30:00.000Z");
  const late = { ...store, reconciliationProgress: before };
  assertEquals(await reconcile({ ...services, store: late }), 2);
});

Deno.test("disputes are looked for once a run, however many days it makes up", async () => {
  await using day = await openPaidDay();
  const { clock } = day.world;
  let asked = 0;
  const { services } = day.world.another((real) => ({
    ...real,
    listDisputes(...input) {
      asked++;
      return real.listDisputes(...input);
    },
  }));
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  clock.set("2026-11-25T02:30:00.000Z");
  await reconcile(services);
  assertEquals((await compared(day)).length, 5);
  assertEquals(asked, 2);
  // Nor by one that has no day to make up.
  assertEquals(await reconcile(services), 0);
  assertEquals(asked, 2);
});

Deno.test("a run makes up 31 days at most, and the next goes on", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  clock.set("2026-12-24T02:30:00.000Z");
  assertEquals(await reconcile(services), 31);
  assertEquals(await reconcile(services), 2);
  assertEquals((await compared(day)).length, 34);
});

Deno.test("a credit note that is not in the archive is missed in the night after the next", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  await archiveDocuments(services);
  clock.set("2026-11-21T12:00:00.000Z");
  const refunded = await refundSpotlight(services, {
    day: AUCTION_DAY,
    note: "shown for half a day only",
  });
  const [note] = refunded.creditNotes;
  assert(note !== undefined, "a refund makes a credit note");
  for (const night of ["2026-11-22", "2026-11-23", "2026-11-24"]) {
    clock.set(`${night}T02:30:00.000Z`);
    await reconcile(services);
  }
  const reports = await services.store.listReconciliations({ limit: 3 });
  assertEquals(reports.map(({ differences }) => differences), [
    [],
    [{ kind: "not_archived", number: note.number }],
    [],
  ]);
});

Deno.test("a document too young for its own night is missed in the next", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  for (const night of ["2026-11-21", "2026-11-22", "2026-11-23"]) {
    clock.set(`${night}T02:30:00.000Z`);
    await reconcile(services);
  }
  const reports = await services.store.listReconciliations({ limit: 3 });
  const kinds = reports.map(({ differences }) =>
    differences.map(({ kind }) => kind)
  );
  assertEquals(kinds, [[], ["not_archived", "not_archived"], []]);
});

for (const hours of [3, 10, 8 * 24]) {
  Deno.test(`a day is compared once it is over by the processor's clock, whatever a clock of ours says that is ${hours} hours ahead`, async () => {
    await using day = await openPaidDay();
    const { services, stripe, clock } = day.world;
    clock.set("2026-11-21T02:30:00.000Z");
    await reconcile(services);
    const ahead = { now: () => clock.now() + hours * HOUR_MS };
    for (const at of ["21T23:30", "22T12:30", "22T23:30"]) {
      clock.set(`2026-11-${at}:00.000Z`);
      await reconcile({ ...services, clock: ahead });
    }
    clock.set("2026-11-22T23:56:00.000Z");
    const { paymentId } = await day.invoice();
    await stripe.refunds.create({
      payment_intent: paymentId ?? "",
      amount: 50,
    });
    clock.set("2026-11-23T02:30:00.000Z");
    await reconcile(services);
    assertEquals((await compared(day))[0], dayText("2026-11-22"));
    const report = await services.store.reconciliations.find(
      dayText("2026-11-22"),
    );
    assertEquals(report?.movements, 1);
    assertEquals(report?.differences.map(({ kind }) => kind), ["not_booked"]);
  });
}

Deno.test("while the processor tells no time no day is compared, and the night is made up", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  const processor = {
    ...services.processor,
    retrieveClock: () => Promise.resolve(null),
  };
  const silent = () => reconcile({ ...services, processor });
  await assertRejects(silent, ProcessorUncertain);
  assertEquals(await compared(day), []);
  assertEquals(await reconcile(services), 1);
  // Nothing is owed until tomorrow, so nobody is asked.
  assertEquals(await silent(), 0);
});
