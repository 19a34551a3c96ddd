import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  lastDayOf,
  mandateEnded,
  mandateRefusal,
} from "../../../domain/mandates/mandate_check.ts";
import type { Mandate } from "../../../domain/oauth/grant.ts";

const mandate: Mandate = {
  maxBidCents: 500,
  dailyCapCents: 800,
  validUntilMs: 1_000,
};
const draw = {
  nowMs: 999,
  usedCents: 300,
  totalUsedCents: 0,
  amountCents: 500,
  increaseCents: 500,
};

Deno.test("mandateRefusal() lets a bid use the mandate to the cent", () => {
  assertEquals(mandateRefusal(mandate, draw), null);
});

Deno.test("mandateRefusal() refuses from valid_until on", () => {
  const refusal = mandateRefusal(mandate, { ...draw, nowMs: 1_000 });
  assertEquals(refusal, { code: "mandate_expired" });
});

Deno.test("mandateEnded() knows the end of a mandate, and that none never ends", () => {
  assertEquals(mandateEnded(mandate, 999), false);
  assertEquals(mandateEnded(mandate, 1_000), true);
  assertEquals(mandateEnded(null, 1_000), false);
});

Deno.test("mandateRefusal() names the single cap before the daily one", () => {
  const over = { ...draw, amountCents: 501, increaseCents: 501 };
  assertEquals(mandateRefusal(mandate, over), {
    code: "mandate_exceeded",
    cap: "bid",
    limitCents: 500,
    usedCents: 300,
    requestedCents: 501,
    resetsAtMs: null,
  });
});

Deno.test("mandateRefusal() names the daily cap and the whole amount asked", () => {
  const over = { ...draw, usedCents: 301 };
  assertEquals(mandateRefusal(mandate, over), {
    code: "mandate_exceeded",
    cap: "day",
    limitCents: 800,
    usedCents: 301,
    requestedCents: 500,
    resetsAtMs: 86_400_000,
  });
});

Deno.test("mandateRefusal() counts only the increase of a raise", () => {
  const raise = { ...draw, usedCents: 790, increaseCents: 10 };
  assertEquals(mandateRefusal(mandate, raise), null);
  const more = mandateRefusal(mandate, { ...raise, increaseCents: 11 });
  assertEquals(more?.code, "mandate_exceeded");
});

Deno.test("mandateRefusal() lets the smaller cap bind, whichever it is", () => {
  fc.assert(fc.property(
    fc.integer({ min: 100, max: 2_000 }),
    fc.integer({ min: 100, max: 2_000 }),
    fc.option(fc.integer({ min: 100, max: 2_000 }), { nil: undefined }),
    fc.integer({ min: 100, max: 2_000 }),
    (maxBidCents, dailyCapCents, totalCapCents, amountCents) => {
      const total = totalCapCents === undefined ? {} : { totalCapCents };
      const refusal = mandateRefusal(
        { maxBidCents, dailyCapCents, ...total, validUntilMs: 1_000 },
        { ...draw, usedCents: 0, amountCents, increaseCents: amountCents },
      );
      const caps = [maxBidCents, dailyCapCents, totalCapCents ?? Infinity];
      assertEquals(refusal === null, amountCents <= Math.min(...caps));
    },
  ));
});

Deno.test("mandateRefusal() names the whole bid of a raise, or its increase while the bid is not known", () => {
  const raise = { ...draw, usedCents: 790, increaseCents: 11 };
  const known = mandateRefusal(mandate, raise);
  assertEquals(known, {
    code: "mandate_exceeded",
    cap: "day",
    limitCents: 800,
    usedCents: 790,
    requestedCents: 500,
    resetsAtMs: 86_400_000,
  });
  const unknown = mandateRefusal(mandate, { ...raise, amountCents: null });
  assertEquals(unknown, {
    code: "mandate_exceeded",
    cap: "day",
    limitCents: 800,
    usedCents: 790,
    requestedCents: 11,
    resetsAtMs: 86_400_000,
  });
});

Deno.test("mandateRefusal() names the total before the day, as no waiting gives it back", () => {
  const total = { ...mandate, totalCapCents: 2_000 };
  const used = { ...draw, totalUsedCents: 1_500 };
  assertEquals(mandateRefusal(total, used), null);
  const over = { ...used, usedCents: 700, totalUsedCents: 1_501 };
  assertEquals(mandateRefusal(total, over), {
    code: "mandate_exceeded",
    cap: "total",
    limitCents: 2_000,
    usedCents: 1_501,
    requestedCents: 500,
    resetsAtMs: null,
  });
});

Deno.test("mandateRefusal() says when a day's cap begins anew for what it holds to the cent, and for no more", () => {
  const resetsAtMs = (increaseCents: number) => {
    const caps = { ...mandate, maxBidCents: 10_000 };
    const bid = { amountCents: increaseCents, increaseCents, usedCents: 1 };
    const refusal = mandateRefusal(caps, { ...draw, ...bid });
    return refusal?.code === "mandate_exceeded" ? refusal.resetsAtMs : "other";
  };
  assertEquals(resetsAtMs(800), 86_400_000);
  assertEquals(resetsAtMs(801), null);
});

Deno.test("lastDayOf() is the day before a mandate's end, and none of one that ends within a day", () => {
  const validUntilMs = Date.parse("2026-12-11T00:00:00.000Z");
  assertEquals(lastDayOf({ validUntilMs }), "2026-12-10");
  assertEquals(lastDayOf({ validUntilMs: validUntilMs - 1 }), null);
  assertEquals(lastDayOf({ validUntilMs: validUntilMs + 1 }), null);
});
