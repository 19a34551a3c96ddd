/** What everybody together may have the processor asked over HTTP 402. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { offer, openPaidWorld } from "../../../support/paid_world.ts";

Deno.test("payments over HTTP 402 of all networks together are 500 at once and then twenty a second, and more are 503", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop, { token: "spt_unknown" });
  const ask = () => shop.ask({ authorization });
  const statuses = new Set<number>();
  for (let nth = 0; nth < 500; nth++) statuses.add((await ask()).status);
  assertEquals(statuses, new Set([402]));
  const refused = await ask();
  assertEquals(refused.status, 503);
  assertEquals(refused.headers.get("retry-after"), "1");
  const { detail } = await refused.json();
  assertStringIncludes(detail, "too many payments are being presented");
  // Who asks for a challenge asks the processor for nothing.
  assertEquals((await shop.ask()).status, 402);
  shop.world.clock.advance(100);
  const later: number[] = [];
  for (let nth = 0; nth < 3; nth++) later.push((await ask()).status);
  assertEquals(later, [402, 402, 503]);
});

Deno.test("payments of three IPv6 sites leave half of them to other networks", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop, { token: "spt_unknown" });
  const statuses = new Set<number>();
  for (let nth = 0; nth < 600; nth++) {
    const from = `2001:db8:${nth % 3}:${(nth % 60).toString(16)}00::1`;
    statuses.add((await shop.ask({ authorization, from })).status);
  }
  assertEquals(statuses, new Set([402, 503]));
  for (let nth = 0; nth < 20; nth++) {
    assertEquals((await shop.ask({ authorization })).status, 402);
  }
});
