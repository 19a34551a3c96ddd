import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { REPEATED_REPORTS_MAX } from "../../../../domain/ad_reports/ad_report.ts";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { BID_SETTINGS } from "../../../support/bidding_world.ts";

const DAY = "2026-11-19";

const REPORT = { policy_id: "deceptive", text: "It is not free." };

function settled(
  { services }: AdvertiserSite,
  changes: Partial<Spotlight> = {},
): Promise<void> {
  const headline = "Bread <by> bicycle";
  return settle(services.store, spotlight(DAY, { headline, ...changes }));
}

function send(
  site: AdvertiserSite,
  fields: Record<string, string>,
  { origin = BID_SETTINGS.baseUrl, day = DAY, from }: {
    origin?: string;
    day?: string;
    from?: string;
  } = {},
): Promise<Response> {
  const init = {
    method: "POST",
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields),
  };
  return site.visitor(`/report/${day}`, init, from);
}

const reportsOf = ({ services }: AdvertiserSite) =>
  services.store.listOpenAdReports({ limit: 99 });

Deno.test("anyone reports an advertisement, and it lands at the desk", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  const page = await site.visitor(`/report/${DAY}`);
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  const html = await page.text();
  assertStringIncludes(html, "Bread &lt;by&gt; bicycle");
  assertStringIncludes(html, "Deceptive copy");
  const answer = await send(site, REPORT);
  assertEquals(answer.status, 303);
  const thanks = await site.visitor(answer.headers.get("location") ?? "");
  assertEquals(thanks.status, 200);
  const [kept, ...more] = await reportsOf(site);
  assertEquals(more, []);
  assertStringIncludes(await thanks.text(), `<code>${kept?.id}</code>`);
  assertEquals([kept?.day, kept?.policyId, kept?.text], [
    dayText(DAY),
    "deceptive",
    "It is not free.",
  ]);
});

Deno.test("a report comes back with what was typed and what is wrong with it", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  const cases: [Record<string, string>, string][] = [
    [{ policy_id: "", text: "" }, "Choose what is wrong"],
    [{ policy_id: "", text: "It is not free." }, "Choose what is wrong"],
    [{ policy_id: "other", text: "" }, "Write 10 to 1000 characters"],
    [{ policy_id: "other", text: "<b>bad" }, "at least 10 characters"],
    [{ ...REPORT, text: "a\u202eb" }, "change the direction"],
    [{ ...REPORT, text: "a".repeat(1_001) }, "to 1000 characters"],
  ];
  for (const [fields, sentence] of cases) {
    const answer = await send(site, fields);
    assertEquals(answer.status, 400);
    const html = await answer.text();
    assertStringIncludes(html, sentence);
    const isChosen = fields.policy_id !== "";
    assertFaults(html, isChosen ? ["text"] : ["policy_id"]);
    assert(!html.includes("<b>bad"));
  }
  assertEquals(await reportsOf(site), []);
});

Deno.test("the form chooses no reason by itself", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  const html = await (await site.visitor(`/report/${DAY}`)).text();
  const [, first] = /<select[^>]*>\s*<option ([^>]*)>/.exec(html) ?? [];
  assertEquals(first, 'value="" selected');
  const chosen = html.match(/<option [^>]*selected/g);
  assertEquals(chosen?.length, 1);
});

Deno.test("a report of something else is kept with its words, and with no policy", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  const sent = { policy_id: "other", text: "The shop has closed for good." };
  assertEquals((await send(site, sent)).status, 303);
  const [kept] = await reportsOf(site);
  assertEquals([kept?.policyId, kept?.text], [null, sent.text]);
});

Deno.test("the thanks page repeats no more than a reference", async () => {
  await using site = await openAdvertiserSite();
  for (
    const text of ["", "<b>x</b>", "report_<b>", `report_${"a".repeat(41)}`]
  ) {
    const query = new URLSearchParams({ reference: text });
    const html = await (await site.visitor(`/report/thanks?${query}`)).text();
    assertStringIncludes(html, "Your report was received");
    assert(!html.includes("reference:"), text);
  }
});

Deno.test("a report comes from our own page, about a Spotlight that is shown", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  for (const origin of ["https://evil.example", "null"]) {
    assertEquals((await send(site, REPORT, { origin })).status, 403);
  }
  for (const day of ["2026-11-18", "2026-02-30", "x", "%00"]) {
    assertEquals((await send(site, REPORT, { day })).status, 404);
    assertEquals((await site.visitor(`/report/${day}`)).status, 404);
  }
  await settled(site, { removedAtMs: 1, removalReason: "policy" });
  assertEquals((await send(site, REPORT)).status, 404);
  assertEquals(await reportsOf(site), []);
});

Deno.test("an address reports ten times an hour, and is told when it can again", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  for (let at = 0; at < 10; at++) {
    assertEquals((await send(site, REPORT)).status, 303);
  }
  const answer = await send(site, REPORT);
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "360");
  assertEquals((await reportsOf(site)).length, 10);
  assertEquals((await site.visitor(`/report/${DAY}`)).status, 200);
  site.world.clock.advance(360_000);
  assertEquals((await send(site, REPORT)).status, 303);
});

Deno.test("a report that is refused costs what one that is kept costs", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  const refused = { policy_id: "", text: " ".repeat(4_000) };
  for (let at = 0; at < 9; at++) {
    assertEquals((await send(site, refused)).status, 400);
  }
  assertEquals((await send(site, REPORT)).status, 303);
  assertEquals((await send(site, refused)).status, 429);
  assertEquals((await send(site, REPORT)).status, 429);
  assertEquals((await reportsOf(site)).length, 1);
});

Deno.test("whoever reports a Spotlight from a few networks leaves half of its places to others", async () => {
  await using site = await openAdvertiserSite();
  await settled(site);
  for (let nth = 0; nth < 240; nth++) {
    const from = `2001:db8:${nth % 8}:${(nth % 30).toString(16)}00::1`;
    await send(site, REPORT, { from });
  }
  const open = () =>
    site.services.store.listOpenReportsOf(dayText(DAY), { limit: 999 });
  assertEquals((await open()).length, REPEATED_REPORTS_MAX);
  for (let nth = 0; nth < 20; nth++) {
    await send(site, REPORT, { from: `203.0.113.${nth}` });
  }
  assertEquals((await open()).length, REPEATED_REPORTS_MAX + 20);
});
