/**
 * Over HTTP/2 a request can't be read any more once its answer was given: the
 * runtime throws. Over HTTP/1.1 it can, so only this finds what reads one late.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { addressesOf } from "../../routes/hosts.ts";
import { BROWSER, figuresOf } from "../support/click_world.ts";
import {
  DAY,
  type EveryRoute,
  openEveryRoute,
} from "../support/every_route.ts";
import { Http2Client } from "../support/http2_client.ts";
import { dayText } from "../support/public_spotlights.ts";

/** What the runtime says to who reads such a request. */
const READ_LATE = "Request closed";

/** A connection to the site's listener, which answers for every host. */
function connected({ running }: EveryRoute) {
  const addresses = addressesOf(running.config.settings);
  return { addresses, client: new Http2Client(+addresses.site.port) };
}

Deno.test("HTTP/2: clicks are counted although they are redirected first", async () => {
  await using world = await openEveryRoute();
  const { addresses, client } = connected(world);
  await using _client = client;
  const addressOf = (nth: number) => `198.51.100.${nth}`;
  for (let nth = 0; nth < 5; nth++) {
    // Nobody's bucket is known yet, so that none is waited for.
    const { status } = await client.ask({
      ":path": `/go/${DAY}`,
      ":authority": addresses.site.host,
      "user-agent": BROWSER,
      "x-forwarded-for": addressOf(nth),
    });
    assertEquals(status, 302);
  }
  const { core } = world.running.service;
  await core.clicks.close();
  const figures = await figuresOf(core.services.store, dayText(DAY));
  assertEquals(figures["outcome human"], 5);
  assertEquals(world.running.logged().includes("clicks.lost"), false);
});

Deno.test("HTTP/2: no route reads a request after its answer", async () => {
  await using world = await openEveryRoute();
  const { addresses, client } = connected(world);
  await using _client = client;
  for (const [nth, { host, method, url }] of world.operations.entries()) {
    const { pathname, search } = new URL(url);
    for (const cookie of ["", world.cookie]) {
      await client.ask({
        ":method": method,
        ":path": pathname + search,
        ":authority": addresses[host].host,
        "x-forwarded-for": `198.51.${nth % 250}.${cookie === "" ? 1 : 2}`,
        "accept": "text/html",
        ...cookie !== "" && { cookie },
      });
    }
  }
  await world.running.service.core.clicks.idle();
  const late = world.running.logged().split("\n")
    .filter((line) => line.includes(READ_LATE));
  assertEquals(late, []);
});
