import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import { sendAlerts } from "../../../../domain/alerts/send_alerts.ts";
import { jobs } from "../../../../cron/jobs.ts";
import { type Job, runJob } from "../../../../domain/operations/run_job.ts";
import { settlement, spotlight } from "../../../kv/records.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { deskText } from "../../../support/desk_site.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const PATH = "/operator";
const TODAY = dayText("2026-11-20");
const YESTERDAY = dayText("2026-11-19");

async function opened() {
  const site = await openAdvertiserSite();
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }) };
}

/** Lets every job succeed, so that none is late. */
async function runAll(services: Parameters<typeof runJob>[0]) {
  for (const job of jobs) {
    await runJob(services, { ...job, run: () => Promise.resolve() });
  }
}

Deno.test("the desk says how tonight and last night stand, each with the way to its day", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { store } = site.services;
  await openAuction(site.services, { day: TODAY });
  await store.transact((tx) => {
    tx.settlements.save(settlement(YESTERDAY, "settled"));
    tx.spotlights.save({
      ...spotlight(YESTERDAY),
      contentType: "paid_advertisement",
      advertiser: "Mill & Sons",
    });
    return Promise.resolve();
  });
  const text = await deskText(desk, PATH);
  assertStringIncludes(text, "is open and closes 20 November 2026, 23:55 UTC");
  assertStringIncludes(text, "0 advertisers bid.");
  assertStringIncludes(text, "Sold to Mill &amp; Sons");
  const html = await (await desk.get(PATH)).text();
  assertStringIncludes(html, `href="/operator/days/${TODAY}"`);
  assertStringIncludes(html, `href="/operator/days/${YESTERDAY}"`);
  site.world.clock.set("2026-11-20T23:56:00.000Z");
  assertStringIncludes(await deskText(desk, PATH), "is closed");
  site.world.clock.set("2026-11-21T00:00:01.000Z");
  const next = await deskText(desk, PATH);
  assertStringIncludes(next, "has not been opened.");
  assertStringIncludes(next, "Closed, not settled yet");
});

Deno.test("the desk counts jobs that are late or failing, and leads to them", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  await runAll(site.services);
  const quiet = await deskText(desk, PATH);
  assertStringIncludes(quiet, "0 jobs late or failing");
  const [job] = jobs;
  assert(job !== undefined);
  const failing: Job = { ...job, run: () => Promise.reject(new Error("no")) };
  await runJob(site.services, failing).catch(() => {});
  assertStringIncludes(
    await deskText(desk, PATH),
    "1 job late or failing",
  );
  site.world.clock.advance(40 * 86_400_000);
  await desk.signInAgain();
  const late = await deskText(desk, PATH);
  assertStringIncludes(late, `${jobs.length} jobs late or failing`);
  const html = await (await desk.get(PATH)).text();
  assertStringIncludes(html, 'href="/operator/jobs"');
});

Deno.test("the desk names what operators were told of until it is over", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { store } = site.services;
  await runAll(site.services);
  assert(!(await deskText(desk, PATH)).includes("wants a person"));
  await store.transact((tx) => {
    tx.settlements.save(settlement(YESTERDAY));
    return Promise.resolve();
  });
  await sendAlerts(site.services, jobs);
  const told = await deskText(desk, PATH);
  assertStringIncludes(told, "A day has not settled: 2026-11-19, since");
  await store.transact(async (tx) => {
    const found = await tx.settlements.find(YESTERDAY);
    assert(found !== null);
    tx.settlements.save({ ...found, state: "settled" });
  });
  await sendAlerts(site.services, jobs);
  assert(!(await deskText(desk, PATH)).includes("wants a person"));
});

Deno.test("the desk of nobody else shows anything", async () => {
  const { site } = await opened();
  await using _ = site;
  const eve = await site.browser("eve");
  assertEquals((await eve.get(PATH)).status, 404);
});
