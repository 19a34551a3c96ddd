import { assert, assertEquals } from "@std/assert";
import type { ClickCount } from "../../../domain/clicks/click.ts";
import { readDayClicks } from "../../../domain/clicks/day_clicks.ts";
import { addDays } from "../../../domain/day.ts";
import { demoClicks } from "../../../tools/demo/day_clicks.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { spotlight } from "../../support/public_spotlights.ts";
import { openDemoWorld, TODAY, USUAL } from "./demo_world.ts";

const DAY = spotlight("2026-11-18");
const LATER_MS = DAY.settledAtMs + 100 * 3_600_000;

Deno.test("fillStore() leaves figures for each of its settled days", async () => {
  await using world = await openDemoWorld();
  const { services } = world;
  await fillStore(services, USUAL);
  for (let ago = 1; ago <= 91; ago++) {
    const day = addDays(TODAY, -ago);
    const { clicks, humanClicks, countries, final } = await readDayClicks(
      services,
      day,
    );
    assert(humanClicks > 20 && clicks > humanClicks, `${day}: ${humanClicks}`);
    assert(countries >= 5, `${day}: ${countries}`);
    assertEquals(final, ago > 3, day);
  }
});

Deno.test("demo figures add up as counted ones do", () => {
  const counts = demoClicks("1", DAY, LATER_MS);
  const human = sumOf(counts, ({ value }) => value === "human");
  assertEquals(sumOf(counts, (one) => one.dimension === "hour"), human);
  const known = sumOf(counts, ({ dimension }) => dimension === "country");
  assert(known <= human && known > human * 0.9, `${known} of ${human}`);
  assert(counts.every(({ count }) => Number.isSafeInteger(count) && count > 0));
});

Deno.test("demo figures are the same for the same seed, and end at the present", () => {
  assertEquals(demoClicks("1", DAY, LATER_MS), demoClicks("1", DAY, LATER_MS));
  const soonMs = DAY.settledAtMs + 5 * 3_600_000;
  const soon = demoClicks("1", DAY, soonMs);
  const hours = soon.filter(({ dimension }) => dimension === "hour");
  const last = hours.at(-1)?.value ?? "";
  assert(last <= new Date(soonMs).toISOString().slice(0, 13), last);
});

function sumOf(
  counts: readonly ClickCount[],
  matches: (count: ClickCount) => boolean,
): number {
  return counts.filter(matches).reduce((sum, { count }) => sum + count, 0);
}
