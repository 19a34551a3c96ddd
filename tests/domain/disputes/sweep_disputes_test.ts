import { assert, assertEquals } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import {
  SWEEP_BOUNDS,
  sweepDisputes,
} from "../../../domain/disputes/sweep_disputes.ts";
import { readMoneyReport } from "../../../domain/reconciliation/read_money_report.ts";
import { reconcile } from "../../../domain/reconciliation/reconcile.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

const DAY_MS = 86_400_000;

/** A dispute of the winner's payment, which nobody was told of. */
async function disputed(day: PaidDay): Promise<string> {
  const { paymentId } = await day.invoice();
  assert(paymentId !== null, "the winner has paid");
  return day.world.simulator.control.disputes.open(paymentId).id;
}

/** The operator's account. */
function operatorOf({ winner }: PaidDay) {
  return { ...winner.account, email: "operator@example.com" };
}

Deno.test("a dispute that is decided after more than 180 days is found though no event told of it", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const id = await disputed(day);
  await syncDispute(services, id);
  clock.advance(200 * DAY_MS);
  simulator.control.disputes.turn(id, "won");
  assertEquals(await sweepDisputes(services), { isCut: false });
  assertEquals((await services.store.disputes.find(id))?.state, "won");
  assertEquals(await day.balance("disputed_funds"), 0);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
});

Deno.test("a decided dispute is not asked for again, however old it is", async () => {
  await using day = await openPaidDay();
  const { simulator, clock } = day.world;
  const id = await disputed(day);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(day.world.services, id);
  let asked = 0;
  const { services } = day.world.another((real) => ({
    ...real,
    retrieveDispute(...input) {
      asked++;
      return real.retrieveDispute(...input);
    },
  }));
  clock.advance(200 * DAY_MS);
  await sweepDisputes(services);
  assertEquals(asked, 0);
});

Deno.test("more disputes than a sweep reads keep no night from being compared, which says so", async () => {
  await using day = await openPaidDay();
  const id = await disputed(day);
  const { services } = day.world.another((real) => ({
    ...real,
    async listDisputes(span, _cursor, limit) {
      const page = await real.listDisputes(span, null, limit);
      if (!page.ok) return page;
      // A list without an end.
      return { ok: true, value: { ...page.value, nextCursor: "du_next" } };
    },
  }));
  day.world.clock.set("2026-11-21T02:30:00.000Z");
  const bounds = { ...SWEEP_BOUNDS, listed: 1 };
  assertEquals(await sweepDisputes(services, bounds), { isCut: true });
  assertEquals((await services.store.disputes.find(id))?.state, "open");
  await reconcile(services);
  const report = await services.store.reconciliations.find(AUCTION_DAY);
  assertEquals(report?.differences, [
    { kind: "not_fully_compared", what: "disputes" },
  ]);
});

Deno.test("a sweep looks at so many disputes and leaves the rest to the next", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  const id = await disputed(day);
  const none = { ...SWEEP_BOUNDS, looks: 0 };
  assertEquals(await sweepDisputes(services, none), { isCut: true });
  assertEquals(await services.store.disputes.find(id), null);
  assertEquals(await sweepDisputes(services), { isCut: false });
  assertEquals((await services.store.disputes.find(id))?.state, "open");
});

Deno.test("the operator sees the one open dispute among 1,100 that are decided", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  const id = await disputed(day);
  await syncDispute(services, id);
  const open = await services.store.disputes.find(id);
  assert(open !== null, "it was looked at");
  for (let from = 0; from < 1_100; from += 100) {
    await services.store.transact((tx) => {
      for (let nth = from; nth < from + 100; nth++) {
        // Before the open one by their ids.
        const old = { ...open, id: `du_!${nth}`, heldCents: 0 };
        tx.disputes.save({ ...old, state: "won" });
      }
    });
  }
  const report = await readMoneyReport(services, operatorOf(day));
  assertEquals(report.openDisputes.map((each) => each.id), [id]);
});
