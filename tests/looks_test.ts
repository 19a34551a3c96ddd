/**
 * The kept pictures of pages: one sheet for each line of the table, and none
 * that weighs on whoever clones the project.
 */
import { assert, assertEquals } from "@std/assert";
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
