import { assertEquals, assertRejects } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import { AUCTION_DAY, openAuctionWorld } from "../support/auction_world.ts";
import { closeDay } from "../support/settlement_outcome.ts";

Deno.test("the job of the auctions counts as failed while a day's work fails", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await closeDay(world.services);
  const broken = world.another((real) => ({
    ...real,
    createInvoice: () => Promise.reject(new Error("a bug")),
  }));
  await assertRejects(
    () => runJob(broken.services, JOBS.advanceAuctions),
    Error,
    `Cannot advance ${AUCTION_DAY}`,
  );
  const { jobRuns } = world.services.store;
  const failed = await jobRuns.find(JOBS.advanceAuctions.name);
  assertEquals(failed?.lastSuccessMs, 0);
  assertEquals(world.log.events.includes("auction.advance_failed"), true);
  world.clock.advance(31_000);
  await runJob(world.services, JOBS.advanceAuctions);
  const run = await jobRuns.find(JOBS.advanceAuctions.name);
  assertEquals(run?.lastSuccessMs, world.clock.now());
});
