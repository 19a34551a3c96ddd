import { assert, assertEquals } from "@std/assert";
import {
  HUMAN_CLICKS_A_DAY,
  NetworkBounds,
} from "../../../domain/clicks/network_bounds.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { BROWSER, figuresOf, startCounter } from "../../support/click_world.ts";
import { openGoSite } from "../../support/go_site.ts";
import { spotlight } from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const NOW = 20_000 * DAY_MS;
const SITE = "2a01:db9:77";

/** How many of so many clicks are counted, each of the address made for it. */
function taken(
  bounds: NetworkBounds,
  clicks: number,
  addressOf: (n: number) => string,
  atMs = NOW,
): number {
  let count = 0;
  for (let n = 0; n < clicks; n++) {
    if (bounds.take(addressOf(n), atMs)) count += 1;
  }
  return count;
}

Deno.test("a network has so many human clicks a day and no more, whatever addresses of it are named", () => {
  const link = `${SITE}:100::/64`;
  const ofHousehold = (n: number) =>
    `${SITE}:${(0x100 + n % 256).toString(16)}::/64`;
  const ofSite = (n: number) => `${SITE}:${(n % 65_536).toString(16)}::/64`;
  const many = 10 * HUMAN_CLICKS_A_DAY;
  assertEquals(
    taken(new NetworkBounds(), many, () => "192.0.2.1"),
    HUMAN_CLICKS_A_DAY,
  );
  assertEquals(
    taken(new NetworkBounds(), many, () => link),
    HUMAN_CLICKS_A_DAY,
  );
  assertEquals(
    taken(new NetworkBounds(), many, ofHousehold),
    2 * HUMAN_CLICKS_A_DAY,
  );
  assertEquals(
    taken(new NetworkBounds(), many, ofSite),
    4 * HUMAN_CLICKS_A_DAY,
  );
});

Deno.test("a network that had its clicks takes none of another's, and has new ones the next day", () => {
  const bounds = new NetworkBounds();
  const link = `${SITE}:1::/64`;
  taken(bounds, 2 * HUMAN_CLICKS_A_DAY, () => link);
  assert(!bounds.take(link, NOW));
  // What was refused has cost its /56 and /48 nothing.
  assertEquals(
    taken(bounds, 2 * HUMAN_CLICKS_A_DAY, () => `${SITE}:2::/64`),
    HUMAN_CLICKS_A_DAY,
  );
  assert(!bounds.take(`${SITE}:3::/64`, NOW), "the /56 had its clicks");
  assert(bounds.take(`${SITE}:300::/64`, NOW), "the /48 had not");
  assert(bounds.take("192.0.2.1", NOW));
  assert(bounds.take(link, NOW + DAY_MS));
  // Nor does a clock that was ahead and is right again.
  assert(bounds.take(link, NOW));
});

Deno.test("what bounds remember has a bound, and who goes on clicking is not forgotten", () => {
  const bounds = new NetworkBounds(64);
  let count = 0;
  for (let n = 0; n < 10 * HUMAN_CLICKS_A_DAY; n++) {
    if (bounds.take(`${SITE}:${(n % 65_536).toString(16)}::/64`, NOW)) count++;
  }
  assertEquals(count, 4 * HUMAN_CLICKS_A_DAY);
});

Deno.test("clicks of an address that names another browser each time are human so often a day, and repeats after that", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  const day = spotlight("2026-11-19").day;
  for (let n = 0; n < HUMAN_CLICKS_A_DAY + 50; n++) {
    const headers = { "user-agent": `${BROWSER} ${n}` };
    click(day, { address: "10.0.0.1", headers });
  }
  click(day, { address: "20.0.0.1" });
  await book();
  const figures = await figuresOf(test.store, day);
  assertEquals(figures["outcome human"], HUMAN_CLICKS_A_DAY + 1);
  assertEquals(figures["outcome repeat"], 50);
  assertEquals(figures["country LV"], HUMAN_CLICKS_A_DAY);
  await counter.close();
});

Deno.test("a click beyond what its network has is redirected as any other", async () => {
  const shown = spotlight("2026-11-19");
  await using site = await openGoSite([shown]);
  for (let n = 0; n <= 4 * HUMAN_CLICKS_A_DAY; n++) {
    const from = `${SITE}:${n.toString(16)}::1`;
    const response = await site.go(`/go/${shown.day}`, { from });
    assertEquals(response.status, 302, `click ${n}`);
  }
  await site.book();
  const figures = await figuresOf(site.test.store, shown.day);
  assertEquals(figures["outcome human"], 4 * HUMAN_CLICKS_A_DAY);
  assertEquals(figures["outcome repeat"], 1);
});
