/** What opening a day writes besides its record. */
import { assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import { addDays } from "../../../domain/day.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";

const day = AUCTION_DAY;

Deno.test("the service begins on the day of its first opening, or on an earlier one that this opens", async () => {
  for (const [first, launch] of [[-1, -1], [0, 0], [1, 0]] as const) {
    await using world = await openAuctionWorld();
    const { services } = world;
    await openAuction(services, { day: addDays(day, first) });
    const launchDay = addDays(day, launch);
    assertEquals(await services.store.calendar.find(), {
      launchDay,
      settledThroughDay: null,
    });
    await openAuction(services, { day: launchDay });
    await assertRefused(
      () => openAuction(services, { day: addDays(launchDay, -1) }),
      "auction_not_openable",
    );
  }
});

Deno.test("the audit says from which phase to which an operator took a day, and of a repeat nothing, as the log does", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  for (const phase of ["open", "close"] as const) {
    const order = {
      by: { kind: "key", name: "night" },
      act: `auction.${phase}`,
      subject: day,
    } as const;
    const verb = { open: openAuction, close: closeAuction }[phase];
    for (let time = 0; time < 2; time++) {
      await actAs(services, order, (acting) => verb(acting, { day }));
      world.clock.advance(1_000);
    }
  }
  assertEquals(world.log.events, ["auction.opened", "auction.closed"]);
  const all = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  const lines = await services.store
    .listOperatorActs(all, { limit: 9, before: null });
  assertEquals(lines.map(({ act, change }) => [act, change]).toReversed(), [
    ["auction.open", { before: { phase: "IDLE" }, after: { phase: "OPEN" } }],
    ["auction.open", null],
    ["auction.close", {
      before: { phase: "OPEN" },
      after: { phase: "CLOSED" },
    }],
    ["auction.close", null],
  ]);
});
