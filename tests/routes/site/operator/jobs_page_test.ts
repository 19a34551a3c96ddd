import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Job } from "../../../../domain/operations/run_job.ts";
import { runJob } from "../../../../domain/operations/run_job.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { deskText } from "../../../support/desk_site.ts";
import { putOnHold } from "../../../support/restored_world.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const PATH = "/operator/jobs";
const SALTS = `${PATH}/rotate-click-salts/run`;

async function opened() {
  const site = await openAdvertiserSite();
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }) };
}

/** What the page says of one job. */
function cardOf(text: string, name: string): string {
  const at = text.indexOf(name);
  return text.slice(at, text.indexOf("Run now", at));
}

Deno.test("the page of jobs is there for operators only", async () => {
  const { site } = await opened();
  await using _ = site;
  const eve = await site.browser("eve");
  assertEquals((await eve.get(PATH)).status, 404);
  assertEquals((await site.visitor(PATH)).status, 303);
  assertEquals((await eve.post(SALTS, "")).status, 404);
});

Deno.test("each job is shown with its last run, its next, and its failures since", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { services } = site;
  const failing: Job = {
    name: "rotate click salts",
    schedule: "1 * * * *",
    lateAfterMs: 3_600_000,
    onHold: "runs",
    run: () => Promise.reject(new TypeError("secret of a stranger")),
  };
  const before = await deskText(desk, PATH);
  assertStringIncludes(cardOf(before, failing.name), "It never succeeded");
  await runJob(services, failing).catch(() => {});
  await runJob(services, failing).catch(() => {});
  const failed = cardOf(await deskText(desk, PATH), failing.name);
  assertStringIncludes(failed, "Failed 2 times since, last 20 Nov 12:00:00");
  assertStringIncludes(failed, "TypeError");
  assertStringIncludes(failed, "next 20 Nov 12:01:00");
  assert(!failed.includes("secret"), "what an error says is not shown");
  await runJob(services, { ...failing, run: () => Promise.resolve() });
  const after = cardOf(await deskText(desk, PATH), failing.name);
  assertStringIncludes(after, "Last succeeded 20 Nov 12:00:00");
  assert(!after.includes("Failed"));
});

Deno.test("an operator runs a job now, twice without harm", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const { store } = site.services;
  const asked = await (await desk.post(SALTS, "")).text();
  assertStringIncludes(asked, "Run the job now?");
  assertEquals(await store.jobRuns.find("rotate click salts"), null);
  const twice = await Promise.all([
    actAtDesk(desk, SALTS, {}),
    actAtDesk(desk, SALTS, {}),
  ]);
  for (const answer of twice) {
    assertEquals(ledTo(answer), `${PATH}?done=ran`);
  }
  assert(await store.jobRuns.find("rotate click salts") !== null);
  const text = await deskText(desk, leadOf(twice[0]));
  assertStringIncludes(text, "The job ran");
  assertEquals((await desk.post(`${PATH}/none/run`, "")).status, 404);
});

// Nobody answers for the processor here.
const COMPARING = `${PATH}/reconcile-money/run`;

Deno.test("a job that fails when an operator runs it says so", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const failed = await actAtDesk(desk, COMPARING, {});
  assertEquals(ledTo(failed), `${PATH}?done=failed`);
  const text = await deskText(desk, leadOf(failed));
  assertStringIncludes(cardOf(text, "reconcile money"), "Failed once since");
});

Deno.test("a job that an operator runs waits for the end of a hold", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  await putOnHold(site.services);
  const waited = await actAtDesk(desk, COMPARING, {});
  assertEquals(ledTo(waited), `${PATH}?done=waited`);
});
