/** Closing a day before its hour, by the desk and by the operator API. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import { addDays } from "../../../../domain/day.ts";
import { closeAuction } from "../../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY as day } from "../../../support/auction_world.ts";
import { ask } from "../../../support/bindings.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { deskText, openDeskSite } from "../../../support/desk_site.ts";
import { ledTo } from "../../../support/led_to.ts";
import { KEY, openHost } from "./operator_site.ts";

const next = addDays(day, 1);
const NEXT = `/operator/days/${next}`;

/** A minute after midnight: a day is being settled, and the next one begun. */
async function begunNext() {
  const opened = await openDeskSite();
  const { world: { services, clock, ...world }, desk } = opened;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("ann"), 71_101);
  clock.set(`${day}T23:55:00.000Z`);
  await closeAuction(services, { day });
  clock.set(`${next}T00:01:00.000Z`);
  await openAuction(services, { day: next });
  await desk.signInAgain();
  return opened;
}

Deno.test("the desk offers no early close while the day before is unsettled, and says why, and later whose time on show it ends", async () => {
  await using opened = await begunNext();
  const { desk, world: { services } } = opened;
  const before = await deskText(desk, NEXT);
  assertStringIncludes(before, "can’t be closed before its hour yet");
  assert(!before.includes("Close the auction now"));
  const refused = await actAtDesk(desk, `${NEXT}/close`, {});
  assertEquals(refused.status, 409);
  assertStringIncludes(await refused.text(), "the day before is not settled");
  assertEquals((await services.store.auctions.find(next))?.phase, "OPEN");
  await settleDay(services, { day, force: true });
  const after = await deskText(desk, NEXT);
  assertStringIncludes(after, "Close the auction now");
  assert(!after.includes("before its hour yet"));
  const asked = await (await desk.post(`${NEXT}/close`, "")).text();
  assertStringIncludes(
    asked.replace(/\s+/g, " "),
    `The Spotlight of ${day}, which`,
  );
  assertStringIncludes(
    asked,
    "ends with it: 23 h 54 min before 2026-11-21 23:55 UTC",
  );
  const done = await actAtDesk(desk, `${NEXT}/close`, {});
  assertEquals(ledTo(done), `${NEXT}?done=close`);
});

Deno.test("POST auctions/{day}/close before its hour is 409 while the day before is unsettled, and names what to do", async () => {
  await using opened = await begunNext();
  const { services, testStore } = opened.world;
  const host = await openHost(services, testStore.realKv);
  const close = () =>
    ask(host.app, `/operator/v1/auctions/${next}/close`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
    });
  const refused = await close();
  assertEquals(refused.status, 409);
  const { type, code, detail } = await refused.json();
  assert(type.endsWith("/problems/day-before-unsettled"));
  assertEquals(code, "CONFLICT");
  assertEquals(
    detail,
    "Cannot close the auction of 2026-11-21 before its hour: 2026-11-20 is " +
      "not settled, and its winner's time on show would end. Settle that day " +
      "first, or let the auction close at 2026-11-21T23:55:00.000Z",
  );
  await settleDay(services, { day, force: true });
  assertEquals((await (await close()).json()).phase, "CLOSED");
});
