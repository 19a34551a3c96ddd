import { assertEquals, assertMatch } from "@std/assert";
import { renderRounds, renderTargets } from "../../../tools/bench/report.ts";
import { median, percentile } from "../../../tools/bench/statistics.ts";
import {
  p99Target,
  ratioTarget,
  type Round,
} from "../../../tools/bench/suite.ts";

const ROUNDS: readonly Round[] = [[100, 50, 4], [300, 100, 9], [200, 40, 30]]
  .map(([ours = 0, peer = 0, p99Ms = 0]) =>
    new Map([
      ["ours", { perSecond: ours, p50Ms: 1, p99Ms }],
      ["peer", { perSecond: peer }],
    ])
  );

Deno.test("median() and percentile() interpolate between the nearest two", () => {
  assertEquals(median([3, 1, 2]), 2);
  assertEquals(median([4, 1, 2, 3]), 2.5);
  assertEquals(percentile([10, 20, 30], 0.75), 25);
});

Deno.test("renderRounds() gives medians and the range of every line", () => {
  const [, ours = "", peer = ""] = renderRounds(ROUNDS).split("\n");
  assertMatch(ours, /^ours +200 \(100–300\) +1.00 ms +9.00 ms$/);
  assertMatch(peer, /^peer +50 \(40–100\)$/);
});

Deno.test("renderTargets() judges the median of the rounds' own ratios", () => {
  const targets = [
    ratioTarget("ours", "peer", 3),
    ratioTarget("ours", "peer", 3.5),
    ratioTarget("ours", "peer"),
    p99Target("ours", 25),
  ];
  const lines = renderTargets(targets, ROUNDS).split("\n");
  assertMatch(lines[0] ?? "", /3.00 × \(2.00–5.00\) +at least 3: met$/);
  assertMatch(lines[1] ?? "", /at least 3.5: MISSED$/);
  assertMatch(lines[2] ?? "", /3.00 × \(2.00–5.00\)$/);
  assertMatch(lines[3] ?? "", /9.00 ms \(4.00–30.0\) +below 25: met$/);
});
