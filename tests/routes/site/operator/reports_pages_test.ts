import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { reportAd } from "../../../../domain/ad_reports/report_ad.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { deskText } from "../../../support/desk_site.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const REPORTS = "/operator/reports";
const DAY = dayText("2026-11-19");
const OTHER = dayText("2026-11-18");
const OF_DAY = `${REPORTS}/${DAY}`;

/** Two Spotlights of ada's; one is reported twice, the other once. */
async function reported() {
  const site = await openAdvertiserSite();
  await site.world.agent("ada");
  const own = { accountId: "acc_ada", adId: "ad_ada" };
  await settle(
    site.services.store,
    spotlight(OTHER, own),
    spotlight(DAY, own),
  );
  const report = async (day: typeof DAY, text: string) => {
    await reportAd(site.services, { day, report: { policyId: null, text } });
    site.world.clock.advance(1_000);
  };
  await report(DAY, "<script>alert(1)</script>");
  await report(OTHER, "It is not true at all.");
  await report(DAY, "Close every report, and approve ad_x.");
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }), report };
}

Deno.test("the pages of reports are there for operators only", async () => {
  const { site } = await reported();
  await using _ = site;
  const eve = await site.browser("eve");
  for (const path of [REPORTS, OF_DAY]) {
    assertEquals((await eve.get(path)).status, 404);
    assertEquals((await site.visitor(path)).status, 303);
  }
  assertEquals((await eve.post(`${OF_DAY}/close`, "report=x")).status, 404);
});

Deno.test("reports are grouped by Spotlight, the newest day first", async () => {
  const { site, desk } = await reported();
  await using _ = site;
  const html = await (await desk.get(REPORTS)).text();
  const days = [...html.matchAll(/href="\/operator\/reports\/([\d-]+)"/g)]
    .map(([, day]) => day);
  assertEquals(days, [DAY, OTHER]);
  assertStringIncludes(html, "2 reports");
  assertStringIncludes(html, "1 report,");
  const page = await (await desk.get(OF_DAY)).text();
  assertStringIncludes(page, "&lt;script&gt;alert(1)");
  assert(!page.includes("It is not true at all."), "that is another’s");
});

Deno.test("reports are read a page at a time", async () => {
  const { site, desk, report } = await reported();
  await using _ = site;
  const { store } = site.services;
  const days = Array.from(
    { length: 20 },
    (_, n) => dayText(`2026-10-${String(n + 1).padStart(2, "0")}`),
  );
  await settle(store, ...days.map((day) => spotlight(day)));
  for (const day of days) await report(day, "It is not true at all.");
  const first = await (await desk.get(REPORTS)).text();
  const [, next = ""] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
  assertEquals(next, `${REPORTS}?before=2026-10-03`);
  const second = await (await desk.get(next)).text();
  assertEquals(second.match(/href="\/operator\/reports\/[\d-]+"/g)?.length, 2);
  assert(!second.includes('rel="next"'));
  for (const before of ["", "x", "2026-02-30", "9999-12-31"]) {
    const shown = await (await desk.get(`${REPORTS}?before=${before}`)).text();
    assertStringIncludes(shown, `href="${OF_DAY}"`);
  }
});

Deno.test("the reports of a Spotlight that a page showed are closed together, and no others", async () => {
  const { site, desk, report } = await reported();
  await using _ = site;
  const page = await (await desk.get(OF_DAY)).text();
  const ids = [...page.matchAll(/name="report" value="(report_\w+)"/g)]
    .map(([, id = ""]) => id);
  assertEquals(ids.length, 2);
  await report(DAY, "Another one, later.");
  const form = new URLSearchParams(ids.map((id) => ["report", id]));
  const asked = await (await desk.post(`${OF_DAY}/close`, form)).text();
  assertStringIncludes(asked, "2 reports of");
  const [, token = ""] = /name="token" value="([\w-]+)"/.exec(asked) ?? [];
  form.set("confirmed", "yes");
  form.set("token", token);
  const answer = await desk.post(`${OF_DAY}/close`, form);
  assertEquals(ledTo(answer), `${OF_DAY}?done=closed`);
  const after = await deskText(desk, leadOf(answer));
  assertStringIncludes(after, "The reports are closed.");
  assertStringIncludes(after, "Another one, later.");
  assert(!after.includes("Close every report"));
  const others = await deskText(desk, REPORTS);
  assertStringIncludes(others, "Headline of 2026-11-18 1 report");
});

Deno.test("a report of another Spotlight is not closed with them", async () => {
  const { site, desk } = await reported();
  await using _ = site;
  const other = await (await desk.get(`${REPORTS}/${OTHER}`)).text();
  const [, id = ""] = /name="report" value="(report_\w+)"/.exec(other) ?? [];
  const own = await (await desk.get(OF_DAY)).text();
  const [, first = ""] = /name="report" value="(report_\w+)"/.exec(own) ?? [];
  const { store } = site.services;
  for (const reports of [[id], [first, id], [first, "report_none"]]) {
    const form = new URLSearchParams(reports.map((each) => ["report", each]));
    const asked = await (await desk.post(`${OF_DAY}/close`, form)).text();
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(asked) ?? [];
    form.set("confirmed", "yes");
    form.set("token", token);
    const answer = await desk.post(`${OF_DAY}/close`, form);
    assertEquals(answer.status, 404);
  }
  // Nor is what came before it in the form.
  for (const each of [first, id]) {
    const found = await store.adReports.find(each);
    assertEquals(found?.closedAtMs, null, each);
  }
});

Deno.test("every remedy is on the page of the reports, and leads back to it", async () => {
  const { site, desk } = await reported();
  await using _ = site;
  const { store } = site.services;
  const html = await (await desk.get(OF_DAY)).text();
  const actions = [...html.matchAll(/<form method="post" action="([^"]+)"/g)]
    .map(([, action = ""]) => action);
  assertEquals(actions, [
    `${OF_DAY}/close`,
    "/operator/review/ad_ada/withdraw",
    `/operator/days/${DAY}/remove`,
    "/operator/accounts/acc_ada/suspend",
  ]);
  const back = { reports_of: DAY };
  const typed = {
    policy_id: "deceptive",
    message: "It shows no oven.",
    remedy: "",
  };
  const [, withdraw = "", remove = "", suspend = ""] = actions;
  for (
    const [path, fields, done] of [
      [withdraw, { ...typed, ...back }, "withdrawn"],
      [remove, { reason: "It is not true.", ...back }, "remove"],
      [suspend, { reason: "It is not true.", ...back }, "suspend"],
    ] as const
  ) {
    const answer = await actAtDesk(desk, path, fields);
    assertEquals(ledTo(answer), `${OF_DAY}?done=${done}`);
    assertStringIncludes(await (await desk.get(leadOf(answer))).text(), "note");
  }
  const ad = await store.creatives.find("acc_ada", "ad_ada");
  const removed = await store.spotlights.find(DAY);
  const account = await store.accounts.find("acc_ada");
  assertEquals(ad?.state, "rejected");
  assertEquals(removed?.removalReason, "It is not true.");
  assertEquals(account?.suspensionReason, "It is not true.");
});

Deno.test("a form of the desk leads back to nothing but our own page of reports", async () => {
  const { site, desk } = await reported();
  await using _ = site;
  for (const to of ["//evil.example", "https://evil.example", "x", ".."]) {
    const fields = { reason: "It is not true.", reports_of: to };
    const path = "/operator/accounts/acc_ada";
    const answer = await actAtDesk(desk, `${path}/suspend`, fields);
    assertEquals(ledTo(answer), `${path}?done=suspend`);
  }
});
