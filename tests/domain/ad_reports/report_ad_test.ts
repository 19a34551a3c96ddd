import { assert, assertEquals } from "@std/assert";
import {
  REPEATED_REPORTS_MAX,
  REPORTS_OPEN_MAX,
} from "../../../domain/ad_reports/ad_report.ts";
import { closeReport } from "../../../domain/ad_reports/close_report.ts";
import {
  readReport,
  REPORT_KEPT_MS,
  reportAd,
} from "../../../domain/ad_reports/report_ad.ts";
import { readReported } from "../../../domain/ad_reports/read_open_reports.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import {
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { dayText, settle, spotlight } from "../../support/public_spotlights.ts";
import { assertRefused } from "../../support/refused.ts";

const DAY = dayText("2026-11-19");
const REPORT = { policyId: "deceptive", text: "It is not free." } as const;

/** All reports that lie open, by Spotlight. */
async function readAll({ store }: BiddingWorld["services"]) {
  return (await readReported({ store }, { before: null })).spotlights;
}

function settled(
  { services }: BiddingWorld,
  changes: Partial<Spotlight> = {},
): Promise<void> {
  return settle(services.store, spotlight(DAY, { adId: "ad_ada", ...changes }));
}

Deno.test("reportAd() puts a report on the desk, with the creative it is about", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { services, clock } = world;
  const { reportId } = await reportAd(services, { day: DAY, report: REPORT });
  const [only, ...others] = (await readAll(services)).flatMap(
    ({ reports, spotlight }) =>
      reports.map((report) => ({ report, adId: spotlight?.adId })),
  );
  assertEquals(others, []);
  assertEquals(only?.report.id, reportId);
  assertEquals(only, {
    adId: "ad_ada",
    report: {
      ...REPORT,
      id: only?.report.id ?? "",
      day: DAY,
      reportedAtMs: clock.now(),
      closedAtMs: null,
      expiresAtMs: clock.now() + 180 * DAY_MS,
    },
  });
});

Deno.test("closeReport() takes a report off the desk, once", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { services, clock } = world;
  await reportAd(services, { day: DAY, report: REPORT });
  const [first] = await readAll(services);
  const reportId = first?.reports[0]?.id ?? "";
  const closed = await closeReport(services, { reportId });
  clock.advance(1_000);
  assertEquals(await closeReport(services, { reportId }), closed);
  assertEquals(await readAll(services), []);
  for (const unknown of ["report_none", "", "a".repeat(99), "report_\u0000"]) {
    await assertRefused(
      () => closeReport(services, { reportId: unknown }),
      "not_found",
    );
  }
});

Deno.test("reportAd() takes no report of a day without a public Spotlight", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const report = () => reportAd(services, { day: DAY, report: REPORT });
  await assertRefused(report, "not_found");
  await settled(world, { removedAtMs: 1, removalReason: "policy" });
  await assertRefused(report, "not_found");
});

Deno.test("reportAd() keeps so many reports of a Spotlight and counts the rest", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { store } = world.services;
  await store.transact((tx) => {
    tx.reportTallies.save({ day: DAY, count: REPORTS_OPEN_MAX - 1 });
  });
  const kept = await Promise.all(
    [1, 2, 3].map(() => reportAd(world.services, { day: DAY, report: REPORT })),
  );
  assertEquals(kept.filter(({ reportId }) => reportId !== null).length, 1);
  assertEquals((await store.reportTallies.find(DAY))?.count, 202);
  assertEquals((await store.listOpenAdReports({ limit: 99 })).length, 1);
});

Deno.test("half of a Spotlight's places are for reports of networks that sent none of it", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { services } = world;
  const report = async (isRepeat: boolean) => {
    const asked = { day: DAY, report: REPORT, isRepeat };
    return (await reportAd(services, asked)).reportId;
  };
  for (let nth = 0; nth < REPEATED_REPORTS_MAX; nth++) {
    assert(await report(true) !== null);
  }
  assertEquals(await report(true), null);
  assert(await report(false) !== null);
});

Deno.test("who fills a Spotlight's places with reports keeps later ones off the desk only until an operator closes some, or they are forgotten", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { services, clock } = world;
  const { store } = services;
  const report = async () =>
    (await reportAd(services, { day: DAY, report: REPORT })).reportId;
  const first = await report() ?? "";
  for (let nth = 1; nth < REPORTS_OPEN_MAX; nth++) await report();
  assertEquals(await report(), null);
  for (let nth = 0; nth < 2; nth++) {
    await closeReport(services, { reportId: first });
  }
  assert(await report() !== null);
  assertEquals(await report(), null, "closed twice, it leaves one place");
  const open = await store.listOpenAdReports({ limit: 999 });
  assertEquals(open.length, REPORTS_OPEN_MAX);
  clock.advance(REPORT_KEPT_MS);
  assert(await report() !== null);
  assertEquals((await store.listOpenAdReports({ limit: 999 })).length, 1);
});

Deno.test("a report is forgotten with its place at the desk", async () => {
  await using world = await openBiddingWorld();
  await settled(world);
  const { services, clock } = world;
  await reportAd(services, { day: DAY, report: REPORT });
  clock.advance(180 * DAY_MS);
  assertEquals(await readAll(services), []);
});

Deno.test("readReport() takes words on several lines as one, plain text only", () => {
  const read = readReport({ policyId: "political", text: " One\r\n two\n" });
  assert(read.ok);
  assertEquals(read.report, { policyId: "political", text: "One two" });
  const bare = readReport({ policyId: "deceptive", text: "" });
  assert(bare.ok);
  const cases: [string, string, string][] = [
    ["other", "", "missing"],
    ["", "Too short", "too_short"],
    ["toString", "Too short", "too_short"],
    ["deceptive", "a\u202eb", "direction_character"],
    ["deceptive", "\x1b[31mred", "control_character"],
    ["deceptive", "a".repeat(1_001), "too_long"],
  ];
  for (const [policyId, text, problem] of cases) {
    const reading = readReport({ policyId, text });
    assertEquals(reading.ok ? null : reading.problem, problem);
  }
});
