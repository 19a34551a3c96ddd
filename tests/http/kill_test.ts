import { assertEquals } from "@std/assert";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { LEASE_MS } from "../../domain/settlement/saga.ts";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import { createAdvertiser, saveBid } from "../support/auction_world.ts";
import { type SharedService, shareService } from "../support/processes.ts";
import { until } from "../support/until.ts";

/** The processor calls of a settlement, in their order. */
const CALLS = {
  "creating the invoice": "/v1/invoices",
  "adding its line": "/v1/invoiceitems",
  "finalising it": "/v1/invoices/*/finalize",
  "paying it": "/v1/invoices/*/pay",
};

for (const [step, path] of Object.entries(CALLS)) {
  for (const kind of ["hold", "timeout_after_effect"] as const) {
    const when = kind === "hold" ? "before" : "after";
    Deno.test(`kill -9 while ${step}, ${when} its effect, ends in one Spotlight and one charge`, async () => {
      const today = dayOf(Date.now());
      const day = addDays(today, -1);
      await using shared = await shareService();
      await placeOneBid(shared, day);
      shared.simulator.control.addFault({ kind, method: "POST", path });
      const doomed = await shared.start({ jobsEveryMs: 20 });
      await untilAsked(shared);
      await doomed.kill();
      shared.simulator.control.clearFaults();
      shared.simulator.control.releaseRequests();
      // The next process comes once the dead one's lease has run out.
      const next = await shared.start({
        jobsEveryMs: 20,
        clockAheadMs: LEASE_MS + 1_000,
      });
      await untilSettled(next.baseUrl, day);
      await next.stop();
      await checkOneCharge(shared, day);
    });
  }
}

async function placeOneBid(shared: SharedService, day: Day): Promise<void> {
  await shared.withStore(async (services) => {
    const ada = await createAdvertiser(services, "ada", "pm_card_visa");
    await openAuction(services, { day });
    await saveBid(services, ada, 4_200, day);
  });
}

/** Until the call that is kept without an answer has reached the processor. */
async function untilAsked(shared: SharedService): Promise<void> {
  await until(() =>
    shared.simulator.control.faults().every(({ struck }) => struck > 0)
  );
}

async function untilSettled(baseUrl: string, day: Day): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${baseUrl}/api/v1/spotlights/${day}`);
    await answer.body?.cancel();
    return answer.status === 200;
  });
}

async function checkOneCharge(
  shared: SharedService,
  day: Day,
): Promise<void> {
  const { customers, invoices } = shared.simulator.control.state();
  assertEquals(customers.map((one) => one.charges_succeeded), [1]);
  assertEquals(customers.map((one) => one.charged), [4_200]);
  assertEquals(invoices["paid"], 1);
  await shared.withStore(async ({ store }) => {
    const spotlight = await store.spotlights.find(day);
    assertEquals(spotlight?.accountId, "acc_ada");
    const [bid] = await store.listBids(day, { limit: 2 });
    assertEquals(bid?.status, "won");
    assertEquals((await store.listLedger({ limit: 9 })).length, 1);
  });
}
