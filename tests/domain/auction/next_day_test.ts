import { assertEquals } from "@std/assert";
import type { Auction } from "../../../domain/auction/auction.ts";
import { nextDayFrom } from "../../../domain/auction/next_day.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { BID_DAY } from "../../support/bidding_world.ts";

const NEXT = addDays(BID_DAY, 1);

/** Where to go on from a day, on days that are open from nine to eleven. */
function nextAt(time: string, wanted: Day, auction: Auction | null = null) {
  return nextDayFrom(wanted, {
    auction,
    nowMs: Date.parse(`${BID_DAY}T${time}Z`),
    settings: { auctionHours: { opensAtMinute: 540, closesAtMinute: 660 } },
  });
}

function openedDay(day: Day): Auction {
  return {
    day,
    phase: "OPEN",
    openedAtMs: 0,
    closesAtMs: Date.parse(`${day}T11:00:00.000Z`),
    closedAtMs: null,
    settledAtMs: null,
  };
}

function opening(day: Day) {
  return { day, opensAtMs: Date.parse(`${day}T09:00:00.000Z`) };
}

Deno.test("nextDayFrom() says when a day opens until that moment, and nothing from then on", () => {
  assertEquals(nextAt("08:59:59.999", BID_DAY), opening(BID_DAY));
  const open = { day: BID_DAY, opensAtMs: null };
  assertEquals(nextAt("09:00:00.000", BID_DAY), open);
  assertEquals(nextAt("11:00:00.000", BID_DAY), opening(NEXT));
});

Deno.test("nextDayFrom() goes on from a day that an operator closed early, and waits for none that was opened ahead", () => {
  const closed: Auction = { ...openedDay(BID_DAY), phase: "CLOSED" };
  assertEquals(nextAt("10:00:00.000", BID_DAY, closed), opening(NEXT));
  const ahead = nextAt("10:00:00.000", NEXT, openedDay(NEXT));
  assertEquals(ahead, { day: NEXT, opensAtMs: null });
});

Deno.test("nextDayFrom() takes no other day for open because the wanted one was opened", () => {
  const past = addDays(BID_DAY, -1);
  const next = nextAt("08:00:00.000", past, openedDay(past));
  assertEquals(next, opening(BID_DAY));
});
