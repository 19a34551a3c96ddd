import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { mandateRefusal } from "../../../domain/mandates/mandate_check.ts";
import type { Mandate } from "../../../domain/oauth/grant.ts";

const mandate: Mandate = {
  maxBidCents: 500,
  dailyCapCents: 800,
  validUntilMs: 1_000,
};
const draw = {
  nowMs: 999,
  usedCents: 300,
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

Deno.test("mandateRefusal() names the single cap before the daily one", () => {
  const over = { ...draw, amountCents: 501, increaseCents: 501 };
  assertEquals(mandateRefusal(mandate, over), {
    code: "mandate_exceeded",
    limitCents: 500,
    usedCents: 300,
    requestedCents: 501,
  });
});

Deno.test("mandateRefusal() names the daily cap and the whole amount asked", () => {
  const over = { ...draw, usedCents: 301 };
  assertEquals(mandateRefusal(mandate, over), {
    code: "mandate_exceeded",
    limitCents: 800,
    usedCents: 301,
    requestedCents: 500,
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
    fc.integer({ min: 100, max: 2_000 }),
    (maxBidCents, dailyCapCents, amountCents) => {
      const refusal = mandateRefusal(
        { maxBidCents, dailyCapCents, validUntilMs: 1_000 },
        { nowMs: 0, usedCents: 0, amountCents, increaseCents: amountCents },
      );
      const fits = amountCents <= Math.min(maxBidCents, dailyCapCents);
      assertEquals(refusal === null, fits);
    },
  ));
});

Deno.test("mandateRefusal() names the whole bid of a raise, or its increase while the bid is not known", () => {
  const raise = { ...draw, usedCents: 790, increaseCents: 11 };
  const known = mandateRefusal(mandate, raise);
  assertEquals(known, {
    code: "mandate_exceeded",
    limitCents: 800,
    usedCents: 790,
    requestedCents: 500,
  });
  const unknown = mandateRefusal(mandate, { ...raise, amountCents: null });
  assertEquals(unknown, {
    code: "mandate_exceeded",
    limitCents: 800,
    usedCents: 790,
    requestedCents: 11,
  });
});
