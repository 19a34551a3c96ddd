import { assertEquals } from "@std/assert";
import { REPORTS_OPEN_MAX } from "../../../domain/ad_reports/ad_report.ts";
import {
  COUNTED_MAX,
  readReported,
  readReportedDay,
} from "../../../domain/ad_reports/read_open_reports.ts";
import { reportAd } from "../../../domain/ad_reports/report_ad.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { dayText, settle, spotlight } from "../../support/public_spotlights.ts";

const NEWEST = dayText("2026-11-19");
const REPORT = { policyId: "deceptive", text: "It is not free." } as const;

/** A world whose last Spotlights are reported so often each, the newest last. */
async function reported(counts: readonly number[]) {
  const world = await openBiddingWorld();
  const { services, clock } = world;
  const days = counts.map((_, at): Day =>
    addDays(NEWEST, at + 1 - counts.length)
  );
  await settle(services.store, ...days.map((day) => spotlight(day)));
  for (const [at, day] of days.entries()) {
    for (let nth = 0; nth < (counts[at] ?? 0); nth++) {
      await reportAd(services, { day, report: REPORT });
      clock.advance(1);
    }
  }
  return { world, services };
}

Deno.test("a report of the Spotlight that is shown now is on the desk, however many there are of earlier ones", async () => {
  const flood = REPORTS_OPEN_MAX;
  const { world, services } = await reported([flood, flood, flood, 1]);
  await using _ = world;
  const { spotlights } = await readReported(services, { before: null });
  assertEquals(
    spotlights.map(({ day, reports }) => [day, reports.length]),
    [
      ["2026-11-19", 1],
      ["2026-11-18", COUNTED_MAX],
      ["2026-11-17", COUNTED_MAX],
      ["2026-11-16", COUNTED_MAX],
    ],
  );
  const newest = await readReportedDay(services, { day: NEWEST });
  assertEquals(newest.reports.length, 1);
  const before = await readReportedDay(services, {
    day: dayText("2026-11-18"),
  });
  assertEquals(before.reports.length, flood);
});

Deno.test("reported Spotlights are read a page of days at a time, down to the first", async () => {
  const { world, services } = await reported(
    Array.from({ length: 41 }, () => 1),
  );
  await using _ = world;
  const sizes: number[] = [];
  for (let before: Day | null = null;;) {
    const page = await readReported(services, { before });
    sizes.push(page.spotlights.length);
    before = page.nextBefore;
    if (before === null) break;
  }
  assertEquals(sizes, [20, 20, 1]);
});
