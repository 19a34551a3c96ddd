import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { addDays } from "../../../domain/day.ts";
import { planDays } from "../../../tools/demo/calendar.ts";
import { TODAY } from "./demo_world.ts";

const someDays = fc.record({
  seed: fc.string(),
  publicDays: fc.integer({ min: 1, max: 400 }),
});

Deno.test("planDays() plans the public days and one removed day besides", () => {
  fc.assert(fc.property(someDays, (input) => {
    const plans = planDays({ ...input, today: TODAY });
    assertEquals(plans.filter((p) => !p.removed).length, input.publicDays);
    assertEquals(plans.filter((p) => p.removed).length, 1);
  }));
});

Deno.test("planDays() leaves no gap up to yesterday", () => {
  fc.assert(fc.property(someDays, (input) => {
    const plans = planDays({ ...input, today: TODAY });
    const days = plans.map(({ day }) => day);
    const wanted = plans.map((_, at) => addDays(TODAY, at - plans.length));
    assertEquals(days, wanted);
  }));
});

Deno.test("planDays() makes yesterday a paid day that stays public", () => {
  fc.assert(fc.property(someDays, (input) => {
    const newest = planDays({ ...input, today: TODAY }).at(-1);
    assertEquals(newest?.kind, "paid");
    assertEquals(newest?.removed, false);
  }));
});

Deno.test("planDays() gives one day in five to a house advertisement", () => {
  fc.assert(fc.property(someDays, ({ seed }) => {
    const plans = planDays({ seed, today: TODAY, publicDays: 90 });
    const house = plans.filter(({ kind }) => kind === "house").length;
    assert(house >= 17 && house <= 19, `${house} of 91`);
  }));
});
