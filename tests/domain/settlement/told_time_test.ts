import { assertEquals } from "@std/assert";
import { startOfDayMs } from "../../../domain/day.ts";
import {
  lastMsOfDay,
  toldAfter,
  type ToldTime,
} from "../../../domain/settlement/told_time.ts";
import { AUCTION_DAY as day } from "../../support/auction_world.ts";

const START_MS = startOfDayMs(day);

Deno.test("lastMsOfDay() is the last moment that is not the next day's", () => {
  const end = (toldMs: number) =>
    lastMsOfDay({ toldMs, leadMs: 0, leadToldMs: toldMs });
  const lastMs = Date.parse(`${day}T23:59:59.999Z`);
  assertEquals([end(START_MS), end(lastMs)], [lastMs, lastMs]);
});

Deno.test("toldAfter() keeps the latest time that was told, also beside a new lead", () => {
  const known: ToldTime = {
    toldMs: START_MS + 10,
    leadMs: 500_000,
    leadToldMs: START_MS,
  };
  assertEquals(toldAfter(known, START_MS + 5, 600_000), {
    toldMs: START_MS + 10,
    leadMs: 600_000,
    leadToldMs: START_MS + 5,
  });
});
