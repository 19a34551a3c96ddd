import { assertEquals } from "@std/assert";
import {
  DISPUTE_STATES,
  type DisputeState,
  isExpected,
  isLost,
  isUndecided,
  withheldIn,
} from "../../../domain/disputes/dispute.ts";

const STATES = Object.keys(DISPUTE_STATES) as DisputeState[];

Deno.test("withheldIn() takes what was to be given back first, and of the rest a loss", () => {
  for (const state of ["lost", "prevented"] as const) {
    const whole = withheldIn(state, 500, 300);
    assertEquals(whole, { heldCents: 0, lostCents: 200, dueCents: 300 });
    const part = withheldIn(state, 200, 300);
    assertEquals(part, { heldCents: 0, lostCents: 0, dueCents: 200 });
  }
});

Deno.test("withheldIn() counts what a bank brings back beyond what it took as no debt to the payer", () => {
  const standing = withheldIn("lost", -100, 300);
  assertEquals(standing, { heldCents: 0, lostCents: -100, dueCents: 0 });
});

Deno.test("withheldIn() leaves all of it with the bank until that has decided against us", () => {
  for (const state of ["open", "won", "warning"] as const) {
    const standing = withheldIn(state, 500, 300);
    assertEquals(standing, { heldCents: 500, lostCents: 0, dueCents: 0 });
  }
});

Deno.test("isLost() takes a prevented dispute for lost from its first cent on", () => {
  const isLostNow = (state: DisputeState, lostCents: number) =>
    isLost({ state, lostCents });
  assertEquals(isLostNow("prevented", 0), false);
  assertEquals(isLostNow("prevented", 1), true);
  assertEquals(isLostNow("lost", 0), true);
  assertEquals(isLostNow("won", 1), false);
});

Deno.test("isUndecided() is a dispute that is open, asked about, or has some of our money", () => {
  for (const state of STATES) {
    const isWaiting = state === "open" || state === "warning";
    assertEquals(isUndecided({ state, heldCents: 0 }), isWaiting, state);
    assertEquals(isUndecided({ state, heldCents: 1 }), true, state);
  }
});

Deno.test("isExpected() lets a dispute stay as it is, and tells a won one that is merely asked about", () => {
  for (const state of STATES) assertEquals(isExpected(state, state), true);
  assertEquals(isExpected("open", "won"), true);
  assertEquals(isExpected("won", "warning"), false);
});
