import { assertEquals, assertThrows } from "@std/assert";
import {
  type Saga,
  withCandidate,
  withLeaseRenewed,
} from "../../../domain/settlement/saga.ts";
import {
  type Candidate,
  type CandidateStep,
  newCandidate,
  type Settlement,
} from "../../../domain/settlement/settlement.ts";
import { isStepOverdue } from "../../../domain/settlement/step_progress.ts";
import type { Services } from "../../../domain/ports.ts";
import { bid, settlement } from "../../kv/records.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";

/** The settlement of one candidate that was moved from a step to another. */
function moved(
  from: CandidateStep,
  to: CandidateStep,
  changes: Partial<Candidate> = {},
): Settlement {
  const candidate = {
    ...newCandidate(bid(AUCTION_DAY, "acc_ada"), 1),
    step: from,
    ...changes,
  };
  const before: Settlement = {
    ...settlement(AUCTION_DAY),
    candidates: [candidate],
    attempts: 3,
  };
  const turn = { settlement: before, position: 0, candidate };
  return withCandidate(before, turn, { step: to }, 9);
}

Deno.test("withCandidate() moves a candidate along its arrows, and along no others", () => {
  assertEquals(moved("paying", "won").candidates[0]?.step, "won");
  for (
    const [from, to] of [
      ["waiting", "paying"],
      ["voiding", "paying"],
      ["won", "passed_over"],
      ["passed_over", "won"],
    ] as const
  ) assertThrows(() => moved(from, to), Error, `from ${from} to ${to}`);
});

Deno.test("isStepOverdue() gives a step 60 minutes, to the millisecond", () => {
  const candidate = newCandidate(bid(AUCTION_DAY, "acc_ada"), 1_000);
  const isOverdueAt = (begunMs: number, isTurnedAway = false) => {
    const leased = withLeaseRenewed(settlement(AUCTION_DAY), begunMs);
    const turn = { settlement: leased, position: 0, candidate };
    const saga: Saga = {
      services: {} as Services,
      day: AUCTION_DAY,
      owner: "lease_1",
      isTurnedAway: () => isTurnedAway,
    };
    return isStepOverdue(saga, turn);
  };
  assertEquals(isOverdueAt(1_000 + 60 * 60_000 - 1), false);
  assertEquals(isOverdueAt(1_000 + 60 * 60_000), true);
  assertEquals(isOverdueAt(1_000 + 60 * 60_000, true), false);
});

Deno.test("withCandidate() begins the count of attempts and the time of the step anew", () => {
  const { attempts, candidates } = moved("creating", "itemizing");
  assertEquals([attempts, candidates[0]?.stepSinceMs], [0, 9]);
});

Deno.test("withCandidate() keeps every step that a candidate came to, and renews the lease for 45 seconds", () => {
  const moves = [{ step: "creating", atMs: 4 } as const];
  const { candidates, leaseUntilMs } = moved("creating", "itemizing", {
    moves,
  });
  assertEquals(candidates[0]?.moves, [...moves, {
    step: "itemizing",
    atMs: 9,
  }]);
  assertEquals(leaseUntilMs, 9 + 45_000);
});
