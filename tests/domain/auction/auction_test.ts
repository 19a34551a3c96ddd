import { assertEquals } from "@std/assert";
import {
  type Auction,
  clockTime,
  closesAtMs,
  isBeingSettled,
  opensAtMs,
} from "../../../domain/auction/auction.ts";
import { AUCTION_DAY as day } from "../../support/auction_world.ts";

Deno.test("an auction opens and closes at its minutes exactly", () => {
  const hours = { opensAtMinute: 9 * 60 + 30, closesAtMinute: 23 * 60 + 55 };
  assertEquals(opensAtMs(day, hours), Date.parse(`${day}T09:30:00.000Z`));
  assertEquals(closesAtMs(day, hours), Date.parse(`${day}T23:55:00.000Z`));
});

Deno.test("clockTime() is the hour and the minute in two digits each", () => {
  const minutes = [0, 9, 60, 9 * 60 + 59, 24 * 60 - 1];
  assertEquals(minutes.map(clockTime), [
    "00:00",
    "00:09",
    "01:00",
    "09:59",
    "23:59",
  ]);
});

Deno.test("isBeingSettled() holds from the close of a day until it has settled", () => {
  const open: Auction = {
    day,
    phase: "OPEN",
    openedAtMs: 1,
    closesAtMs: 2,
    closedAtMs: null,
    settledAtMs: null,
  };
  const closed: Auction = { ...open, phase: "CLOSED", closedAtMs: 2 };
  assertEquals(
    [null, open, closed, { ...closed, settledAtMs: 3 }].map(isBeingSettled),
    [false, false, true, false],
  );
});
