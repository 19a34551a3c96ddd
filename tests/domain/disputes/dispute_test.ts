import { assertEquals } from "@std/assert";
import { standingOf } from "../../../domain/disputes/dispute.ts";

Deno.test("standingOf() takes what was to be given back first, and of the rest a loss", () => {
  for (const state of ["lost", "prevented"] as const) {
    const whole = standingOf(state, 500, 300);
    assertEquals(whole, { heldCents: 0, lostCents: 200, dueCents: 300 });
    const part = standingOf(state, 200, 300);
    assertEquals(part, { heldCents: 0, lostCents: 0, dueCents: 200 });
  }
});

Deno.test("standingOf() counts what a bank brings back beyond what it took as no debt to the payer", () => {
  const standing = standingOf("lost", -100, 300);
  assertEquals(standing, { heldCents: 0, lostCents: -100, dueCents: 0 });
});

Deno.test("standingOf() leaves all of it with the bank until that has decided against us", () => {
  for (const state of ["open", "won", "warning"] as const) {
    const standing = standingOf(state, 500, 300);
    assertEquals(standing, { heldCents: 500, lostCents: 0, dueCents: 0 });
  }
});
