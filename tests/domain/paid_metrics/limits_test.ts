import { assertEquals } from "@std/assert";
import {
  isRefundLate,
  refundPauseMs,
  sweepPauseMs,
} from "../../../domain/paid_metrics/limits.ts";

const MINUTE_MS = 60_000;

Deno.test("sweepPauseMs() looks at once, after a minute, then twice as long each time up to 15 minutes", () => {
  const minutes = [0, 1, 2, 3, 4, 5, 6, 1_000]
    .map((sweeps) => sweepPauseMs(sweeps) / MINUTE_MS);
  assertEquals(minutes, [0, 1, 2, 4, 8, 15, 15, 15]);
});

Deno.test("refundPauseMs() waits a day from the hundredth attempt on, which is when a person is told", () => {
  const [before, late] = [99, 100];
  assertEquals([isRefundLate(before), isRefundLate(late)], [false, true]);
  assertEquals(refundPauseMs(3), sweepPauseMs(3));
  assertEquals(refundPauseMs(before), 15 * MINUTE_MS);
  assertEquals(refundPauseMs(late), 24 * 60 * MINUTE_MS);
});
