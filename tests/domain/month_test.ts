import { assertEquals } from "@std/assert";
import {
  addMonths,
  endOfMonthMs,
  laterMonth,
  monthOf,
  startOfMonthMs,
} from "../../domain/month.ts";

const at = (text: string) => Date.parse(text);

Deno.test("monthOf() is the UTC month, to the millisecond", () => {
  assertEquals(monthOf(at("2026-12-31T23:59:59.999Z")), "2026-12");
  assertEquals(monthOf(at("2027-01-01T00:00:00.000Z")), "2027-01");
});

Deno.test("addMonths() goes over years both ways, and months end where the next begin", () => {
  const november = monthOf(at("2026-11-30T12:00:00.000Z"));
  assertEquals(addMonths(november, 2), "2027-01");
  assertEquals(addMonths(november, -11), "2025-12");
  assertEquals(endOfMonthMs(november), at("2026-12-01T00:00:00.000Z"));
  assertEquals(startOfMonthMs(november), at("2026-11-01T00:00:00.000Z"));
  assertEquals(laterMonth(november, addMonths(november, 1)), "2026-12");
  assertEquals(laterMonth(addMonths(november, 1), november), "2026-12");
  assertEquals(laterMonth(november, null), "2026-11");
});
