import { assertEquals } from "@std/assert";
import {
  totalUseUnder,
  withTotalUse,
} from "../../../domain/mandates/total_use.ts";
import type { Grant, Mandate } from "../../../domain/oauth/grant.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 10 * DAY_MS + 5;

function mandate(changes: Partial<Mandate> = {}): Mandate {
  return {
    maxBidCents: 100,
    dailyCapCents: 200,
    totalCapCents: 300,
    validUntilMs: 20 * DAY_MS,
    ...changes,
  };
}

const standing = { usedCents: 250, sinceMs: 5, endsAtMs: 15 * DAY_MS };
const before = { totalUse: standing, usedTodayCents: 40, nowMs: NOW_MS };

Deno.test("totalUseUnder() begins with what was used on the day on which a total is set", () => {
  const none = { ...before, totalUse: undefined };
  assertEquals(totalUseUnder(mandate(), none), {
    usedCents: 40,
    sinceMs: 10 * DAY_MS,
    endsAtMs: 20 * DAY_MS,
  });
});

Deno.test("totalUseUnder() goes on with the count of a mandate that is replaced before its end", () => {
  const longer = { ...standing, endsAtMs: 20 * DAY_MS };
  assertEquals(totalUseUnder(mandate(), before), longer);
  // A shorter mandate does not end the count any sooner.
  const shorter = mandate({ validUntilMs: 12 * DAY_MS });
  assertEquals(totalUseUnder(shorter, before), standing);
});

Deno.test("totalUseUnder() keeps a count until its end where the total or the mandate is taken away", () => {
  const { totalCapCents: _total, ...without } = mandate();
  for (const changed of [without, null]) {
    assertEquals(totalUseUnder(changed, before), standing);
    const over = { ...before, nowMs: standing.endsAtMs };
    assertEquals(totalUseUnder(changed, over), undefined);
  }
});

Deno.test("totalUseUnder() begins anew once the mandate has ended", () => {
  const nowMs = standing.endsAtMs;
  assertEquals(totalUseUnder(mandate(), { ...before, nowMs }), {
    usedCents: 40,
    sinceMs: 15 * DAY_MS,
    endsAtMs: 20 * DAY_MS,
  });
});

Deno.test("withTotalUse() adds a bid to a count until its end, whether a total is set or not", () => {
  const grant = { id: "gr_1", mandate: null, totalUse: standing } as Grant;
  const lastMs = standing.endsAtMs - 1;
  assertEquals(withTotalUse(grant, 7, lastMs), {
    ...grant,
    totalUse: { ...standing, usedCents: 257 },
  });
  assertEquals(withTotalUse(grant, 7, standing.endsAtMs), null);
  const { totalUse: _none, ...never } = grant;
  assertEquals(withTotalUse(never, 7, NOW_MS), null);
});
