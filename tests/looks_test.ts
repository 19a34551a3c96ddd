/**
 * The kept pictures of pages: one sheet for each line of the table, and none
 * that weighs on whoever clones the project.
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { assertPaintsInTime, assertWithin } from "./support/looks/budget.ts";
import { KEPT } from "./support/looks/look_at.ts";
import {
  ADVERTISER_LOOKS,
  OPERATOR_LOOKS,
  PUBLIC_LOOKS,
} from "./support/looks/pages.ts";
import { picturesOf, sheetOf } from "./support/looks/sheet.ts";

/** All sheets together, bytes. */
const KEPT_MAX = 3_000_000;

Deno.test("each page of the table has a kept sheet, and each sheet a page", async () => {
  const names = [...PUBLIC_LOOKS, ...ADVERTISER_LOOKS, ...OPERATOR_LOOKS]
    .map(({ name }) => `${name}.png`);
  assertEquals(new Set(names).size, names.length);
  const kept: string[] = [];
  let bytes = 0;
  for await (const { name } of Deno.readDir(KEPT)) {
    kept.push(name);
    bytes += (await Deno.stat(KEPT + name)).size;
  }
  assertEquals(kept.toSorted(), names.toSorted());
  assert(bytes <= KEPT_MAX, `${bytes} bytes`);
});

Deno.test("a sheet gives back the pictures it was made of, of whatever heights", () => {
  const pictures = [[2, 3], [1, 5], [4, 1]].map(([width = 0, height = 0]) => ({
    width,
    height,
    greys: Uint8Array.from(
      { length: width * height },
      (_, at) => at * 8,
    ),
  }));
  const widths = pictures.map(({ width }) => width);
  assertEquals(picturesOf(sheetOf(pictures), widths), pictures);
});

Deno.test("a page that takes more than its budget is told", () => {
  const load = {
    bytes: 60_000,
    requests: 6,
    blocking: 1,
    shift: 0,
    paintMs: 1,
  };
  assertWithin("full", load);
  for (
    const over of [
      { bytes: 60_001 },
      { requests: 7 },
      { blocking: 2 },
      { shift: .02 },
    ]
  ) {
    assertThrows(() => assertWithin("over", { ...load, ...over }));
  }
});

Deno.test("a page that is drawn late is told, and not a machine that is busy", async () => {
  let loaded = 0;
  const takes = (...times: number[]) => () =>
    Promise.resolve(times[loaded++ % times.length] ?? 0);
  const bare = (ms: number) => () => Promise.resolve(ms);
  const inTime = [
    [999, takes(9_999), bare(1)], // at once
    [1_500, takes(1_400, 800), bare(60)], // once it was let
    [3_000, takes(2_900), bare(500)], // as a bare page would be
  ] as const;
  for (const [first, again, alone] of inTime) {
    loaded = 0;
    await assertPaintsInTime("page", first, again, alone);
  }
  loaded = 0;
  await assertRejects(
    () => assertPaintsInTime("page", 1_500, takes(1_500), bare(60)),
    Error,
    "1500 ms, a bare one 60; 1500 ms",
  );
  assertEquals(loaded, 3);
});
